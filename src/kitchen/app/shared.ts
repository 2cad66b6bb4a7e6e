/** Statements that other topics run in their own transactions. */
export { fireToKitchen, type Firing } from './fire.ts';
export {
  bumpSourceInKitchen,
  forgetInKitchen,
  moveInKitchen,
  promiseInKitchen,
  voidInKitchen,
  voidSourceInKitchen,
} from './follow.ts';
export { isMade, linesInKitchen, type LineInKitchen } from '../store/ticket.ts';
