/** A floor of a demo shop in the middle of its day: a till, tickets in every state, a kitchen at work. */
import { createHash } from 'node:crypto';
import { idOfKey } from './orders.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { permissionsOf } from '../../../kernel/permission.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { businessDate } from '../../../kernel/business-date.ts';
import { handlers as floorOf } from '../../../floor/app/handlers.ts';
import { ticketChangesOf } from '../../../floor/app/kitchen.ts';
import { voidedBy } from '../../../floor/app/void.ts';
import { handlers as kitchenOf } from '../../../kitchen/app/handlers.ts';
import { lockForKitchen, orderMade } from '../../../orders/app/board.ts';
import { derivedId } from '../../../shopfile/app/entity-ids.ts';
import { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { Meter } from '../../../platform/app/meter.ts';
import { Scheduler, type JobContext } from '../../../platform/app/scheduler.ts';
import type { PriceBooks } from '../../../pricing/app/pricebooks.ts';
import { handlers as salesOf } from '../../../sales/app/handlers.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';

export interface FloorScenario {
  readonly shop: string;
  readonly branch: string;
  /** Keys of the shop file. */
  readonly teller: string;
  readonly tables: readonly string[];
}

const CALLER: JobContext = { client: 'demo', meter: new Meter(() => 0) };
const NO_HEADERS = {};
const FLOAT = 50_000;

const madeOf = <T>(answer: T | Repeated<T>): T => (answer instanceof Repeated ? answer.reply : answer);

/** Null: it was refused. */
const unlessRefused = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof Refusal) return null;
    throw fault;
  }
};

/** Who works at the till of the demo; their permissions are those of a manager, who may do all of it. */
const actorOf = (orgId: Uuid, staffId: Uuid): Actor => ({
  ...{ orgId, staffId, name: 'demo', role: 'teller', permissions: permissionsOf('manager') },
  ...{ elevatedUntil: null, branchIds: null, deviceId: null },
  session: createHash('sha256').update('demo').digest(),
});

const useCasesOf = (app: App, books: PriceBooks) => {
  const scheduler = new Scheduler();
  const sources = {
    ticketChanges: ticketChangesOf,
    lockOrder: lockForKitchen,
    orderMade: orderMade(app),
  };
  return {
    floor: floorOf({ app, books, scheduler }),
    kitchen: kitchenOf({ app, sources }),
    sales: salesOf({ app, books, scheduler, voidsOf: voidedBy }),
  };
};

type UseCases = ReturnType<typeof useCasesOf>;

interface Place {
  readonly useCases: UseCases;
  readonly actor: Actor;
  readonly branchId: Uuid;
}

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

const sell = async ({ useCases, actor, branchId }: Place, items: Items, method: string): Promise<void> => {
  const cart = { branch_id: branchId, items };
  const { total } = await useCases.sales.quoteCounterSale({ body: cart, actor, caller: CALLER });
  const body = { ...cart, payments: [{ method, amount: total }] };
  await useCases.sales.sellOverCounter({ body, headers: NO_HEADERS, actor, caller: CALLER });
};

/** Ends what an earlier day has left open. */
const clear = async ({ useCases, actor, branchId }: Place): Promise<void> => {
  const { floor } = useCases;
  const query = { branch_id: branchId };
  for (const ticket of await floor.listTickets({ query, actor, caller: CALLER })) {
    let { revision } = ticket;
    for (const { id: paymentId } of ticket.payments) {
      const path = { id: ticket.id, payment_id: paymentId };
      const request = { path, body: { revision }, headers: NO_HEADERS, actor, caller: CALLER };
      ({ revision } = madeOf(await floor.undoTicketPayment(request)));
    }
    const body = { revision, reason: 'guest_changed' as const };
    await floor.voidTicket({ path: { id: ticket.id }, body, headers: NO_HEADERS, actor, caller: CALLER });
  }
};

/** Tickets that were settled, voided, are ready, half made, just sent, shared and paid in part. */
const openTickets = async (
  { useCases, actor, branchId }: Place,
  items: Items,
  tables: readonly Uuid[],
): Promise<void> => {
  const { floor, kitchen } = useCases;
  const common = { headers: NO_HEADERS, actor, caller: CALLER };
  const open = async (table: Uuid | undefined, guests: number) =>
    madeOf(
      await floor.openTicket({
        body: {
          branch_id: branchId,
          items,
          guest_count: guests,
          ...(table === undefined ? {} : { table_id: table }),
        },
        ...common,
      }),
    );
  const bump = async (sourceId: Uuid): Promise<void> => {
    const query = { branch_id: branchId, source_id: sourceId };
    for (const { id } of (await kitchen.getKitchen({ query, actor })).tickets)
      await kitchen.bumpKitchenTicket({ path: { id }, body: {}, actor });
  };
  const settled = await open(undefined, 2);
  const payments = [{ method: 'cash', amount: settled.bill?.total ?? 0, tip: 1_000 }];
  await floor.settleTicket({
    path: { id: settled.id },
    body: { revision: settled.revision, payments },
    ...common,
  });
  const voided = await open(undefined, 1);
  const why = { revision: voided.revision, reason: 'mistake' as const };
  await floor.voidTicket({ path: { id: voided.id }, body: why, ...common });
  const [first, second, third] = tables;
  const ready = await open(first, 2);
  await bump(ready.id);
  const half = await open(second, 4);
  await bump(half.id);
  await floor.fireTicketRound({ path: { id: half.id }, body: { items: items.slice(0, 1) }, ...common });
  const shared = await open(third, 3);
  const split = { path: { id: shared.id }, body: { revision: shared.revision, parts: 3 }, ...common };
  const parted = madeOf(await floor.splitTicket(split));
  const part = { revision: parted.revision, method: 'cash', amount: parted.parts?.[0] ?? 1 };
  await floor.payTicketPart({ path: { id: shared.id }, body: part, ...common });
};

interface FloorOfBranch {
  readonly scenario: FloorScenario;
  readonly branch: Branch;
}

const makeFloor = async (app: App, books: PriceBooks, { scenario, branch }: FloorOfBranch): Promise<void> => {
  const { orgId, id: branchId } = branch;
  const useCases = useCasesOf(app, books);
  const actor = actorOf(orgId, idOfKey(orgId, 'staff', scenario.teller));
  const place = { useCases, actor, branchId };
  const today = businessDate(branch.zone, app.clock.now(), branch.dayStartsAt);
  const opening = { body: { branch_id: branchId, opening_float: FLOAT }, headers: NO_HEADERS, actor };
  const opened = await useCases.sales.openTill(opening);
  const till = madeOf(opened);
  if (opened instanceof Repeated && till.business_date === today) return;
  await clear(place);
  if (till.business_date !== today) {
    const note = { note: 'demo' };
    await useCases.sales.forceCloseTill({ path: { id: till.id }, body: note, actor });
    await useCases.sales.openTill(opening);
  }
  const items = await easyItems(place, books, 3);
  if (items.length === 0) return;
  await sell(place, items, 'cash');
  await sell(place, items.slice(0, 1), 'card');
  const tables = scenario.tables.map((key) => derivedId(orgId, 'table', branchId, { key }));
  await openTickets(place, items, tables);
};

/** Once a business date. A demo shop that was changed since may have no such table: its start goes on without. */
export const openDemoFloor = async (app: App, books: PriceBooks, floor: FloorOfBranch): Promise<void> => {
  await unlessRefused(makeFloor(app, books, floor));
};
