import { startOrderChoice } from '../browser/order/card/choice-start.ts';

startOrderChoice();
