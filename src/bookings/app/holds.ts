/** A start kept for a guest for five minutes, while they type and prove their phone. */
import type { Kysely } from 'kysely';
import { dayScope, type Change } from '../../kernel/change.ts';
import { refusedFor } from '../../kernel/refusal.ts';
import { addMinutes, isoInstant, parseInstant, type LocalDate } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type * as contract from '../contract/holds.ts';
import { lockDays } from '../store/claims.ts';
import { deleteHold, deleteHoldsOf, holdByToken, insertHold, type StoredHold } from '../store/hold.ts';
import { inTurn } from './branch-turns.ts';
import { bookableBranch } from './branch-rules.ts';
import { datesToLock, readSeating, reseatHolds } from './seating.ts';
import { makeRoom, seatOrRefuse } from './table-assignment.ts';
import { stayRequestOf, type StayRequest } from './stay-request.ts';

type Tx = Kysely<Database>;
type HoldReply = ReplyOf<typeof contract.holdStart>;

const HOLD_MINUTES = 5;

const holdChange = (
  hold: Pick<StoredHold, 'branch_id' | 'service_date' | 'id'>,
  op: Change['op'],
): Change => ({
  ...{ scope: dayScope(hold.branch_id, hold.service_date), type: 'booking_hold', id: hold.id, op },
});

/** The hold in force at the branch; null: there is none any more. */
export const holdOf = async (
  app: App,
  tx: Tx,
  branch: Branch,
  token: string | null | undefined,
): Promise<StoredHold | null> => {
  if (typeof token !== 'string') return null;
  const hold = await holdByToken(tx, branch.orgId, app.tokens.hashOf(token), app.clock.now());
  return hold?.branch_id === branch.id ? hold : null;
};

/** Returns the changes. */
export const endHold = async (tx: Tx, hold: StoredHold): Promise<readonly Change[]> => {
  await deleteHold(tx, hold.org_id, hold.id);
  return [holdChange(hold, 'delete')];
};

interface HoldRequest {
  readonly branch: Branch;
  readonly requested: StayRequest;
  /** Of the client's address; no address is stored. */
  readonly clientHash: Buffer;
  /** Of the device's hold before. */
  readonly formerHash: Buffer | null;
}

const PURPOSE = 'booking hold';

const writeHold = async (
  app: App,
  { tx, log }: { tx: Tx; log: ChangeLog },
  { branch, requested, clientHash, formerHash }: HoldRequest,
): Promise<HoldReply> => {
  const { orgId, id: branchId } = branch;
  const now = app.clock.now();
  await lockDays(tx, orgId, branchId, datesToLock(requested.date));
  const former = await deleteHoldsOf(tx, orgId, { clientHash, tokenHash: formerHash });
  const { state, seat, date, stay } = await seatOrRefuse(app, tx, branch, requested, now);
  const moves = await makeRoom(tx, branch, state, seat, null);
  const token = app.tokens.make('hold');
  const hold = await insertHold(tx, {
    ...{ org_id: orgId, id: app.random.uuid(), branch_id: branchId, service_date: date },
    ...{ party_size: requested.partySize, starts_at: at(stay.start), ends_at: at(stay.end) },
    ...{ table_ids: [...seat.tableIds], token_hash: app.tokens.hashOf(token), client_hash: clientHash },
    expires_at: at(addMinutes(now, HOLD_MINUTES)),
  });
  log.add(orgId, ...former.map((each) => holdChange(each, 'delete')), ...moves, holdChange(hold, 'upsert'));
  return {
    ...{ hold_token: token, branch_id: branchId, party_size: requested.partySize },
    ...{ starts_at: isoInstant(stay.start), ends_at: isoInstant(stay.end) },
    expires_at: isoInstant(hold.expires_at),
    expires_in_seconds: Math.floor((hold.expires_at - now) / 1000),
  };
};

interface Input {
  readonly path: PathOf<typeof contract.holdStart>;
  readonly body: BodyOf<typeof contract.holdStart>;
  readonly caller: { readonly client: string };
}

/** POST /public/branches/{id}/booking-holds. Replaces the hold of the device and of its address at the shop. */
export const holdStart =
  (app: App) =>
  async ({ path, body, caller }: Input): Promise<HoldReply> => {
    const branch = await bookableBranch(app, path.id);
    const asked = { startsAt: parseInstant(body.starts_at), partySize: body.party_size };
    const read = stayRequestOf(branch, asked, app.clock.now());
    if ('faults' in read) throw refusedFor(read.faults);
    const request: HoldRequest = {
      ...{ branch, requested: read.requested, clientHash: app.tokens.keyedHash(PURPOSE, caller.client) },
      formerHash: typeof body.hold_token === 'string' ? app.tokens.hashOf(body.hold_token) : null,
    };
    return inTurn(app, branch.id, () =>
      commitAndPublish(app, (tx, log) => writeHold(app, { tx, log }, request)),
    );
  };

interface Release {
  readonly path: PathOf<typeof contract.releaseHold>;
  readonly body: BodyOf<typeof contract.releaseHold>;
}

/** POST /public/branches/{id}/booking-holds/release. Throws NOT_FOUND, also where bookings are off. */
export const releaseHold =
  (app: App) =>
  async ({ path, body }: Release): Promise<ReplyOf<typeof contract.releaseHold>> => {
    const branch = await bookableBranch(app, path.id);
    return inTurn(app, branch.id, () =>
      commitAndPublish(app, async (tx, log) => {
        const hold = await holdOf(app, tx, branch, body.hold_token);
        if (hold === null) return { released: false };
        await lockDays(tx, branch.orgId, branch.id, datesToLock(hold.service_date));
        log.add(branch.orgId, ...(await endHold(tx, hold)));
        return { released: true };
      }),
    );
  };

// ── After the staff took tables ─────────────────────────────────────────────────────────────────

/**
 * The staff assign tables as if there were no holds: a hold that lost its tables gets others, or ends. Returns the
 * changes.
 */
export const repairHolds = async (
  app: App,
  tx: Tx,
  branch: Branch,
  locked: readonly LocalDate[],
): Promise<readonly Change[]> => {
  const view = { viewer: 'guest', dates: locked } as const;
  const state = await readSeating(tx, branch, view, app.clock.now());
  const { seat, ended } = reseatHolds(state, locked);
  const moves = await makeRoom(tx, branch, state, seat, null);
  for (const { id } of ended) await deleteHold(tx, branch.orgId, id);
  const changed = ended.map(({ id, serviceDate }) => ({
    ...{ branch_id: branch.id, service_date: serviceDate, id },
  }));
  return [...moves, ...changed.map((each) => holdChange(each, 'delete'))];
};
