/** A guest joins a shop's programme, or gets their card again (Decisions 11, Join). */
import type { Kysely } from 'kysely';
import { singleLine } from '../../kernel/free-text.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import { parsePhone, type Phone } from '../../kernel/phone.ts';
import { invalidInput, Refusal, type Fault } from '../../kernel/refusal.ts';
import { NO_PHONE, proofIn, refuseUnproven } from '../../identity/app/otp.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, demandOpen } from '../../platform/app/commit.ts';
import { onceUnder, refuseTakenKey, requestKey, type RequestKey } from '../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { claimKey } from '../../platform/store/idempotency.ts';
import type { Database } from '../../platform/store/schema.ts';
import type * as contract from '../contract/join.ts';
import { isBirthday, type Birthday } from '../domain/birthday.ts';
import type { Mode } from '../domain/programme.ts';
import { nextRewardCost } from '../domain/progress.ts';
import { memberOfCustomer, type Member } from '../store/card.ts';
import { insertCustomer, memberById, provenCustomer } from '../store/member.ts';
import { cardChange, issueCard } from './card.ts';
import { sendCardLink } from './card-messages.ts';
import { liveToken, standingToken } from './card-token.ts';
import { namedShop } from './join-info.ts';
import { cardBrandOf, shopWithProgramme, type ShopWithProgramme } from './programme.ts';
import { passLinksOf } from './wallets/pass-links.ts';

type Body = BodyOf<typeof contract.joinLoyalty>;
type JoinResult = ReplyOf<typeof contract.joinLoyalty>;

interface Input {
  readonly body: Body;
  readonly headers: HeadersOf<typeof contract.joinLoyalty>;
  readonly caller: { readonly client: string; readonly language: Language | null };
}

interface Request {
  readonly shop: ShopWithProgramme;
  readonly orgId: Uuid;
  readonly name: string;
  readonly phone: Phone;
  readonly isProven: boolean;
  /** False: nobody knows whether the phone is proven. */
  readonly isProofHeard: boolean;
  readonly language: Language;
  readonly isLanguageChosen: boolean;
  readonly birthday: Birthday | null;
  readonly client: string;
  readonly key: RequestKey | null;
}

export const NO_NAME = { problem: 'must have a visible character', arabic: 'اكتب الاسم' } as const;
const NO_BIRTHDAY = {
  path: 'birth_day',
  problem: 'and `birth_month` must be given together and be a real day',
  arabic: 'اكتب يوم الميلاد وشهره معًا، وأن يكون يومًا صحيحًا',
} as const;

/** Null: no birthday was given. */
const birthdayIn = ({ birth_month: month, birth_day: day }: Body): Birthday | 'unreal' | null => {
  const isGiven = { month: typeof month === 'number', day: typeof day === 'number' };
  if (!isGiven.month && !isGiven.day) return null;
  const birthday = { month: month ?? 0, day: day ?? 0 };
  return isBirthday(birthday) ? birthday : 'unreal';
};

/** Throws INVALID_INPUT with all faults. */
const readRequest = async (
  app: App,
  shop: ShopWithProgramme,
  { body, caller }: Input,
  key: RequestKey | null,
): Promise<Request> => {
  const name = singleLine(body.name);
  const phone = parsePhone(body.phone, app.phoneCountries);
  const birthday = birthdayIn(body);
  const faults: Fault[] = [];
  if (name === null) faults.push({ path: 'name', ...NO_NAME });
  if (phone === null) faults.push({ path: 'phone', ...NO_PHONE });
  if (birthday === 'unreal') faults.push(NO_BIRTHDAY);
  if (name === null || phone === null || birthday === 'unreal') throw invalidInput(...faults);
  const proof = await proofIn(app, body.device_token);
  const isProven = proof.phone === phone;
  const { programme, brand } = shop;
  return {
    ...{ shop, orgId: brand.orgId, name, phone, isProven, isProofHeard: proof.isHeard },
    ...{ key, client: caller.client },
    language: body.locale ?? caller.language ?? brand.mainLanguage,
    isLanguageChosen: typeof body.locale === 'string',
    birthday: programme.birthday.isEnabled ? birthday : null,
  };
};

const resultOf = (app: App, shop: ShopWithProgramme, name: string) => ({
  ...{ name, balance: 0, mode: shop.programme.mode, brand: cardBrandOf(app, shop) },
  next_reward_cost: nextRewardCost(shop.programme),
  ...{ already_member: true, verify_required: false, card_link_sent: false },
});

/** `generation`: as of a `FaceKey`. */
type JoinedMember = Pick<Member, 'orgId' | 'cardId' | 'name' | Mode> & { readonly generation: number | null };

/** For the holder of the token. */
const memberResult = async (
  tx: Kysely<Database>,
  app: App,
  shop: ShopWithProgramme,
  member: JoinedMember,
  { token, isNew }: { readonly token: string; readonly isNew: boolean },
): Promise<JoinResult> => ({
  ...resultOf(app, shop, member.name),
  balance: member[shop.programme.mode],
  already_member: !isNew,
  member_token: token,
  passes: await passLinksOf(tx, app, { ...member, memberToken: token }),
});

/** Nothing of the profile, the same for a customer with and without a card. */
const verifyResult = (
  app: App,
  shop: ShopWithProgramme,
  typedName: string,
  isLinkSent: boolean,
): JoinResult => ({
  ...resultOf(app, shop, typedName),
  ...{ verify_required: true, card_link_sent: isLinkSent },
});

/** A card that the request made has the customer's key, one that was there before its own. */
const claim = async (
  tx: Parameters<typeof claimKey>[0],
  { key }: Request,
  subjectId: Uuid,
  now: number,
): Promise<void> => {
  if (key !== null) await claimKey(tx, key, { subjectId, bodyHash: key.hash }, now);
};

/** Null: the shop has a customer with the phone. */
const joinUnproven = (app: App, request: Request): Promise<JoinResult | null> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const { orgId, shop } = request;
    const customerId = await insertCustomer(tx, { ...request, id: app.random.uuid() }, now);
    if (customerId === null) return null;
    const made = await issueCard(tx, app, { orgId, customerId, isUnproven: true }, now);
    if (made === null) throw new Error('A new customer has no card.');
    await claim(tx, request, customerId, now);
    log.add(orgId, cardChange(made.id));
    const member = { orgId, cardId: made.id, generation: 1, name: request.name, points: 0, visits: 0 };
    return memberResult(tx, app, shop, member, { token: made.memberToken, isNew: true });
  });

const joinProven = (app: App, request: Request): Promise<JoinResult> =>
  commitAndPublish(app, async (tx, log) => {
    const now = app.clock.now();
    const { orgId, shop } = request;
    await demandOpen(tx, orgId);
    const customerId = await provenCustomer(tx, { ...request, id: app.random.uuid() }, now);
    const made = await issueCard(tx, app, { orgId, customerId, isUnproven: false }, now);
    const member = await memberOfCustomer(tx, orgId, customerId);
    if (member === null) throw new Error('A customer with a phone has one card that counts.');
    await claim(tx, request, made === null ? member.cardId : customerId, now);
    if (made !== null) log.add(orgId, cardChange(made.id));
    const token = made?.memberToken ?? (await liveToken(tx, app, log, member, now));
    // The card has a new generation where its token is new.
    return memberResult(tx, app, shop, { ...member, generation: null }, { token, isNew: made !== null });
  });

/** Whoever may have proven the phone is asked for no other proof, and sent no link. */
const refuseUnheard = ({ isProofHeard }: Request): void => {
  if (!isProofHeard) throw new Refusal('UNAVAILABLE');
};

/**
 * The answer to a repeated request. Without proof its token is given again only while the phone is unproven, as it was
 * then. Throws NOT_FOUND once the card is gone.
 */
const joinedBefore = async (app: App, request: Request, subjectId: Uuid): Promise<JoinResult> => {
  const { orgId, shop, isProven } = request;
  const { kysely } = app.db;
  const own = await memberOfCustomer(kysely, orgId, subjectId);
  const member = own ?? (await memberById(kysely, orgId, subjectId));
  if (member === null || member.phone !== request.phone) throw new Refusal('NOT_FOUND');
  const token = isProven || member.isUnproven ? standingToken(app, member) : null;
  if (token !== null) return memberResult(kysely, app, shop, member, { token, isNew: own !== null });
  if (isProven) return joinProven(app, { ...request, key: null });
  refuseUnheard(request);
  return verifyResult(app, shop, request.name, false);
};

/** Throws LOYALTY_OFF, and PHONE_NOT_VERIFIED before anything is looked up about the phone. */
const refuseJoin = ({ isProven, isProofHeard, shop: { programme } }: Request): void => {
  if (!programme.isEnabled) throw new Refusal('LOYALTY_OFF');
  if (programme.requireOtp && !isProven) refuseUnproven({ isHeard: isProofHeard });
};

/** POST /public/loyalty/join. A request that is answered `verify_required` leaves its key unused. */
export const joinLoyalty =
  (app: App) =>
  async (input: Input): Promise<JoinResult | Repeated<JoinResult>> => {
    const { orgId } = await namedShop(app.db.kysely, input.body);
    const shop = await shopWithProgramme(app.db.kysely, orgId);
    const key = requestKey(orgId, 'join', input.headers['idempotency-key'], input.body);
    const request = await readRequest(app, shop, input, key);
    return onceUnder(
      app,
      key,
      (id) => joinedBefore(app, request, id),
      async () => {
        refuseJoin(request);
        if (request.isProven) return joinProven(app, request);
        const made = await joinUnproven(app, request);
        if (made !== null) return made;
        await refuseTakenKey(app, key);
        refuseUnheard(request);
        return verifyResult(app, shop, request.name, await sendCardLink(app, request));
      },
    );
  };
