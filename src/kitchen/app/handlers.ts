import { bumpKitchenTicket, getKitchen, recallKitchenTicket, type KitchenParts } from './board.ts';

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, sources }: KitchenParts) => ({
  getKitchen: getKitchen(app),
  bumpKitchenTicket: bumpKitchenTicket({ app, sources }),
  recallKitchenTicket: recallKitchenTicket({ app, sources }),
});
