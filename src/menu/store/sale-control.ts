/** Channel modes and sold-out items. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AvailabilityEntry } from '../domain/availability.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Named } from '../../kernel/names.ts';
import type { ChannelModeUntil, SellableAtBranch } from '../domain/sale-control.ts';
import type { ChannelMode, OnlineChannel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at, instantOf } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

// ── Channels ────────────────────────────────────────────────────────────────────────────────────

/** Locks the row; null: the branch does not offer the channel. */
export const lockChannelMode = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  channel: OnlineChannel,
): Promise<ChannelModeUntil | null> => {
  const { rows } = await sql<ChannelModeUntil>`
    select mode, mode_until as until
    from branch_channel
    where org_id = ${orgId} and branch_id = ${branchId} and channel = ${channel} and enabled
    for update
  `.execute(tx);
  return rows[0] ?? null;
};

export const saveChannelMode = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
  channel: OnlineChannel,
  { mode, until }: ChannelModeUntil,
): Promise<void> => {
  await tx
    .updateTable('branch_channel')
    .set({ mode, mode_until: until === null ? null : at(until) })
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('channel', '=', channel)
    .execute();
};

export interface ExpiredChannelMode {
  readonly branchId: Uuid;
  readonly channel: OnlineChannel;
  readonly mode: ChannelMode;
  readonly until: Instant;
}

/** Resets expired channel modes, at most `limit`, and returns them. Skips rows that are locked. */
export const endExpiredChannelModes = async (
  tx: Db,
  orgId: Uuid,
  now: Instant,
  limit: number,
): Promise<ExpiredChannelMode[]> => {
  const { rows } = await sql<ExpiredChannelMode>`
    with expired as materialized (
      select org_id, branch_id, channel, mode, mode_until
      from branch_channel
      where org_id = ${orgId} and mode_until <= ${at(now)}
      limit ${limit}
      for update skip locked
    )
    update branch_channel c
    set mode = 'auto', mode_until = null
    from expired
    where c.org_id = ${orgId} and c.branch_id = expired.branch_id and c.channel = expired.channel
    returning c.branch_id as "branchId", c.channel, expired.mode, expired.mode_until as until
  `.execute(tx);
  return rows;
};

// ── Sold-out items ──────────────────────────────────────────────────────────────────────────────

export interface SellableKey {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Item, combo or add-on. */
  readonly id: Uuid;
}

interface EntryRow extends Omit<AvailabilityEntry, 'soldOutUntil'> {
  /** Text, from a JSON aggregate. */
  readonly soldOutUntil: string | null;
}

const ENTRIES = sql`json_agg(json_build_object('branchId', a.branch_id, 'channel', a.channel, 'isOn', a.is_on,
                                              'soldOutUntil', a.sold_out_until, 'stock', a.stock))`;

const entriesOf = (rows: readonly EntryRow[]): readonly AvailabilityEntry[] =>
  rows.map((entry) => ({
    ...entry,
    soldOutUntil: entry.soldOutUntil === null ? null : instantOf(entry.soldOutUntil),
  }));

/** Null: unknown or archived. */
export const sellableAtBranch = async (
  db: Db,
  { orgId, branchId, id }: SellableKey,
): Promise<SellableAtBranch | null> => {
  const { rows } = await sql<{ zone: string; isLive: boolean; availability: EntryRow[] }>`
    select b.time_zone as zone, thing.is_active as "isLive",
           coalesce((select ${ENTRIES}
                     from availability a
                     where a.org_id = ${orgId} and a.subject_id = ${id}
                       and (a.branch_id is null or a.branch_id = ${branchId})), '[]') as availability
    from branch b,
         (select is_active from menu_item where org_id = ${orgId} and id = ${id} and archived_at is null
          union all
          select is_active from addon where org_id = ${orgId} and id = ${id} and archived_at is null) thing
    where b.org_id = ${orgId} and b.id = ${branchId}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { branchId, zone: row.zone, isLive: row.isLive, availability: entriesOf(row.availability) };
};

export interface LimitedSellable extends SellableAtBranch, Named {
  readonly id: Uuid;
  readonly kind: 'item' | 'combo' | 'addon';
  /** Units left at the branch; null: not counted. */
  readonly stock: number | null;
}

/** Items, combos and add-ons that were snoozed, switched off or counted, for all channels of the branch or of all branches. */
export const limitedSellables = async (
  db: Db,
  { orgId, branchId }: Omit<SellableKey, 'id'>,
): Promise<LimitedSellable[]> => {
  const { rows } = await sql<
    Omit<LimitedSellable, 'availability' | 'branchId'> & { availability: EntryRow[] }
  >`
    select thing.id, thing.kind, thing.name, thing.name_translations as "nameTranslations",
           b.time_zone as zone, thing.is_active as "isLive",
           coalesce(${ENTRIES} filter (where a.org_id is not null), '[]') as availability,
           max(a.stock) filter (where a.branch_id = ${branchId}) as stock
    from branch b
    cross join (select id, kind, name, name_translations, is_active from menu_item
                where org_id = ${orgId} and archived_at is null
                union all
                select id, 'addon', name, name_translations, is_active from addon
                where org_id = ${orgId} and archived_at is null) thing
    left join availability a on a.org_id = ${orgId} and a.subject_id = thing.id and a.channel is null
                            and (a.branch_id is null or a.branch_id = ${branchId})
    where b.org_id = ${orgId} and b.id = ${branchId} and (a.org_id is not null or not thing.is_active)
    group by thing.id, thing.kind, thing.name, thing.name_translations, b.time_zone, thing.is_active
  `.execute(db);
  return rows.map((row) => ({ ...row, branchId, availability: entriesOf(row.availability) }));
};

/** Locks the entry of the branch, which is made where there is none. */
const lockedStock = async (
  tx: Db,
  { orgId, branchId, id }: SellableKey,
  own: RawBuilder<unknown>,
): Promise<number | null> => {
  for (;;) {
    await sql`
      insert into availability (org_id, subject_id, branch_id, channel)
      values (${orgId}, ${id}, ${branchId}, null)
      on conflict on constraint availability_once do nothing
    `.execute(tx);
    const { rows } = await sql<{ stock: number | null }>`
      select stock from availability where ${own} for update
    `.execute(tx);
    // None: whoever held the entry has deleted it.
    if (rows[0] !== undefined) return rows[0].stock;
  }
};

/** Null: not counted from now on. Returns what it was. */
export const setStock = async (
  tx: Db,
  { orgId, branchId, id }: SellableKey,
  stock: number | null,
): Promise<number | null> => {
  const own = sql`org_id = ${orgId} and subject_id = ${id} and branch_id = ${branchId} and channel is null`;
  const before = await lockedStock(tx, { orgId, branchId, id }, own);
  await sql`update availability set stock = ${stock} where ${own}`.execute(tx);
  await sql`
    delete from availability where ${own} and is_on and sold_out_until is null and stock is null
  `.execute(tx);
  return before;
};

export const channelModes = (
  db: Db,
  { orgId, branchId }: Omit<SellableKey, 'id'>,
): Promise<(ChannelModeUntil & { readonly channel: OnlineChannel })[]> =>
  db
    .selectFrom('branch_channel')
    .select(['channel', 'mode', 'mode_until as until'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('enabled', '=', true)
    .$castTo<ChannelModeUntil & { readonly channel: OnlineChannel }>()
    .execute();

const untilValue = (until: Instant): RawBuilder<Instant> =>
  until === Infinity ? sql<Instant>`'infinity'::timestamptz` : at(until);

/** `until` may be `Infinity`. False: already set. */
export const snooze = async (
  tx: Db,
  { orgId, branchId, id }: SellableKey,
  until: Instant,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into availability (org_id, subject_id, branch_id, channel, sold_out_until)
    values (${orgId}, ${id}, ${branchId}, null, ${untilValue(until)})
    on conflict on constraint availability_once
    do update set sold_out_until = excluded.sold_out_until
    where availability.sold_out_until is distinct from excluded.sold_out_until
    returning 1
  `.execute(tx);
  return rows.length > 0;
};

export interface EndedSnooze {
  readonly branchId: Uuid;
  readonly id: Uuid;
  /** `Infinity`: without end. */
  readonly until: Instant;
}

/** Ends the snoozes that `condition` selects, and deletes rows without other values. */
const endSnoozes = async (tx: Db, orgId: Uuid, condition: RawBuilder<unknown>): Promise<EndedSnooze[]> => {
  const { rows } = await sql<EndedSnooze>`
    with snoozed as materialized (
      select org_id, branch_id, subject_id, sold_out_until, is_on and stock is null as says_nothing_else
      from availability
      where org_id = ${orgId} and channel is null and ${condition}
    ), gone as (
      delete from availability a using snoozed s
      where a.org_id = ${orgId} and a.subject_id = s.subject_id and a.branch_id = s.branch_id and a.channel is null
        and s.says_nothing_else
    ), kept as (
      update availability a set sold_out_until = null from snoozed s
      where a.org_id = ${orgId} and a.subject_id = s.subject_id and a.branch_id = s.branch_id and a.channel is null
        and not s.says_nothing_else
    )
    select branch_id as "branchId", subject_id as id, sold_out_until as until from snoozed
  `.execute(tx);
  return rows;
};

/** False: was not snoozed. */
export const unsnooze = async (tx: Db, { orgId, branchId, id }: SellableKey): Promise<boolean> => {
  const ended = await endSnoozes(
    tx,
    orgId,
    sql`subject_id = ${id} and branch_id = ${branchId} and sold_out_until is not null
        for update`,
  );
  return ended.length > 0;
};

/** At most `limit`; skips rows that are locked. */
export const endExpiredSnoozes = (tx: Db, orgId: Uuid, now: Instant, limit: number): Promise<EndedSnooze[]> =>
  endSnoozes(
    tx,
    orgId,
    sql`sold_out_until <= ${at(now)}
        limit ${limit}
        for update skip locked`,
  );
