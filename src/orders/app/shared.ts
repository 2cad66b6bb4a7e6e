/** Statements that other topics run in their own transactions. */
export { endLift } from '../store/brake.ts';
export { orderById, stateOf } from '../store/delivery-order.ts';
