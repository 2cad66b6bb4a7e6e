/** The staff take tables, or the whole branch, out of booking for a time. */
import { dayScope, type Change } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { singleLine } from '../../../kernel/free-text.ts';
import { invalidInput, Refusal, type Fault } from '../../../kernel/refusal.ts';
import {
  addDays,
  daysBetween,
  localDateOf,
  MINUTE,
  parseInstant,
  wholeMinute,
  type Instant,
  type LocalDate,
  type Span,
  type ZoneId,
} from '../../../kernel/time.ts';
import type { Repeated } from '../../../platform/app/answer.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish } from '../../../platform/app/commit.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../../platform/contract/endpoint.ts';
import { claimKey } from '../../../platform/store/idempotency.ts';
import { at } from '../../../platform/store/types.ts';
import { tablesOfBranch } from '../../../shops/app/shared.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-blocks.ts';
import { STAFF_BOUNDS } from '../../domain/booking.ts';
import { blockById, insertBlock, liftBlock as lift, type StoredBlock } from '../../store/block.ts';
import { lockDays } from '../../store/claims.ts';
import { inTurn } from '../branch-turns.ts';
import { repairHolds } from '../holds.ts';
import { timeFaults } from '../input.ts';
import { onceUnder, requestKey, type RequestKey } from '../../../platform/app/request-key.ts';
import { readSeating, seatAtChosen } from '../seating.ts';
import { foundOrRefuse, makeRoom } from '../table-assignment.ts';
import { blockReply, type BlockReply } from './block-reply.ts';
import { staffBranch } from './day.ts';
import { ownTables } from './tables.ts';

const NOT_AFTER = {
  problem: 'must be after `starts_at`',
  arabic: 'يجب أن تكون النهاية بعد البداية',
} as const;
const TOO_LONG = {
  problem: `must be at most ${STAFF_BOUNDS.maxBlockDays} days after \`starts_at\``,
  arabic: `يجب ألا تزيد المدة على ${STAFF_BOUNDS.maxBlockDays} يومًا`,
} as const;

/** The service dates whose stays it may meet: a service runs past midnight. */
const datesOf = (zone: ZoneId, { start, end }: Span): readonly LocalDate[] => {
  const [first, last] = [addDays(localDateOf(zone, start), -1), addDays(localDateOf(zone, end), 1)];
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
};

const minuteIn = (text: string): Instant | null => {
  const instant = parseInstant(text);
  return instant === null ? null : wholeMinute(instant);
};

/** Throws INVALID_INPUT. */
const spanIn = ({ starts_at, ends_at }: BodyOf<typeof contract.blockTimes>, now: Instant): Span => {
  const [start, end] = [minuteIn(starts_at), minuteIn(ends_at)];
  const faults: Fault[] = [
    ...timeFaults(start === null ? null : { start, end: end ?? Infinity }, now),
    ...(end === null ? timeFaults(null, now, { path: 'ends_at' }) : []),
  ];
  if (start === null || end === null || faults.length > 0) throw invalidInput(...faults);
  if (end <= start) throw invalidInput({ path: 'ends_at', ...NOT_AFTER });
  if (end - start > STAFF_BOUNDS.maxBlockDays * 24 * 60 * MINUTE)
    throw invalidInput({ path: 'ends_at', ...TOO_LONG });
  return { start, end };
};

/** Of the slots of each date that it may meet. */
const blockChanges = (branch: Branch, block: StoredBlock): readonly Change[] =>
  datesOf(branch.zone, { start: block.starts_at, end: block.ends_at }).map((date) => ({
    ...{ scope: dayScope(branch.id, date), type: 'booking_block', id: block.id, op: 'upsert' },
  }));

const audited = (action: string, { orgId, staffId, deviceId }: Actor, block: StoredBlock) => ({
  ...{ orgId, staffId, deviceId, branchId: block.branch_id, action },
  ...{ subject: 'booking_block', subjectId: block.id },
  detail: {
    ...{ starts_at: new Date(block.starts_at).toISOString(), ends_at: new Date(block.ends_at).toISOString() },
    ...{ tables: block.table_ids.length, reason: block.reason },
  },
});

interface BlockInput {
  readonly body: BodyOf<typeof contract.blockTimes>;
  readonly headers: HeadersOf<typeof contract.blockTimes>;
  readonly actor: Actor;
}

const write = (
  app: App,
  { body, actor }: BlockInput,
  { branch, stay, key }: { readonly branch: Branch; readonly stay: Span; readonly key: RequestKey | null },
): Promise<BlockReply> =>
  commitAndPublish(app, async (tx, log) => {
    const { orgId, id: branchId } = branch;
    const now = app.clock.now();
    const locked = datesOf(branch.zone, stay);
    const id = app.random.uuid();
    await lockDays(tx, orgId, branchId, locked);
    if (key !== null) await claimKey(tx, key, { subjectId: id, bodyHash: key.hash }, now);
    const state = await readSeating(tx, branch, { viewer: 'staff', dates: [], stay }, now);
    const tableIds = ownTables(state, body.table_ids ?? []);
    const seat = foundOrRefuse(app, seatAtChosen(state, { locked, stay }, tableIds));
    const moves = await makeRoom(tx, branch, state, seat, null);
    const block = await insertBlock(tx, {
      ...{ org_id: orgId, id, branch_id: branchId, table_ids: [...tableIds] },
      ...{ starts_at: at(stay.start), ends_at: at(stay.end), created_at: at(now) },
      reason: singleLine(body.reason ?? ''),
    });
    const holds = await repairHolds(app, tx, branch, locked);
    await recordAudit(app, tx, audited('booking_block.created', actor, block));
    log.add(orgId, ...blockChanges(branch, block), ...moves, ...holds);
    return blockReply(block, await tablesOfBranch(tx, orgId, branchId));
  });

/** POST /staff/booking-blocks. */
export const blockTimes =
  (app: App) =>
  async (input: BlockInput): Promise<BlockReply | Repeated<BlockReply>> => {
    const { body, headers, actor } = input;
    const branch = await staffBranch(app, actor, body.branch_id);
    const { orgId } = branch;
    const key = requestKey(orgId, 'booking_block', headers['idempotency-key'], body);
    const viewAgain = async (id: Uuid): Promise<BlockReply> => {
      const block = await blockById(app.db.kysely, orgId, id);
      if (block === null) throw new Refusal('NOT_FOUND');
      return blockReply(block, await tablesOfBranch(app.db.kysely, orgId, branch.id));
    };
    return onceUnder(app, key, viewAgain, () => {
      const stay = spanIn(body, app.clock.now());
      return inTurn(app, branch.id, () => write(app, input, { branch, stay, key }));
    });
  };

interface LiftRequest {
  readonly path: PathOf<typeof contract.liftBlock>;
  readonly actor: Actor;
}

/** POST /staff/booking-blocks/{id}/lift. Frees tables, and so needs no lock of the dates. */
export const liftBlock =
  (app: App) =>
  async ({ path, actor }: LiftRequest): Promise<BlockReply> => {
    const found = await blockById(app.db.kysely, actor.orgId, path.id);
    if (found === null) throw new Refusal('NOT_FOUND');
    const branch = await staffBranch(app, actor, found.branch_id);
    return commitAndPublish(app, async (tx, log) => {
      const lifted = await lift(tx, found, app.clock.now());
      if (lifted !== null) {
        await recordAudit(app, tx, audited('booking_block.lifted', actor, lifted));
        log.add(actor.orgId, ...blockChanges(branch, lifted));
      }
      const block = lifted ?? (await blockById(tx, actor.orgId, found.id)) ?? found;
      return blockReply(block, await tablesOfBranch(tx, actor.orgId, branch.id));
    });
  };
