/** Statements that other topics run in their own transactions. */
export { deliveryTermsOf, type DeliveryRoute } from '../store/delivery.ts';
