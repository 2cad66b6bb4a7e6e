/** The staff add to a balance, or take from it, with a reason (Decisions 11, Staff). */
import type { Kysely } from 'kysely';
import { multiLine } from '../../../kernel/free-text.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import { onceUnder, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import type { BodyOf, HeadersOf, PathOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-members.ts';
import type { Mode } from '../../domain/programme.ts';
import type { Member } from '../../store/card.ts';
import { lockedMember, standingMember } from '../../store/member.ts';
import type { Announcing } from '../announce.ts';
import { post } from '../ledger.ts';
import { shopWithProgramme } from '../programme.ts';
import { memberReply } from './member-reply.ts';

type Reply = ReplyOf<typeof contract.adjustLoyaltyMember>;

interface Input {
  readonly path: PathOf<typeof contract.adjustLoyaltyMember>;
  readonly body: BodyOf<typeof contract.adjustLoyaltyMember>;
  readonly headers: HeadersOf<typeof contract.adjustLoyaltyMember>;
  readonly actor: Actor;
}

const NO_NOTE = { path: 'note', problem: 'must have a visible character', arabic: 'اكتب السبب' } as const;
const ZERO = { path: 'amount', problem: 'must not be 0', arabic: 'لا يمكن أن يكون صفرًا' } as const;
const BELOW_ZERO = {
  path: 'amount',
  problem: 'would take the balance below 0',
  arabic: 'الرصيد لا يكفي',
} as const;
const TOO_MUCH = {
  path: 'amount',
  problem: 'would make the balance too large',
  arabic: 'الرصيد كبير جدًا',
} as const;

const replyOf = async (app: App, { orgId }: Actor, cardId: string): Promise<Reply> => {
  const member = await standingMember(app.db.kysely, orgId, cardId);
  if (member === null) throw new Refusal('NOT_FOUND');
  return memberReply(member, (await shopWithProgramme(app.db.kysely, orgId)).programme);
};

/** Locked. A card that is combined with another while it is waited for is looked up once more. */
const lockedMemberOf = async (tx: Kysely<Database>, orgId: Uuid, id: Uuid): Promise<Member | null> => {
  const look = async (): Promise<Member | null> => {
    const found = await standingMember(tx, orgId, id);
    return found && lockedMember(tx, orgId, found.cardId);
  };
  return (await look()) ?? look();
};

interface Adjustment {
  readonly orgId: Uuid;
  readonly cardId: Uuid;
  readonly mode: Mode;
  /** Signed. */
  readonly amount: number;
  readonly note: string;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
}

/** Audited. False: the balance would go below 0, or beyond the highest one. */
export const adjustBalance = async (
  tx: Kysely<Database>,
  app: Announcing & Pick<App, 'clock'>,
  { orgId, cardId, mode, amount, note, staffId, deviceId }: Adjustment,
  log: Pick<ChangeLog, 'add'>,
  now: Instant,
): Promise<boolean> => {
  const id = app.random.uuid();
  const entry = { orgId, id, cardId, mode, reason: 'adjusted', note, staffId } as const;
  const posted = await post(tx, app, log, { ...entry, wanted: amount }, now);
  if (posted?.isPosted !== true) return false;
  await recordAudit(app, tx, {
    ...{ orgId, at: now, staffId, deviceId, action: 'card.adjusted', subject: 'card' },
    ...{ subjectId: cardId, detail: { entry_id: id, mode, amount } },
  });
  return true;
};

const adjust = (app: App, { path, body, actor }: Input, key: RequestKey | null): Promise<void> =>
  commitAndPublish(app, async (tx, log) => {
    const note = multiLine(body.note);
    if (note === null) throw invalidInput(NO_NOTE);
    if (body.amount === 0) throw invalidInput(ZERO);
    const { orgId, staffId, deviceId } = actor;
    const now = app.clock.now();
    const member = await lockedMemberOf(tx, orgId, path.id);
    if (member === null) throw new Refusal('NOT_FOUND');
    const { programme } = await shopWithProgramme(tx, orgId);
    const { mode } = programme;
    const { cardId } = member;
    const adjustment = { orgId, cardId, mode, amount: body.amount, note, staffId, deviceId };
    if (!(await adjustBalance(tx, app, adjustment, log, now)))
      throw invalidInput(body.amount < 0 ? BELOW_ZERO : TOO_MUCH);
    if (key !== null) await claimKey(tx, key, { subjectId: cardId, bodyHash: key.hash }, now);
  });

/** POST /staff/loyalty/members/{id}/adjust. */
export const adjustLoyaltyMember =
  (app: App) =>
  (input: Input): Promise<Reply | Repeated<Reply>> => {
    const { path, body, headers, actor } = input;
    const asked = { ...body, id: path.id };
    const key = requestKey(actor.orgId, 'staff adjust', headers['idempotency-key'], asked);
    const reply = () => replyOf(app, actor, path.id);
    return onceUnder(app, key, reply, async () => {
      await adjust(app, input, key);
      return reply();
    });
  };
