/** The kitchen's board (Decisions 12, Kitchen). */
import type { Kysely } from 'kysely';
import type { Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { addMinutes, isoInstant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/kitchen.ts';
import { MINUTES_ON_BOARD } from '../domain/firing.ts';
import {
  bumpLines,
  kitchenTicketById,
  kitchenTicketsAt,
  lockTicket,
  stationsAt,
  type StoredKitchenTicket,
} from '../store/ticket.ts';
import { kitchenChange } from './fire.ts';
import { kitchenReply, totalsOf, type KitchenReply } from './kitchen-reply.ts';

type Tx = Kysely<Database>;

/** What later topics do when the kitchen has made, or recalled, what they fired. */
export interface KitchenSources {
  /** Changes of the dine-in tickets that the lines are on. */
  readonly ticketChanges: (tx: Tx, orgId: Uuid, lineIds: readonly Uuid[]) => Promise<readonly Change[]>;
  /** Locks an order, whose row is locked before those of the kitchen. */
  readonly lockOrder: (tx: Tx, orgId: Uuid, orderId: Uuid) => Promise<void>;
  /** Moves an order, of which all is made, to `ready` where the branch wants it. */
  readonly orderMade: (tx: Tx, log: ChangeLog, orderId: Uuid, by: Actor) => Promise<void>;
}

export interface KitchenParts {
  readonly app: App;
  readonly sources: KitchenSources;
}

const NO_STATION_HERE = {
  problem: 'is no station of this branch',
  arabic: 'ليست محطة من محطات هذا الفرع',
} as const;

const NO_TICKET_HERE = {
  problem: 'is no kitchen ticket of this branch',
  arabic: 'ليست تذكرة من مطبخ هذا الفرع',
} as const;

/** GET /staff/kitchen. */
export const getKitchen =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    readonly query: QueryOf<typeof contract.getKitchen>;
    readonly actor: Actor;
  }): Promise<ReplyOf<typeof contract.getKitchen>> => {
    const { branch_id: branchId, station = null, status = 'open', source_id: sourceId = null } = query;
    const { limit = MAX_LISTED, after = null } = query;
    const { orgId } = actor;
    await ownBranch(app, actor, branchId);
    return app.db.snapshot(async (tx) => {
      const now = app.clock.now();
      const stations = await stationsAt(tx, orgId, branchId);
      if (station !== null && stations.every(({ id }) => id !== station))
        throw invalidInput({ path: 'station', ...NO_STATION_HERE });
      const last = after === null ? null : await kitchenTicketById(tx, orgId, after);
      if (after !== null && last?.branchId !== branchId)
        throw invalidInput({ path: 'after', ...NO_TICKET_HERE });
      const since = addMinutes(now, -MINUTES_ON_BOARD);
      const listing = {
        branchId,
        stationId: station,
        isDone: status === 'done',
        since,
        sourceId,
        limit,
        after,
      };
      const tickets = await kitchenTicketsAt(tx, orgId, listing);
      return {
        as_of: isoInstant(now),
        stations: stations.map(({ id, name }) => ({ id, name })),
        tickets: tickets.map(kitchenReply),
        totals: totalsOf(tickets),
      };
    });
  };

const NO_ITEM_HERE = { problem: 'is no item of this ticket', arabic: 'ليس صنفاً في هذه التذكرة' } as const;

/** Null: all. Throws INVALID_INPUT. */
const namedLines = ({ lines }: StoredKitchenTicket, named: readonly string[] | undefined): Uuid[] | null => {
  const ids = named?.map((id) => id.toLowerCase()) ?? null;
  const unknown = (ids ?? []).flatMap((id, index) =>
    lines.some((line) => line.id === id) ? [] : [{ path: `item_ids[${index}]`, ...NO_ITEM_HERE }],
  );
  if (unknown.length > 0) throw invalidInput(...unknown);
  return ids;
};

/** Of one shop and a branch of the actor. Throws NOT_FOUND. */
const ownKitchenTicket = async (tx: Tx, actor: Actor, id: Uuid): Promise<StoredKitchenTicket> => {
  const found = await kitchenTicketById(tx, actor.orgId, id);
  if (found === null || !mayAtBranch(actor, found.branchId)) throw new Refusal('NOT_FOUND');
  return found;
};

interface BumpRequest {
  readonly path: PathOf<typeof contract.bumpKitchenTicket>;
  readonly body: BodyOf<typeof contract.bumpKitchenTicket>;
  readonly actor: Actor;
}

/** The dine-in tickets and the order that were fired follow. */
const moveSource = async (
  { sources }: KitchenParts,
  tx: Tx,
  log: ChangeLog,
  { orgId, source, sourceId, lines }: StoredKitchenTicket,
  { isBumped, actor }: { readonly isBumped: boolean; readonly actor: Actor },
): Promise<void> => {
  if (source === 'order' && isBumped) await sources.orderMade(tx, log, sourceId, actor);
  if (source !== 'ticket') return;
  const lineIds = lines.flatMap(({ lineId }) => (lineId === null ? [] : [lineId]));
  log.add(orgId, ...(await sources.ticketChanges(tx, orgId, lineIds)));
};

const bumping =
  (parts: KitchenParts, isBumped: boolean) =>
  ({ path, body, actor }: BumpRequest): Promise<KitchenReply> => {
    const { app, sources } = parts;
    const { orgId, staffId, deviceId } = actor;
    return commitAndPublish(app, async (tx, log) => {
      const before = await ownKitchenTicket(tx, actor, path.id);
      const { id, branchId } = before;
      const lineIds = namedLines(before, body.item_ids);
      if (before.source === 'order') await sources.lockOrder(tx, orgId, before.sourceId);
      await lockTicket(tx, orgId, id);
      const now = app.clock.now();
      const changed = await bumpLines(tx, orgId, { ticketIds: [id], lineIds, by: staffId, isBumped }, now);
      if (changed.length === 0) return kitchenReply(await ownKitchenTicket(tx, actor, id));
      await moveSource(parts, tx, log, before, { isBumped, actor });
      await recordAudit(app, tx, {
        ...{
          orgId,
          staffId,
          deviceId,
          branchId,
          at: now,
          action: isBumped ? 'kitchen.bumped' : 'kitchen.recalled',
        },
        ...{ subject: 'kitchen_ticket', subjectId: id, detail: { item_ids: lineIds } },
      });
      log.add(orgId, kitchenChange(branchId, id));
      return kitchenReply(await ownKitchenTicket(tx, actor, id));
    });
  };

/** POST /staff/kitchen/{id}/bump. What is bumped stays bumped. */
export const bumpKitchenTicket = (parts: KitchenParts) => bumping(parts, true);

/** POST /staff/kitchen/{id}/recall. */
export const recallKitchenTicket = (parts: KitchenParts) => bumping(parts, false);
