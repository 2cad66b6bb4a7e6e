import type { Kysely } from 'kysely';
import type { Change, ScopedChanges } from '../../kernel/change.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { isOfClosedShop, keepOpen } from '../store/closed-shop.ts';
import type { Database } from '../store/schema.ts';
import { recordChanges } from '../store/change-log.ts';
import type { App } from './app.ts';

/** Collects the changes of one transaction. */
export interface ChangeLog {
  /** Adds changes, which are logged at the end of the transaction. */
  add(orgId: Uuid, ...changes: readonly Change[]): void;
  /** Adds changes that the last statement of the transaction has logged; `version` is the number of the last one. */
  addLogged(orgId: Uuid, changes: readonly Change[], version: number): void;
  /** Runs `action` once the transaction is committed; it must not throw. */
  afterCommit(action: () => void): void;
}

const committed = (orgId: Uuid, changes: readonly Change[], version: number): ScopedChanges => ({
  ...{ orgId, version, scopes: [...new Set(changes.map(({ scope }) => scope))] },
});

/** Writes added changes to the database's log, shop by shop in the order of ids, so that counters never deadlock. */
const writeLog = async (
  tx: Kysely<Database>,
  added: ReadonlyMap<Uuid, readonly Change[]>,
  now: Instant,
): Promise<ScopedChanges[]> => {
  const written: ScopedChanges[] = [];
  for (const [orgId, changes] of [...added].sort(([a], [b]) => compareIds(a, b)))
    written.push(committed(orgId, changes, await recordChanges(tx, orgId, changes, now)));
  return written;
};

/**
 * Logs changes as the last statement of a transaction that was not begun here: nothing that this process has cached
 * depends on them, and devices read the log.
 */
export const logWithin = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  changes: readonly Change[],
  now: Instant,
): Promise<void> => {
  await recordChanges(tx, orgId, changes, now);
};

/**
 * Changes shops: runs `work` in one transaction, logs its changes, commits, and publishes them to this process. Every
 * change of a shop goes through here. The log is written last, because a shop's counter stays locked until the commit.
 * `work` may run more than once (`Db.tx`). Throws SHOP_MOVING where the shop is closed.
 */
export const commitAndPublish = async <T>(
  { db, clock, changePublisher }: Pick<App, 'db' | 'clock' | 'changePublisher'>,
  work: (tx: Kysely<Database>, log: ChangeLog) => Promise<T>,
): Promise<T> => {
  const committing = db.tx(async (tx) => {
    const actions: (() => void)[] = [];
    const added = new Map<Uuid, Change[]>();
    const logged: ScopedChanges[] = [];
    const result = await work(tx, {
      add: (orgId, ...changes) => {
        if (changes.length > 0) added.set(orgId, [...(added.get(orgId) ?? []), ...changes]);
      },
      addLogged: (orgId, changes, version) => {
        if (changes.length > 0) logged.push(committed(orgId, changes, version));
      },
      afterCommit: (action) => actions.push(action),
    });
    if (logged.length > 0 && added.size > 0) throw new Error('A transaction logs its changes in one way.');
    return { result, actions, published: [...logged, ...(await writeLog(tx, added, clock.now()))] };
  });
  const { result, published, actions } = await committing.catch((fault: unknown) => {
    throw isOfClosedShop(fault) ? new Refusal('SHOP_MOVING', {}, { cause: fault }) : fault;
  });
  for (const action of actions) action();
  for (const changes of published) changePublisher.publish(changes);
  return result;
};

/**
 * For a transaction that changes a shop and may log no change. Throws SHOP_MOVING where the shop is closed; else it is not
 * closed before the transaction ends.
 */
export const demandOpen = async (tx: Kysely<Database>, orgId: Uuid): Promise<void> => {
  if (!(await keepOpen(tx, orgId))) throw new Refusal('SHOP_MOVING');
};
