import { about, health, openapi, ready } from './about.ts';
import { getBookingSlots } from './booking.ts';
import type { Endpoint } from './endpoint.ts';
import { getBranchMenu, getTableMenu } from './menu.ts';
import { trackOrder } from './order.ts';
import { quoteCart, quoteTableCart } from './quote.ts';
import { getBrand, getLinks, listBranches } from './shop.ts';
import { getTable } from './ticket.ts';

/** The one table of endpoints, keyed by operation id. Everything that knows an address reads it here. */
export const endpoints = {
  about,
  openapi,
  health,
  ready,
  getBrand,
  getLinks,
  listBranches,
  getBranchMenu,
  getBookingSlots,
  trackOrder,
  getTable,
  getTableMenu,
  quoteCart,
  quoteTableCart,
} as const satisfies Record<string, Endpoint>;

export type OperationId = keyof typeof endpoints;
export type EndpointOf<Id extends OperationId> = (typeof endpoints)[Id];
