/** What an order is to the kitchen (Decisions 12, Kitchen): fired when it is confirmed, void when it is cancelled. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { addMinutes, type Instant } from '../../kernel/time.ts';
import {
  bumpSourceInKitchen,
  fireToKitchen,
  isMade,
  promiseInKitchen,
  voidSourceInKitchen,
  type Firing,
} from '../../kitchen/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { OrderStatus } from '../domain/order.ts';
import type { OrderState } from '../domain/transitions.ts';
import type { StoredOrder } from '../store/delivery-order.ts';

type Tx = Kysely<Database>;

const IN_KITCHEN: Readonly<Record<OrderStatus, 'waits' | 'to make' | 'made' | 'void'>> = {
  received: 'waits',
  confirmed: 'to make',
  preparing: 'to make',
  ready: 'made',
  out_for_delivery: 'made',
  delivered: 'made',
  cancelled: 'void',
  rejected: 'void',
};

const promisedAt = ({ created_at: at, base_prep_minutes: base, extra_prep_minutes: extra }: StoredOrder) =>
  addMinutes(at, base + extra);

const fire = (
  app: Pick<App, 'random'>,
  tx: Tx,
  log: ChangeLog,
  row: StoredOrder,
  now: Instant,
): Promise<boolean> => {
  // Written by `frozenCart` only.
  const { lines } = row.cart as FrozenCart;
  const firing: Firing = {
    ...{ orgId: row.org_id, branchId: row.branch_id, source: 'order', sourceId: row.id, round: 1 },
    ...{ reference: row.delivery_ref ?? row.id, name: null, notes: null },
    ...{ promisedAt: promisedAt(row), tableIds: [] },
    lines: lines.map((line) => ({ lineId: null, line })),
  };
  return fireToKitchen(app, tx, log, firing, now);
};

interface Followed {
  readonly before: OrderState;
  readonly row: StoredOrder;
  /** Null: the service itself. */
  readonly by: Uuid | null;
  /** Of an undone delivery: the guest has the order all the same. */
  readonly isHandedOver: boolean;
}

/** In the transaction of a change of the order, whose row is locked. */
export const followInKitchen = async (
  app: Pick<App, 'random'>,
  tx: Tx,
  log: ChangeLog,
  { before, row, by, isHandedOver }: Followed,
  now: Instant,
): Promise<void> => {
  const source = { orgId: row.org_id, branchId: row.branch_id, sourceId: row.id };
  // A constraint of the table holds the words.
  const is = IN_KITCHEN[row.status as OrderStatus];
  if (before.extraPrepMinutes !== row.extra_prep_minutes)
    await promiseInKitchen(tx, log, source, promisedAt(row));
  if (is === IN_KITCHEN[before.status]) return;
  if (before.status === 'delivered' && isHandedOver) return;
  if (is === 'void') await voidSourceInKitchen(tx, log, source, row.cancel_reason ?? 'other');
  if (is === 'made') await bumpSourceInKitchen(tx, log, source, { isBumped: true, by }, now);
  if (is === 'to make' && !(await fire(app, tx, log, row, now)))
    await bumpSourceInKitchen(tx, log, source, { isBumped: false, by }, now);
};

/** All of the order is made, it waits for that, and its branch lets the kitchen move it. */
export const isReadyInKitchen = async (tx: Tx, order: StoredOrder): Promise<boolean> => {
  if (IN_KITCHEN[order.status as OrderStatus] !== 'to make') return false;
  const branch = await branchById(tx, order.branch_id);
  return branch?.kitchenMovesOrders === true && (await isMade(tx, order.org_id, order.id));
};
