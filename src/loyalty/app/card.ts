/** Making loyalty cards. */
import type { Kysely } from 'kysely';
import { cardScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { singleLine } from '../../kernel/free-text.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { MAX_NAME } from '../contract/join.ts';
import { addCard, customerWith } from '../store/card.ts';
import type { App } from '../../platform/app/app.ts';
import { phoneIn } from '../../identity/app/otp.ts';

export const cardChange = (cardId: Uuid): Change => ({
  ...{ scope: cardScope(cardId), type: 'card', id: cardId, op: 'upsert' },
});

export interface NewMemberCard {
  readonly id: Uuid;
  readonly customerId: Uuid;
  /** Bearer token. */
  readonly memberToken: string;
}

interface CardOwner {
  readonly orgId: Uuid;
  readonly customerId: Uuid;
  /** Null: the service itself. */
  readonly staffId?: Uuid | null;
  readonly deviceId?: Uuid | null;
  readonly branchId?: Uuid | null;
  /** The token ends with the first proof of the phone. */
  readonly isUnproven: boolean;
  /** Of the card; without it one is drawn. */
  readonly id?: Uuid;
}

/** Gives the customer a card, audited; null: they have one. The caller logs `cardChange`. */
export const issueCard = async (
  tx: Kysely<Database>,
  app: Pick<App, 'clock' | 'random' | 'tokens'>,
  owner: CardOwner,
  now: Instant,
): Promise<NewMemberCard | null> => {
  const { orgId, customerId, isUnproven, staffId = null, deviceId = null, branchId = null } = owner;
  const id = owner.id ?? app.random.uuid();
  const key = { id, generation: 1 };
  const memberToken = app.tokens.memberToken(key);
  const isNew = await addCard(tx, {
    ...{ orgId, id, customerId, isUnproven, now },
    tokenHash: app.tokens.hashOf(memberToken),
    codeHash: app.tokens.hashOf(app.tokens.memberCode(key)),
  });
  if (!isNew) return null;
  await recordAudit(app, tx, {
    ...{ orgId, at: now, action: 'card.made', subject: 'card', subjectId: id },
    ...{ staffId, deviceId, branchId },
  });
  return { id, customerId, memberToken };
};

/** Creates the customer if needed; null: they have a card. Throws INVALID_INPUT. For operators. */
export const makeCard = (
  app: App,
  orgId: Uuid,
  person: { readonly phone: string; readonly name: string },
): Promise<NewMemberCard | null> => {
  const phone = phoneIn(app, person.phone, 'phone');
  const name = singleLine(person.name);
  if (name === null) throw invalidInput({ path: 'name', problem: 'is required', arabic: 'الاسم مطلوب' });
  if (Array.from(name).length > MAX_NAME)
    throw invalidInput({
      ...{
        path: 'name',
        problem: `has more than ${MAX_NAME} characters`,
        arabic: `الاسم أطول من ${MAX_NAME} حرفاً`,
      },
    });
  return commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const customer = { orgId, id: app.random.uuid(), phone, name, language: 'ar', now };
    const { id: customerId, isProven } = await customerWith(tx, customer);
    const made = await issueCard(tx, app, { orgId, customerId, isUnproven: !isProven }, now);
    if (made !== null) log.add(orgId, cardChange(made.id));
    return made;
  });
};
