/** Combines two customers, within a transaction that has locked both (Decisions 11, Order-now). */
import type { Kysely } from 'kysely';
import { customerChange } from '../../customers/app/shared.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { announceCard, type Announcing } from '../../loyalty/app/announce.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { combinedProfile, movesOf, type Contact, type Pair } from '../domain/identity.ts';
import {
  endLoser,
  moveBalance,
  moveGreetingsAndChanges,
  moveOrders,
  setProfile,
  type Union,
} from '../store/combine.ts';
import { addIdentityChange } from '../store/identity.ts';

type Tx = Kysely<Database>;

/** Who acts; without staff the guest, who has proven both phones. */
export interface By {
  readonly orgId: Uuid;
  readonly staffId?: Uuid;
  readonly deviceId?: Uuid | null;
}

const moveBalances = async (tx: Tx, app: Pick<App, 'random'>, orgId: Uuid, pair: Pair, now: Instant) => {
  const [from, to] = [pair.loser.card?.id, pair.survivor.card?.id];
  if (from === undefined || to === undefined) return;
  for (const move of movesOf(pair)) {
    const entryIds = [app.random.uuid(), app.random.uuid()] as const;
    await moveBalance(tx, { ...move, orgId, from, to, entryIds }, now);
  }
};

/** What a combination needs. */
export type Combining = Announcing & Pick<App, 'clock' | 'tokens'>;

/**
 * The survivor is under `contact` from now on. Where its card was handed out unproven, the caller gives it a new token:
 * `liveTokenOfCard`.
 */
export const combine = async (
  tx: Tx,
  app: Combining,
  log: ChangeLog,
  { pair, contact, by }: { readonly pair: Pair; readonly contact: Contact; readonly by: By },
): Promise<void> => {
  const { orgId } = by;
  const now = app.clock.now();
  const { survivor, loser } = pair;
  const union: Union = {
    ...{ orgId, survivorId: survivor.id, loserId: loser.id },
    ...{ survivorCardId: survivor.card?.id ?? null, loserCardId: loser.card?.id ?? null },
  };
  await moveOrders(tx, union);
  await moveGreetingsAndChanges(tx, union);
  await moveBalances(tx, app, orgId, pair, now);
  await endLoser(tx, union, now);
  await setProfile(tx, union, combinedProfile(pair, contact), now);
  const change = { orgId, id: app.random.uuid(), customerId: survivor.id, kind: 'combined' } as const;
  await addIdentityChange(tx, change, now);
  await recordAudit(app, tx, {
    ...by,
    ...{ at: now, action: 'customer.combined', subject: 'customer', subjectId: survivor.id },
    detail: { customer_id: loser.id },
  });
  log.add(orgId, customerChange(survivor.id), customerChange(loser.id));
  for (const { card } of [survivor, loser])
    if (card !== null) await announceCard(tx, app, log, { orgId, cardId: card.id }, now);
};
