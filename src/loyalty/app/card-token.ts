/** The token of a card: derived again, or of a new generation once the one before has ended (Decisions 11, Join). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { memberOfCustomer, type Member } from '../store/card.ts';
import { lockedMember, renewCard } from '../store/member.ts';
import type { CardKey } from '../store/wallets.ts';
import { announceCard, type Announcing } from './announce.ts';
import { endPasses } from './wallets/notify.ts';

const keyOf = ({ cardId, generation }: Pick<Member, 'cardId' | 'generation'>) => ({ id: cardId, generation });

/** Null: it has ended, or was derived from a key that SECRET_KEY no longer has. */
export const standingToken = ({ tokens }: Pick<App, 'tokens'>, member: Member): string | null =>
  member.hasEndedToken ? null : tokens.memberTokenOf(keyOf(member), member.tokenHash);

/** Null: derived from a key that SECRET_KEY no longer has. */
export const standingCode = ({ tokens }: Pick<App, 'tokens'>, member: Member): string | null =>
  member.codeHash === null ? null : tokens.memberCodeOf(keyOf(member), member.codeHash);

/** Gives the card a new token and code, audited, and ends those before. The owner's row is locked. */
const newGeneration = async (
  tx: Kysely<Database>,
  app: Announcing & Pick<App, 'clock' | 'tokens'>,
  log: ChangeLog,
  { orgId, cardId, generation }: Member,
  now: Instant,
): Promise<string> => {
  const key = keyOf({ cardId, generation: generation + 1 });
  const token = app.tokens.memberToken(key);
  const isRenewed = await renewCard(
    tx,
    {
      ...{ orgId, cardId, generation: key.generation, tokenHash: app.tokens.hashOf(token) },
      codeHash: app.tokens.hashOf(app.tokens.memberCode(key)),
    },
    now,
  );
  if (!isRenewed) throw new Error('The owner of a card is locked while it gets a new token.');
  await endPasses(tx, app, { orgId, cardId }, now);
  const renewed = { action: 'card.renewed', subject: 'card', subjectId: cardId } as const;
  await recordAudit(app, tx, { orgId, at: now, ...renewed });
  await announceCard(tx, app, log, { orgId, cardId }, now);
  return token;
};

/** For a caller who has proven the phone of the card. */
export const liveToken = async (
  tx: Kysely<Database>,
  app: Announcing & Pick<App, 'clock' | 'tokens'>,
  log: ChangeLog,
  member: Member,
  now: Instant,
): Promise<string> => standingToken(app, member) ?? (await newGeneration(tx, app, log, member, now));

interface FirstProof {
  readonly orgId: Uuid;
  readonly customerId: Uuid;
  readonly phone: Phone;
  readonly at: Instant;
}

/** For a caller who has proven this phone; null: that was not the customer's first proof, or they have no card. */
export const tokenAfterFirstProof = async (
  app: App,
  { orgId, customerId, phone, at }: FirstProof,
): Promise<string | null> => {
  const card = await memberOfCustomer(app.db.kysely, orgId, customerId);
  if (card?.phone !== phone || card.phoneProvenAt !== at) return null;
  const standing = standingToken(app, card);
  if (standing !== null) return standing;
  return commitAndPublish(app, async (tx, log) => {
    const member = await lockedMember(tx, orgId, card.cardId);
    return member?.phone === phone ? liveToken(tx, app, log, member, app.clock.now()) : null;
  });
};

/**
 * The live token of a card; null: it is gone, or was combined with another. Checks no proof: the caller has proven the
 * phone, or keeps the token to itself.
 */
export const liveTokenOfCard = async (
  tx: Kysely<Database>,
  app: Announcing & Pick<App, 'clock' | 'tokens'>,
  log: ChangeLog,
  { orgId, cardId }: CardKey,
  now: Instant,
): Promise<string | null> => {
  const member = await lockedMember(tx, orgId, cardId);
  return member === null ? null : liveToken(tx, app, log, member, now);
};
