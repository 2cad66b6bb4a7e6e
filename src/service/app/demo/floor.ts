/** A floor of a demo shop in the middle of its day: a till, tickets in every state, a kitchen at work. */
import { createHash } from 'node:crypto';
import { idOfKey } from './orders.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { permissionsOf } from '../../../kernel/permission.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { businessDate } from '../../../kernel/business-date.ts';
import { handlers as floorOf } from '../../../floor/app/handlers.ts';
import { ticketChangesOf } from '../../../floor/app/kitchen.ts';
import { voidsOfTill } from '../../../floor/app/void.ts';
import { handlers as kitchenOf } from '../../../kitchen/app/handlers.ts';
import { lockForKitchen, orderMade } from '../../../orders/app/board.ts';
import { derivedId } from '../../../shopfile/app/entity-ids.ts';
import { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { Meter } from '../../../platform/app/meter.ts';
import type { JobContext } from '../../../platform/app/job-context.ts';
import { createPriceBooks, type PriceBooks } from '../../../pricing/app/pricebooks.ts';
import { addMinutes, type Instant, type LocalDate } from '../../../kernel/time.ts';
import { handlers as salesOf } from '../../../sales/app/handlers.ts';
import type { Log } from '../../../ports.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';

export interface FloorScenario {
  readonly shop: string;
  readonly branch: string;
  /** Keys of the shop file. */
  readonly teller: string;
  readonly tables: readonly string[];
  /** Where guests order by the code of their table. */
  readonly guest_table: string;
}

const CALLER: JobContext = { client: 'demo', meter: new Meter(() => 0) };
const NO_HEADERS = {};
const FLOAT = 50_000;
const TIP = 1_000;
const GUEST = 'ليلى';
/** Minutes before the start. */
const OPENED = 480;
const SALES = 10;
const MINUTES_BETWEEN = 45;

const madeOf = <T>(answer: T | Repeated<T>): T => (answer instanceof Repeated ? answer.reply : answer);

/** Null: it was refused, as `told` says. */
const unlessRefused = async <T>(
  work: Promise<T>,
  told: (refusal: Refusal) => void = () => undefined,
): Promise<T | null> => {
  try {
    return await work;
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    told(fault);
    return null;
  }
};

/** Who works at the till of the demo; their permissions are those of a manager, who may do all of it. */
const actorOf = (orgId: Uuid, staffId: Uuid): Actor => ({
  ...{ orgId, staffId, name: 'demo', role: 'teller', permissions: permissionsOf('manager') },
  ...{ elevatedUntil: null, branchIds: null, deviceId: null },
  session: createHash('sha256').update('demo').digest(),
});

const useCasesOf = (app: App, books: PriceBooks) => {
  const sources = {
    ticketChanges: ticketChangesOf,
    lockOrder: lockForKitchen,
    orderMade: orderMade(app),
  };
  return {
    floor: floorOf({ app, books }),
    kitchen: kitchenOf({ app, sources }),
    sales: salesOf({ app, books, voidsOf: voidsOfTill }),
  };
};

/** The clock of the use cases. */
class EarlierClock {
  readonly #now: Instant;
  readonly #branch: Branch;
  #at: Instant;

  constructor(now: Instant, branch: Branch) {
    this.#now = now;
    this.#branch = branch;
    this.#at = now;
  }

  get today(): LocalDate {
    return this.#dateOf(this.#now);
  }

  /** That long ago; within the business date of now, as early as it may be. */
  goTo(minutesAgo: number): void {
    const ago = Array.from({ length: minutesAgo + 1 }, (_, n) => addMinutes(this.#now, n - minutesAgo));
    this.#at = ago.find((instant) => this.#dateOf(instant) === this.today) ?? this.#now;
  }

  now(): Instant {
    return this.#at;
  }

  #dateOf(instant: Instant): LocalDate {
    return businessDate(this.#branch.zone, instant, this.#branch.dayStartsAt);
  }
}

type UseCases = ReturnType<typeof useCasesOf>;

interface Place {
  readonly useCases: UseCases;
  readonly actor: Actor;
  readonly branchId: Uuid;
  readonly clock: EarlierClock;
}

type Ticket = Awaited<ReturnType<UseCases['floor']['listTickets']>>[number];
type Items = Parameters<UseCases['sales']['quoteCounterSale']>[0]['body']['items'];

/** What the branch sells now without a choice to make: up to `most` items of one unit. */
const easyItems = async (
  { useCases, actor, branchId }: Place,
  books: PriceBooks,
  most: number,
): Promise<Items> => {
  const { book } = await books.saleOf(branchId, 'till', []);
  const items: Items = [];
  for (const id of book.entries.keys()) {
    if (items.length === most) break;
    const body = { branch_id: branchId, items: [{ menu_item_id: id, quantity: 1 }] };
    const quote = await unlessRefused(useCases.sales.quoteCounterSale({ body, actor, caller: CALLER }));
    if (quote !== null && quote.total > 0) items.push({ menu_item_id: id, quantity: 1 });
  }
  return items;
};

/** A counter sale. */
const sell = async ({ useCases, actor, branchId }: Place, items: Items, method: string): Promise<void> => {
  const cart = { branch_id: branchId, items };
  const { total } = await useCases.sales.quoteCounterSale({ body: cart, actor, caller: CALLER });
  const body = { ...cart, payments: [{ method, amount: total }] };
  await useCases.sales.sellOverCounter({ body, headers: NO_HEADERS, actor, caller: CALLER });
};

/** One sale every three quarters of an hour, of one to three items, every third by card. */
const sellAllDay = async (place: Place, items: Items): Promise<void> => {
  for (let n = 0; n < SALES; n += 1) {
    place.clock.goTo((SALES - n) * MINUTES_BETWEEN);
    const some = items.slice(n % items.length, (n % items.length) + 1 + (n % 3));
    await unlessRefused(sell(place, some, n % 3 === 2 ? 'card' : 'cash'));
  }
};

/** Ends the tickets of an earlier day: those paid in part are paid for, the others void. */
const clear = async ({ useCases, actor, branchId }: Place): Promise<void> => {
  const { floor } = useCases;
  const common = { headers: NO_HEADERS, actor, caller: CALLER };
  const query = { branch_id: branchId };
  for (const { id, revision, paid, due } of await floor.listTickets({ query, actor, caller: CALLER })) {
    const rest = due === 0 ? [] : [{ method: 'cash', amount: due }];
    if (paid > 0) await floor.settleTicket({ path: { id }, body: { revision, payments: rest }, ...common });
    else await floor.voidTicket({ path: { id }, body: { revision, reason: 'guest_changed' }, ...common });
  }
};

const ticketsOf = ({ useCases, actor, branchId }: Place, items: Items) => {
  const { floor, kitchen } = useCases;
  const common = { headers: NO_HEADERS, actor, caller: CALLER };
  return {
    open: async (table: Uuid | undefined, guests: number) => {
      const body = { branch_id: branchId, items, guest_count: guests };
      const request = { body: table === undefined ? body : { ...body, table_id: table }, ...common };
      return madeOf(await floor.openTicket(request));
    },
    fire: (id: Uuid, more: Items) =>
      floor.fireTicketRound({ path: { id }, body: { items: more }, ...common }),
    bump: async (id: Uuid): Promise<void> => {
      const query = { branch_id: branchId, source_id: id };
      for (const ticket of (await kitchen.getKitchen({ query, actor })).tickets)
        await kitchen.bumpKitchenTicket({ path: { id: ticket.id }, body: {}, actor });
    },
    settle: ({ id, revision, bill }: Ticket) => {
      const payments = [{ method: 'cash', amount: bill?.total ?? 0, tip: TIP }];
      return floor.settleTicket({ path: { id }, body: { revision, payments }, ...common });
    },
    void: ({ id, revision }: Ticket) =>
      floor.voidTicket({ path: { id }, body: { revision, reason: 'mistake' }, ...common }),
    orderAt: (table: Uuid) => {
      const body = { table_id: table, items: items.slice(0, 2), customer_name: GUEST };
      return floor.orderAtTable({ body, headers: NO_HEADERS, caller: CALLER });
    },
    payOneOfThree: async ({ id, revision }: Ticket): Promise<void> => {
      const shared = madeOf(
        await floor.splitTicket({ path: { id }, body: { revision, parts: 3 }, ...common }),
      );
      const body = { revision: shared.revision, method: 'cash', amount: shared.parts?.[0] ?? 0 };
      await floor.payTicketPart({ path: { id }, body, ...common });
    },
  };
};

interface Tables {
  readonly served: readonly Uuid[];
  readonly guest: Uuid;
}

/**
 * One that was settled and one voided; at the tables one that is served, one half so, one that shares its bill; and one of
 * guests with a code, whose round waits where the branch confirms it. While the branch is closed they order nothing.
 */
const openTickets = async (place: Place, items: Items, { served: tables, guest }: Tables): Promise<void> => {
  const { clock } = place;
  const tickets = ticketsOf(place, items);
  clock.goTo(95);
  const settled = await tickets.open(undefined, 2);
  const voided = await tickets.open(undefined, 1);
  await tickets.void(voided);
  const [first, second, third] = tables;
  clock.goTo(50);
  await tickets.bump(settled.id);
  await tickets.settle(settled);
  const served = await tickets.open(first, 2);
  clock.goTo(35);
  await tickets.bump(served.id);
  const half = await tickets.open(second, 4);
  clock.goTo(20);
  await tickets.bump(half.id);
  clock.goTo(6);
  const shared = await tickets.open(third, 3);
  clock.goTo(3);
  await tickets.fire(half.id, items.slice(0, 1));
  await tickets.payOneOfThree(shared);
  await unlessRefused(tickets.orderAt(guest));
};

interface FloorOfBranch {
  readonly scenario: FloorScenario;
  readonly branch: Branch;
}

/** Opens the till, and ends what is open of an earlier day. */
const beginDay = async (place: Place): Promise<void> => {
  const { useCases, actor, branchId, clock } = place;
  clock.goTo(OPENED);
  const body = { branch_id: branchId, opening_float: FLOAT };
  const opened = await useCases.sales.openTill({ body, headers: NO_HEADERS, actor });
  if (opened instanceof Repeated) {
    await useCases.sales.forceCloseTill({ path: { id: opened.reply.id }, body: { note: 'demo' }, actor });
    await useCases.sales.openTill({ body, headers: NO_HEADERS, actor });
  }
  await clear(place);
};

const makeFloor = async (app: App, { scenario, branch }: FloorOfBranch): Promise<void> => {
  const { orgId, id: branchId } = branch;
  const clock = new EarlierClock(app.clock.now(), branch);
  const then = { ...app, clock };
  const books = createPriceBooks(then);
  const actor = actorOf(orgId, idOfKey(orgId, 'staff', scenario.teller));
  const place = { useCases: useCasesOf(then, books), actor, branchId, clock };
  const tills = await place.useCases.sales.listTills({ query: { branch_id: branchId }, actor });
  if (tills.some(({ business_date: date }) => date === clock.today)) return;
  await beginDay(place);
  const items = await easyItems(place, books, 6);
  if (items.length === 0) return;
  await sellAllDay(place, items);
  const tableOf = (key: string): Uuid => derivedId(orgId, 'table', branchId, { key });
  const tables = { served: scenario.tables.map(tableOf), guest: tableOf(scenario.guest_table) };
  await openTickets(place, items.slice(0, 3), tables);
};

/** Once a business date. A demo shop that was changed since may have no such table: its start goes on without. */
export const openDemoFloor = async (
  app: App,
  floor: FloorOfBranch,
  log: Pick<Log, 'warn'>,
): Promise<void> => {
  const { shop, branch } = floor.scenario;
  await unlessRefused(makeFloor(app, floor), ({ refusal, figures }) => {
    log.warn({ shop, branch, refusal, figures }, 'a demo branch has no tickets and sales today');
  });
};
