/** The phone of a card changes, once both phones are proven (Decisions 11, Order-now). */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/identity.ts';
import { phoneIn, provenPhones } from '../../identity/app/otp.ts';
import { singleLine } from '../../kernel/free-text.ts';
import { maskPhone, type Phone } from '../../kernel/phone.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { announceOwner } from '../../loyalty/app/announce.ts';
import { liveTokenOfCard } from '../../loyalty/app/card-token.ts';
import { memberOfToken, type Member } from '../../loyalty/app/member.ts';
import { firstWord } from '../../kernel/names.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import { retrying } from '../../platform/app/retrying.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { Database } from '../../platform/store/schema.ts';
import { isLocked, mayNotReplace, pairOf, type Contact, type Person } from '../domain/identity.ts';
import { addIdentityChange, lockPeople, setContact } from '../store/identity.ts';
import { combine } from './combine.ts';

type Reply = ReplyOf<typeof contract.combineCards>;

interface IdentityRequest {
  readonly path: PathOf<typeof contract.combineCards>;
  readonly body: BodyOf<typeof contract.combineCards>;
}

interface Wanted {
  readonly phone: Phone;
  /** Null: unchanged. */
  readonly name: string | null;
}

/** What is decided on: both customers, locked. */
interface Situation {
  readonly tx: Kysely<Database>;
  readonly log: ChangeLog;
  readonly orgId: Member['orgId'];
  /** The card's owner. */
  readonly own: Person;
  /** The customer of the new phone, if it is another. */
  readonly other: Person | null;
  readonly wanted: Wanted;
}

interface Outcome {
  readonly person: Pick<Person, 'id' | 'card'>;
  readonly contact: Contact;
  readonly combined: boolean;
}

type Decision = (app: App, situation: Situation) => Promise<Outcome>;

const wantedIn = (app: App, { new_phone, name = null }: IdentityRequest['body']): Wanted => {
  const phone = phoneIn(app, new_phone, 'new_phone');
  const plain = singleLine(name);
  if (name !== null && plain === null)
    throw invalidInput({ path: 'name', problem: 'has no visible character', arabic: 'الاسم فارغ' });
  return { phone, name: plain };
};

/**
 * Both phones, checked before the reply depends on the card. Once the card has the new phone, the token of its
 * earlier phone proves no more than a phone: so a request whose answer was lost can be repeated.
 */
const requireProofs = (member: Member, wanted: Wanted, proven: readonly (Phone | null)[]): void => {
  const [own = null, fresh = null] = proven;
  const isOwner = member.phone === wanted.phone ? own !== null : own === member.phone;
  if (!isOwner || own === null || fresh !== wanted.phone) throw new Refusal('PHONE_NOT_VERIFIED');
};

/** Throws `ConcurrentChange` where the card or its phone changed after the proofs were checked. */
const attempt = (app: App, member: Member, wanted: Wanted, decide: Decision): Promise<Reply> =>
  commitAndPublish(app, async (tx, log) => {
    const { orgId, customerId } = member;
    const people = await lockPeople(tx, orgId, { ids: [customerId], phone: wanted.phone });
    const own = people.find(({ id }) => id === customerId);
    const other = people.find(({ id }) => id !== customerId) ?? null;
    if (own === undefined || own.phone !== member.phone) throw new ConcurrentChange();
    const { person, contact, combined } = await decide(app, { tx, log, orgId, own, other, wanted });
    const cardId = person.card?.id ?? null;
    return {
      customer_id: person.id,
      phone_hint: maskPhone(contact.phone),
      first_name: firstWord(contact.name),
      combined,
      member_token:
        cardId === null ? null : await liveTokenOfCard(tx, app, log, { orgId, cardId }, app.clock.now()),
    };
  });

/** Decides again on what a concurrent change has left. */
const changeIdentity =
  (app: App, decide: Decision) =>
  async ({ path, body }: IdentityRequest): Promise<Reply> => {
    const wanted = wantedIn(app, body);
    const proven = await provenPhones(app, body.device_token, body.new_phone_device_token);
    return retrying(async () => {
      const member = await memberOfToken(app, path.member_token);
      requireProofs(member, wanted, proven);
      return attempt(app, member, wanted, decide);
    });
  };

/** The card has the phone already: its name may change. */
const corrected = async (
  app: App,
  { tx, log, orgId, own, wanted }: Situation,
  combined: boolean,
): Promise<Outcome> => {
  const now = app.clock.now();
  const contact = { phone: own.phone, name: wanted.name ?? own.name, provenAt: own.provenAt ?? now };
  if (contact.name !== own.name || own.provenAt === null) {
    await setContact(tx, { orgId, customerId: own.id, ...contact }, now);
    if (own.card !== null) await announceOwner(tx, app, log, { orgId, cardId: own.card.id }, now);
  }
  return { person: own, contact, combined };
};

const replace: Decision = async (app, situation) => {
  const { tx, log, orgId, own, other, wanted } = situation;
  const now = app.clock.now();
  if (own.phone === wanted.phone) return corrected(app, situation, false);
  if (isLocked(own, now)) throw new Refusal('IDENTITY_LOCKED_AFTER_MERGE');
  if (other !== null) {
    const canCombine = !isLocked(other, now);
    const refusal = canCombine ? 'PHONE_BELONGS_TO_ANOTHER' : 'PHONE_COMBINED_LATELY';
    throw new Refusal(refusal, {}, { extraFields: { can_combine: canCombine } });
  }
  if (mayNotReplace(own, now)) throw new Refusal('IDENTITY_REPLACE_LIMIT');
  const contact = { phone: wanted.phone, name: wanted.name ?? own.name, provenAt: now };
  await setContact(tx, { orgId, customerId: own.id, ...contact }, now);
  const change = { orgId, id: app.random.uuid(), customerId: own.id, kind: 'replaced' } as const;
  await addIdentityChange(tx, change, now);
  await recordAudit(app, tx, {
    ...{ orgId, at: now, action: 'customer.phone_replaced', subject: 'customer', subjectId: own.id },
  });
  if (own.card !== null) await announceOwner(tx, app, log, { orgId, cardId: own.card.id }, now);
  return { person: own, contact, combined: false };
};

const combineBoth: Decision = async (app, situation) => {
  const { tx, log, orgId, own, other, wanted } = situation;
  const now = app.clock.now();
  // A repeated request, whose answer was lost.
  if (own.phone === wanted.phone && isLocked(own, now)) return corrected(app, situation, true);
  if (own.phone === wanted.phone || other === null) throw new Refusal('NOTHING_TO_COMBINE');
  if (isLocked(own, now) || isLocked(other, now)) throw new Refusal('IDENTITY_LOCKED_AFTER_MERGE');
  const pair = pairOf(own, other);
  const name = wanted.name ?? (own.name === '' ? other.name : own.name);
  const contact = { phone: wanted.phone, name, provenAt: other.provenAt ?? now };
  await combine(tx, app, log, { pair, contact, by: { orgId } });
  return { person: pair.survivor, contact, combined: true };
};

/** POST /public/order-now/{member_token}/replace-identity. */
export const replaceIdentity = (app: App) => changeIdentity(app, replace);

/** POST /public/order-now/{member_token}/combine. */
export const combineCards = (app: App) => changeIdentity(app, combineBoth);
