import { handlers as bookings } from '../../bookings/app/handlers.ts';
import { handlers as delivery } from '../../delivery/app/handlers.ts';
import { handlers as floor } from '../../floor/app/handlers.ts';
import { ticketChangesOf } from '../../floor/app/kitchen.ts';
import { moveTicketsOf } from '../../floor/app/move-tickets.ts';
import { voidsOfTill } from '../../floor/app/void.ts';
import { handlers as identity } from '../../identity/app/handlers.ts';
import { handlers as kitchen } from '../../kitchen/app/handlers.ts';
import { handlers as loyalty } from '../../loyalty/app/handlers.ts';
import { handlers as menu } from '../../menu/app/handlers.ts';
import type { BudgetLeases } from '../../messaging/app/budget-leases.ts';
import { lockForKitchen, orderMade } from '../../orders/app/board.ts';
import { BoardEvents } from '../../orders/app/board-events.ts';
import { salesOf } from '../../orders/app/sales.ts';
import { handlers as orders } from '../../orders/app/handlers.ts';
import { handlers as people } from '../../people/app/handlers.ts';
import type { App } from '../../platform/app/app.ts';
import { EventAggregator } from '../../platform/app/event-aggregator.ts';
import type { LookupLimit } from '../../platform/app/limits/lookup-limit.ts';
import type { Readiness } from '../../platform/app/readiness.ts';
import type { Timers } from '../../ports.ts';
import { handlers as pricing } from '../../pricing/app/handlers.ts';
import { createPriceBooks } from '../../pricing/app/pricebooks.ts';
import { handlers as reports } from '../../reports/app/handlers.ts';
import { handlers as sales } from '../../sales/app/handlers.ts';
import { handlers as shops } from '../../shops/app/handlers.ts';
import { handlers as staff } from '../../staff/app/handlers.ts';
import { handlers as sync } from '../../sync/app/handlers.ts';
import { health, ready } from './about.ts';
import { eventAppliers } from './event-appliers.ts';

interface HandlerParts {
  readonly app: App;
  /** For event streams: its connections to the database are shared with no request. */
  readonly background: App;
  readonly timers: Timers;
  readonly lookups: LookupLimit;
  readonly leases: BudgetLeases;
  readonly readiness: Readiness;
}

/** The use case behind each operation of the endpoint table, by operation id. */
export const handlersOf = (parts: HandlerParts) => {
  const { app, background, timers, lookups, leases, readiness } = parts;
  const boards = new BoardEvents(background, timers);
  const tally = new EventAggregator(app.security, timers);
  const books = createPriceBooks(app);
  const sources = { ticketChanges: ticketChangesOf, lockOrder: lockForKitchen, orderMade: orderMade(app) };
  return {
    health,
    ready: ready(readiness),
    ...shops(app),
    ...staff(app, boards),
    ...identity(app, tally),
    ...menu(app),
    ...delivery(app),
    ...pricing({ app, books, lookups }),
    ...orders({ app, books, tally, leases, boards, lookups }),
    ...bookings({ app, background, timers, moveTickets: moveTicketsOf(app) }),
    ...floor({ app, books }),
    ...kitchen({ app, sources }),
    ...loyalty({ app, salesOf }),
    ...people(app),
    ...reports(app),
    ...sales({ app, books, voidsOf: voidsOfTill }),
    ...sync({ app, appliers: eventAppliers({ app }) }),
  };
};
