/** A shop moves to another installation: closed here, backed up, restored there, opened there (docs/decisions/0056). */
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { hasLeasedRows, outboxWriters, parkStaleOf } from '../../messaging/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { staleSince } from '../../platform/domain/sending.ts';
import { closeForMove, isShopClosed, openAgain } from '../../platform/store/closed-shop.ts';
import type { ClosedFor } from '../../platform/store/schema/change.ts';
import { orgBySlug, UnknownShop } from '../../shops/app/org-by-slug.ts';
import { presentSlugOf, slugsOf } from '../store/shopfile.ts';
import { shopChange } from './plan.ts';

type Parts = Pick<App, 'db' | 'clock' | 'random' | 'changePublisher'>;

export interface NamedShop {
  readonly orgId: Uuid;
  readonly slug: string;
}

/** By address name or id. Throws UnknownShop. */
export const namedShop = async ({ db }: Pick<App, 'db'>, name: string): Promise<NamedShop> => {
  const orgId = parseUuid(name) ?? (await orgBySlug({ db }, name));
  if ((await slugsOf(db.kysely, orgId)).length === 0) throw new UnknownShop(name);
  return { orgId, slug: await presentSlugOf(db.kysely, orgId) };
};

/** As `namedShop`, or an id of which a removal has left rows. Throws UnknownShop. */
export const shopToRemove = async (app: Pick<App, 'db'>, name: string): Promise<NamedShop> => {
  const orgId = parseUuid(name);
  return orgId !== null && (await slugsOf(app.db.kysely, orgId)).length === 0
    ? { orgId, slug: name }
    : namedShop(app, name);
};

/** What is acknowledged before is in a backup that is made later; nothing is acknowledged after. */
export const closeShop = (app: Parts, { orgId }: NamedShop): Promise<void> =>
  app.db.tx(async (tx) => {
    await recordAudit(app, tx, { orgId, action: 'shop.closed', subject: 'shop', subjectId: orgId });
    await closeForMove(tx, orgId);
  });

/** Also where an earlier command has closed it. */
export const isClosed = ({ db }: Pick<App, 'db'>, { orgId }: NamedShop): Promise<boolean> =>
  isShopClosed(db.kysely, orgId);

/** Of a closed shop: returns a function that tells whether messages that were claimed before are still being sent. */
export const watchLastMessages = async (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { orgId }: NamedShop,
): Promise<() => Promise<boolean>> => {
  const before = new Set(await outboxWriters(db.kysely));
  return async () =>
    (await outboxWriters(db.kysely)).some((id) => before.has(id)) ||
    (await hasLeasedRows(db.kysely, orgId, clock.now()));
};

export interface Opened {
  /** Null: the shop was open. */
  readonly was: ClosedFor | null;
  /** Outbox rows that are not sent now. */
  readonly parked: number;
}

/**
 * What waits is sent, but for what is too old. Where the shop was not closed when it was backed up, nothing is: the other
 * installation has sent it.
 */
export const openShop = (app: Parts, { orgId }: NamedShop): Promise<Opened> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const was = await openAgain(tx, orgId, now);
    if (was === null) return { was, parked: 0 };
    const since = was === 'restore' ? now : staleSince({ reason: 'command', since: null }, now);
    const parked = await parkStaleOf(
      tx,
      orgId,
      { since, reason: 'it waited while the shop was closed' },
      now,
    );
    await recordAudit(app, tx, { orgId, action: 'shop.opened', subject: 'shop', subjectId: orgId });
    log.add(orgId, shopChange(orgId));
    return { was, parked };
  });
