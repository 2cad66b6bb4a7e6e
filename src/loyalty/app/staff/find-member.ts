/** The staff look a member up, and read the ledger (Decisions 11, Staff). */
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import { phoneIn } from '../../../identity/app/otp.ts';
import { normalizedDigits } from '../../../kernel/digit-input.ts';
import type { App } from '../../../platform/app/app.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { branchById } from '../../../shops/app/shared.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { mayAtBranch } from '../../../staff/domain/staff.ts';
import type * as contract from '../../contract/staff-members.ts';
import { memberByCode, type Member } from '../../store/card.ts';
import { entriesOfCard } from '../../store/entry.ts';
import { memberByPhone, standingMember } from '../../store/member.ts';
import { entryReply } from '../card-view.ts';
import { shopWithProgramme } from '../programme.ts';
import { memberReply } from './member-reply.ts';

/** Throws NOT_FOUND for a branch of another shop, or one where the actor does not work. */
export const branchOfActor = async (
  app: Pick<App, 'db'>,
  actor: Actor,
  branchId: string,
): Promise<Branch> => {
  const branch = await branchById(app.db.kysely, branchId.toLowerCase());
  if (branch === null || branch.orgId !== actor.orgId || !mayAtBranch(actor, branch.id))
    throw new Refusal('NOT_FOUND');
  return branch;
};

/** As the till reads it, or as a person types it, who takes O for 0 and I or L for 1: codes have none of these. */
const codeForm = (text: string): string =>
  normalizedDigits(text)
    .replace(/[\s-]+/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

type Query = QueryOf<typeof contract.findLoyaltyMember>;

const NOT_ONE = {
  problem: 'or `phone` is required, and only one of them',
  arabic: 'اكتب code أو phone، لا الاثنين',
} as const;

const memberOf = async (app: App, { orgId }: Actor, { code, phone }: Query): Promise<Member | null> => {
  if ((code === undefined) === (phone === undefined)) throw invalidInput({ path: 'code', ...NOT_ONE });
  const { kysely } = app.db;
  if (phone !== undefined) return memberByPhone(kysely, orgId, phoneIn(app, phone, 'phone'));
  return memberByCode(kysely, orgId, app.tokens.hashOf(codeForm(code ?? '')), app.clock.now());
};

/** GET /staff/loyalty/members. The code of a card that was combined leads to the other card for 90 days. */
export const findLoyaltyMember =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    query: Query;
    actor: Actor;
  }): Promise<ReplyOf<typeof contract.findLoyaltyMember>> => {
    await branchOfActor(app, actor, query.branch_id);
    const member = await memberOf(app, actor, query);
    if (member === null) throw new Refusal('NOT_FOUND');
    const { programme } = await shopWithProgramme(app.db.kysely, actor.orgId);
    return memberReply(member, programme);
  };

const PAGE = 50;

/** GET /staff/loyalty/members/{id}/ledger. */
export const listMemberEntries =
  (app: App) =>
  async ({
    path,
    query,
    actor,
  }: {
    path: PathOf<typeof contract.listMemberEntries>;
    query: QueryOf<typeof contract.listMemberEntries>;
    actor: Actor;
  }): Promise<ReplyOf<typeof contract.listMemberEntries>> => {
    const { kysely } = app.db;
    const member = await standingMember(kysely, actor.orgId, path.id);
    if (member === null) throw new Refusal('NOT_FOUND');
    const page = { limit: query.limit ?? PAGE, before: query.before ?? null };
    const entries = await entriesOfCard(kysely, actor.orgId, member.cardId, page);
    return entries.map((entry) => ({
      ...entryReply(entry),
      staff_id: entry.staffId,
    }));
  };
