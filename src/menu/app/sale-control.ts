/** What staff say of their branch's sale (Decisions 12): a channel is paused or forced open, a thing is sold out or there again. */
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/sale.ts';
import { branchScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  havingAt,
  isSameOverride,
  LEFT_TO_ITS_HOURS,
  overrideIn,
  soldOutUntilIn,
  type Override,
} from '../domain/sale-control.ts';
import { channelOpenAt, type ChannelMode, type OnlineChannel } from '../../shops/domain/shop.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { addAudit, type AuditEntry } from '../../platform/store/audit.ts';
import {
  endLapsedOverrides,
  endLapsedSnoozes,
  lockChannel,
  saveChannel,
  snooze,
  thingAtBranch,
  unsnooze,
} from '../store/sale-control.ts';
import { branchById, isLiveBranch } from '../../shops/store/shop.ts';
import type { App } from '../../platform/app/app.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type { Actor } from '../../staff/app/access.ts';
import { writing } from '../../platform/app/write.ts';

/** A branch at which the actor works, and which still sells: an archived one has orders, and no sale. */
const ownLiveBranch = async (app: Pick<App, 'db'>, actor: Actor, branchId: Uuid): Promise<void> => {
  await ownBranch(app, actor, branchId);
  if (!(await isLiveBranch(app.db.kysely, actor.orgId, branchId))) throw new Refusal('NOT_FOUND');
};

/** What a board is told by: the channels of a branch stand under the branch's own id. */
const changed = (type: 'channel' | 'availability', branchId: Uuid, id: Uuid): Change => ({
  scope: branchScope(branchId),
  type,
  id,
  op: 'upsert',
});

/** An end as it is told; null for what has none. */
const endText = (until: Instant | null): string | null =>
  until === null || until === Infinity ? null : isoInstant(until);

interface Told {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Null: the service itself. */
  readonly by: Pick<Actor, 'staffId' | 'deviceId'> | null;
}

const entryOf = (
  app: Pick<App, 'clock' | 'random'>,
  { orgId, branchId, by }: Told,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'subjectId' | 'detail'>,
): AuditEntry => ({
  ...{ orgId, id: app.random.uuid(), at: app.clock.now(), branchId, ...entry },
  ...{ staffId: by?.staffId ?? null, deviceId: by?.deviceId ?? null },
});

// ── Channels ────────────────────────────────────────────────────────────────────────────────────

const CHANNEL_ACTION: Readonly<Record<ChannelMode, string>> = {
  closed: 'channel.paused',
  open: 'channel.forced_open',
  auto: 'channel.resumed',
};

const channelEntry = (
  app: Pick<App, 'clock' | 'random'>,
  told: Told,
  channel: OnlineChannel,
  { before, after }: { readonly before: Override; readonly after: Override },
): AuditEntry =>
  entryOf(app, told, {
    action: CHANNEL_ACTION[after.mode],
    subject: 'channel',
    subjectId: told.branchId,
    detail: { channel, from: before.mode, to: after.mode, until: endText(after.until) },
  });

/** PUT /staff/branches/{id}/channels/{channel}. */
export const setChannelMode =
  (app: App) =>
  async ({
    path,
    body,
    actor,
  }: {
    readonly path: PathOf<typeof contract.setChannelMode>;
    readonly body: BodyOf<typeof contract.setChannelMode>;
    readonly actor: Actor;
  }): Promise<ReplyOf<typeof contract.setChannelMode>> => {
    const { id: branchId, channel } = path;
    const { orgId } = actor;
    await ownLiveBranch(app, actor, branchId);
    const after = overrideIn(body, app.clock.now());
    return writing(app, orgId, async (tx, note) => {
      const before = await lockChannel(tx, orgId, branchId, channel);
      if (before === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
      if (!isSameOverride(before, after)) {
        await saveChannel(tx, orgId, branchId, channel, after);
        await addAudit(tx, channelEntry(app, { orgId, branchId, by: actor }, channel, { before, after }));
        note(changed('channel', branchId, branchId));
      }
      const branch = await branchById(tx, branchId);
      return {
        branch_id: branchId,
        channel,
        mode: after.mode,
        until: endText(after.until),
        // A branch that is switched off is open for nobody, whatever is forced.
        open_now: branch !== null && channelOpenAt(branch, channel, app.clock.now()),
      };
    });
  };

// ── Things that are sold out ────────────────────────────────────────────────────────────────────

const itemEntry = (
  app: Pick<App, 'clock' | 'random'>,
  told: Told,
  id: Uuid,
  soldOutUntil: Instant | null,
): AuditEntry =>
  entryOf(app, told, {
    action: soldOutUntil === null ? 'item.available' : 'item.snoozed',
    subject: 'item',
    subjectId: id,
    detail: soldOutUntil === null ? {} : { until: endText(soldOutUntil) },
  });

/** PUT /staff/branches/{id}/items/{item_id}/availability. Counted stock stays as it is, so that 0 of it stays sold out. */
export const setAvailability =
  (app: App) =>
  async ({
    path,
    body,
    actor,
  }: {
    readonly path: PathOf<typeof contract.setAvailability>;
    readonly body: BodyOf<typeof contract.setAvailability>;
    readonly actor: Actor;
  }): Promise<ReplyOf<typeof contract.setAvailability>> => {
    const { id: branchId, item_id: id } = path;
    const { orgId } = actor;
    await ownLiveBranch(app, actor, branchId);
    const until = soldOutUntilIn(body, app.clock.now());
    const key = { orgId, branchId, id };
    return writing(app, orgId, async (tx, note) => {
      const missing = new Refusal('ITEM_NOT_FOUND', { menu_item_id: id });
      if ((await thingAtBranch(tx, key)) === null) throw missing;
      const isNew = until === null ? await unsnooze(tx, key) : await snooze(tx, key, until);
      if (isNew) {
        await addAudit(tx, itemEntry(app, { orgId, branchId, by: actor }, id, until));
        note(changed('availability', branchId, id));
      }
      const thing = await thingAtBranch(tx, key);
      if (thing === null) throw missing;
      const { available, backAt } = havingAt(thing, app.clock.now());
      return { branch_id: branchId, item_id: id, available, until: endText(backAt) };
    });
  };

// ── What has run out ────────────────────────────────────────────────────────────────────────────

/** Rows of one transaction: the shop's change counter is not to be held for long. */
const AT_ONCE = 500;

/**
 * Writes down that overrides of a shop have run out, so that boards and the audit log hear of it; whoever reads a channel
 * has left it to its hours since that moment. Each is told once, however many do this. Says whether there may be more.
 */
export const endOverrides = (app: App, orgId: Uuid): Promise<boolean> =>
  writing(app, orgId, async (tx, note) => {
    const lapsed = await endLapsedOverrides(tx, orgId, app.clock.now(), AT_ONCE);
    // A file may give `auto` an end, which ends nothing.
    const resumed = lapsed.filter(({ mode }) => mode !== 'auto');
    await addAudit(
      tx,
      ...resumed.map(({ branchId, channel, mode, until }) =>
        channelEntry(app, { orgId, branchId, by: null }, channel, {
          before: { mode, until },
          after: LEFT_TO_ITS_HOURS,
        }),
      ),
    );
    note(...resumed.map(({ branchId }) => changed('channel', branchId, branchId)));
    return lapsed.length === AT_ONCE;
  });

/** The same of what was sold out until a moment. */
export const endSnoozes = (app: App, orgId: Uuid): Promise<boolean> =>
  writing(app, orgId, async (tx, note) => {
    const ended = await endLapsedSnoozes(tx, orgId, app.clock.now(), AT_ONCE);
    await addAudit(
      tx,
      ...ended.map(({ branchId, id }) => itemEntry(app, { orgId, branchId, by: null }, id, null)),
    );
    note(...ended.map(({ branchId, id }) => changed('availability', branchId, id)));
    return ended.length === AT_ONCE;
  });
