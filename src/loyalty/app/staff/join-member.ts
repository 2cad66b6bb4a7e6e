/** The staff join a guest at the till: the phone stays unproven (Decisions 11, Staff). */
import { singleLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { parsePhone, type Phone } from '../../../kernel/phone.ts';
import { invalidInput, Refusal, type Fault } from '../../../kernel/refusal.ts';
import { NO_PHONE } from '../../../identity/app/otp.ts';
import { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { commitAndPublish, demandOpen } from '../../../platform/app/commit.ts';
import { onceUnder, refuseTakenKey, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-members.ts';
import { customerWith, memberOfCustomer, type Member } from '../../store/card.ts';
import { standingMember, wasLinkSent } from '../../store/member.ts';
import { cardChange, issueCard } from '../card.ts';
import { sendCardLink } from '../card-messages.ts';
import { NO_NAME } from '../join.ts';
import { shopWithProgramme, type ShopWithProgramme } from '../programme.ts';
import { branchOfActor } from './find-member.ts';
import { memberReply } from './member-reply.ts';

type Body = BodyOf<typeof contract.joinLoyaltyMember>;
type Reply = ReplyOf<typeof contract.joinLoyaltyMember>;

interface Input {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.joinLoyaltyMember>;
  readonly actor: Actor;
}

interface Guest {
  readonly name: string;
  readonly phone: Phone;
}

/** Throws INVALID_INPUT with all faults. */
const guestIn = (app: App, body: Body): Guest => {
  const name = singleLine(body.name);
  const phone = parsePhone(body.phone, app.phoneCountries);
  const faults: Fault[] = [];
  if (name === null) faults.push({ path: 'name', ...NO_NAME });
  if (phone === null) faults.push({ path: 'phone', ...NO_PHONE });
  if (name === null || phone === null) throw invalidInput(...faults);
  return { name, phone };
};

interface Joined {
  readonly member: Member;
  readonly isNew: boolean;
}

interface Joining {
  readonly actor: Actor;
  readonly branchId: Uuid;
  readonly guest: Guest;
  readonly shop: ShopWithProgramme;
  readonly key: RequestKey | null;
}

const joinAtTill = (app: App, { actor, branchId, guest, shop, key }: Joining): Promise<Joined> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const { orgId, staffId, deviceId } = actor;
    await demandOpen(tx, orgId);
    const language = shop.brand.mainLanguage;
    const joining = { orgId, id: app.random.uuid(), ...guest, language, now };
    const { id: customerId, isProven } = await customerWith(tx, joining);
    const by = { staffId, deviceId, branchId };
    const made = await issueCard(tx, app, { orgId, customerId, isUnproven: !isProven, ...by }, now);
    const member = await memberOfCustomer(tx, orgId, customerId);
    if (member === null) throw new Error('A customer with a phone has one card that counts.');
    if (key !== null && made !== null)
      await claimKey(tx, key, { subjectId: member.cardId, bodyHash: key.hash }, now);
    if (made !== null) log.add(orgId, cardChange(made.id));
    return { member, isNew: made !== null };
  });

/** POST /staff/loyalty/members. */
export const joinLoyaltyMember =
  (app: App) =>
  async ({ body, headers, actor }: Input): Promise<Reply | Repeated<Reply>> => {
    const { id: branchId } = await branchOfActor(app, actor, body.branch_id);
    const shop = await shopWithProgramme(app.db.kysely, actor.orgId);
    const key = requestKey(actor.orgId, 'staff join', headers['idempotency-key'], body);
    const guest = guestIn(app, body);
    const again = async (id: Uuid): Promise<Reply> => {
      const member = await standingMember(app.db.kysely, actor.orgId, id);
      if (member === null) throw new Refusal('NOT_FOUND');
      const card_link_sent = await wasLinkSent(app.db.kysely, member);
      return { ...memberReply(member, shop.programme), already_member: false, card_link_sent };
    };
    const reply = await onceUnder(app, key, again, async () => {
      if (!shop.programme.isEnabled) throw new Refusal('LOYALTY_OFF');
      const { member, isNew } = await joinAtTill(app, { actor, branchId, guest, shop, key });
      if (!isNew) await refuseTakenKey(app, key);
      const link = { orgId: actor.orgId, phone: guest.phone, client: null };
      return {
        ...memberReply(member, shop.programme),
        already_member: !isNew,
        card_link_sent: isNew && (await sendCardLink(app, link)),
      };
    });
    return reply instanceof Repeated || !reply.already_member ? reply : new Repeated(reply);
  };
