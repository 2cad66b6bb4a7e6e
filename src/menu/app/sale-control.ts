/** Staff pause or open channels and mark items as sold out (Decisions 12). */
import type { BodyOf, PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/sale.ts';
import { branchScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { byName } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  availabilityAtBranch,
  isSameChannelMode,
  AUTO_MODE,
  parseChannelMode,
  parseSoldOutUntil,
  type ChannelModeUntil,
} from '../domain/sale-control.ts';
import {
  channelOpenAt,
  channelOpensAt,
  type ChannelMode,
  type OnlineChannel,
} from '../../shops/domain/shop.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { recordAudit, type AuditEvent } from '../../platform/app/audit.ts';
import {
  channelModes,
  endExpiredChannelModes,
  endExpiredSnoozes,
  limitedSellables,
  lockChannelMode,
  saveChannelMode,
  setStock as storeStock,
  snooze,
  sellableAtBranch,
  unsnooze,
} from '../store/sale-control.ts';
import { branchById, isLiveBranch } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type { Actor } from '../../staff/app/access.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';

/** Archived branches still have orders but no sale. Throws NOT_FOUND. */
const ownLiveBranch = async (app: Pick<App, 'db'>, actor: Actor, branchId: Uuid): Promise<void> => {
  await ownBranch(app, actor, branchId);
  if (!(await isLiveBranch(app.db.kysely, actor.orgId, branchId))) throw new Refusal('NOT_FOUND');
};

/** Channels use the branch's id as their subject. */
const changed = (type: 'channel' | 'availability', branchId: Uuid, id: Uuid): Change => ({
  scope: branchScope(branchId),
  type,
  id,
  op: 'upsert',
});

/** Null: no end. */
const isoEnd = (until: Instant | null): string | null =>
  until === null || until === Infinity ? null : isoInstant(until);

interface AuditContext {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Null: the service. */
  readonly by: Pick<Actor, 'staffId' | 'deviceId'> | null;
}

const eventOf = (
  { orgId, branchId, by }: AuditContext,
  entry: Pick<AuditEvent, 'action' | 'subject' | 'subjectId' | 'detail'>,
): AuditEvent => ({
  ...{ orgId, branchId, ...entry },
  ...{ staffId: by?.staffId ?? null, deviceId: by?.deviceId ?? null },
});

// ── Channels ────────────────────────────────────────────────────────────────────────────────────

const CHANNEL_ACTION: Readonly<Record<ChannelMode, string>> = {
  closed: 'channel.paused',
  open: 'channel.forced_open',
  auto: 'channel.resumed',
};

const channelEvent = (
  context: AuditContext,
  channel: OnlineChannel,
  { before, after }: { readonly before: ChannelModeUntil; readonly after: ChannelModeUntil },
): AuditEvent =>
  eventOf(context, {
    action: CHANNEL_ACTION[after.mode],
    subject: 'channel',
    subjectId: context.branchId,
    detail: { channel, from: before.mode, to: after.mode, until: isoEnd(after.until) },
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
    const after = parseChannelMode(body, app.clock.now());
    return commitAndPublish(app, async (tx, log) => {
      const before = await lockChannelMode(tx, orgId, branchId, channel);
      if (before === null) throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
      if (!isSameChannelMode(before, after)) {
        await saveChannelMode(tx, orgId, branchId, channel, after);
        await recordAudit(app, tx, channelEvent({ orgId, branchId, by: actor }, channel, { before, after }));
        log.add(orgId, changed('channel', branchId, branchId));
      }
      const branch = await branchById(tx, branchId);
      return {
        branch_id: branchId,
        channel,
        mode: after.mode,
        until: isoEnd(after.until),
        // A switched-off branch is closed even if the channel is forced open.
        open_now: branch !== null && channelOpenAt(branch, channel, app.clock.now()),
      };
    });
  };

// ── Sold-out items ──────────────────────────────────────────────────────────────────────────────

const itemEvent = (context: AuditContext, id: Uuid, soldOutUntil: Instant | null): AuditEvent =>
  eventOf(context, {
    action: soldOutUntil === null ? 'item.available' : 'item.snoozed',
    subject: 'item',
    subjectId: id,
    detail: soldOutUntil === null ? {} : { until: isoEnd(soldOutUntil) },
  });

/**
 * PUT /staff/branches/{id}/items/{item_id}/availability. Counted stock is unchanged, so an item with no stock
 * stays sold out.
 */
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
    const until = parseSoldOutUntil(body, app.clock.now());
    const key = { orgId, branchId, id };
    return commitAndPublish(app, async (tx, log) => {
      const missing = new Refusal('ITEM_NOT_FOUND', { menu_item_id: id });
      if ((await sellableAtBranch(tx, key)) === null) throw missing;
      const isNew = until === null ? await unsnooze(tx, key) : await snooze(tx, key, until);
      if (isNew) {
        await recordAudit(app, tx, itemEvent({ orgId, branchId, by: actor }, id, until));
        log.add(orgId, changed('availability', branchId, id));
      }
      const item = await sellableAtBranch(tx, key);
      if (item === null) throw missing;
      const { available, backAt } = availabilityAtBranch(item, app.clock.now());
      return { branch_id: branchId, item_id: id, available, until: isoEnd(backAt) };
    });
  };

/** PUT /staff/branches/{id}/items/{item_id}/stock. */
export const setStock =
  (app: App) =>
  async ({
    path,
    body,
    actor,
  }: {
    readonly path: PathOf<typeof contract.setStock>;
    readonly body: BodyOf<typeof contract.setStock>;
    readonly actor: Actor;
  }): Promise<ReplyOf<typeof contract.setStock>> => {
    const { id: branchId, item_id: id } = path;
    const { orgId } = actor;
    await ownLiveBranch(app, actor, branchId);
    const key = { orgId, branchId, id };
    return commitAndPublish(app, async (tx, log) => {
      const missing = new Refusal('ITEM_NOT_FOUND', { menu_item_id: id });
      if ((await sellableAtBranch(tx, key)) === null) throw missing;
      const before = await storeStock(tx, key, body.stock);
      if (before !== body.stock) {
        const detail = { from: before, to: body.stock };
        const entry = { action: 'item.stock_set', subject: 'item', subjectId: id, detail } as const;
        await recordAudit(app, tx, eventOf({ orgId, branchId, by: actor }, entry));
        log.add(orgId, changed('availability', branchId, id));
      }
      const item = await sellableAtBranch(tx, key);
      if (item === null) throw missing;
      const { available, backAt } = availabilityAtBranch(item, app.clock.now());
      return { branch_id: branchId, item_id: id, stock: body.stock, available, until: isoEnd(backAt) };
    });
  };

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────

/** GET /staff/branches/{id}/sale. */
export const getBranchSale =
  (app: App) =>
  async ({
    path: { id: branchId },
    actor,
  }: {
    readonly path: PathOf<typeof contract.getBranchSale>;
    readonly actor: Actor;
  }): Promise<ReplyOf<typeof contract.getBranchSale>> => {
    await ownLiveBranch(app, actor, branchId);
    const at = { orgId: actor.orgId, branchId };
    const now = app.clock.now();
    return app.db.snapshot(async (tx) => {
      const branch = await branchById(tx, branchId);
      const modes = await channelModes(tx, at);
      const limited = await limitedSellables(tx, at);
      return {
        branch_id: branchId,
        channels: modes.map(({ channel, mode, until }) => {
          const isPast = until !== null && until <= now;
          const isOpen = branch !== null && channelOpenAt(branch, channel, now);
          const opensAt = branch === null || isOpen ? null : channelOpensAt(branch, channel, now);
          return {
            ...{ channel, mode: isPast ? 'auto' : mode, until: isPast ? null : isoEnd(until) },
            ...{ open_now: isOpen, opens_at: isoEnd(opensAt) },
          };
        }),
        items: limited.sort(byName).flatMap((item) => {
          const { available, backAt } = availabilityAtBranch(item, now);
          const { id, kind, name, nameTranslations, stock } = item;
          if (available && stock === null) return [];
          return {
            ...{ item_id: id, kind, name, name_translations: nameTranslations },
            ...{ available, until: isoEnd(backAt), stock },
          };
        }),
      };
    });
  };

// ── Expiry ──────────────────────────────────────────────────────────────────────────────────────

/** Bounds how long a transaction holds the shop's change counter. */
const BATCH_SIZE = 500;

/**
 * Resets expired channel modes to `auto` for boards and the audit log; reads already ignore them. Concurrent calls
 * record each once. True: call again.
 */
export const endChannelModes = (app: App, orgId: Uuid): Promise<boolean> =>
  commitAndPublish(app, async (tx, log) => {
    const expired = await endExpiredChannelModes(tx, orgId, app.clock.now(), BATCH_SIZE);
    // A shop file may set an end on `auto`: the mode does not change then.
    const resumed = expired.filter(({ mode }) => mode !== 'auto');
    await recordAudit(
      app,
      tx,
      ...resumed.map(({ branchId, channel, mode, until }) =>
        channelEvent({ orgId, branchId, by: null }, channel, {
          before: { mode, until },
          after: AUTO_MODE,
        }),
      ),
    );
    log.add(orgId, ...resumed.map(({ branchId }) => changed('channel', branchId, branchId)));
    return expired.length === BATCH_SIZE;
  });

/** As `endChannelModes`, for sold-out items. */
export const endSnoozes = (app: App, orgId: Uuid): Promise<boolean> =>
  commitAndPublish(app, async (tx, log) => {
    const ended = await endExpiredSnoozes(tx, orgId, app.clock.now(), BATCH_SIZE);
    await recordAudit(
      app,
      tx,
      ...ended.map(({ branchId, id }) => itemEvent({ orgId, branchId, by: null }, id, null)),
    );
    log.add(orgId, ...ended.map(({ branchId, id }) => changed('availability', branchId, id)));
    return ended.length === BATCH_SIZE;
  });
