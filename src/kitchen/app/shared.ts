/** Statements that other topics run in their own transactions. */
export { fireToKitchen, type Firing } from './fire.ts';
export {
  bumpSourceInKitchen,
  moveInKitchen,
  promiseInKitchen,
  voidInKitchen,
  voidSourceInKitchen,
} from './follow.ts';
export { forgetFirings } from '../store/forget.ts';
export { isMade, linesInKitchen, type LineInKitchen } from '../store/ticket.ts';
