/** Rows that leave the devices of a branch by the clock. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { addMinutes, type Instant, type Span } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

// ── Departures ──────────────────────────────────────────────────────────────────────────────────

/** Until when the log tells of departures. `until`: where it begins. */
export const beginFeedClock = async (db: Db, until: Instant): Promise<Instant> => {
  await sql`insert into feed_clock (until) values (${at(until)}) on conflict do nothing`.execute(db);
  const row = await db.selectFrom('feed_clock').select('until').executeTakeFirstOrThrow();
  return row.until;
};

/** Those of the span are told of. Another process may have told of them as well, and of more. */
export const setFeedClock = async (db: Db, { start, end }: Span): Promise<void> => {
  await db
    .updateTable('feed_clock')
    .set({ until: at(end) })
    .where('until', '=', at(start))
    .execute();
};

interface Departed {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

/** Of rows that leave the devices `minutes` after something; `span`: when they left, without its start. */
type Departures = (db: Db, span: Span, minutes: number) => Promise<readonly Departed[]>;

const within = (
  column: RawBuilder<unknown>,
  { start, end }: Span,
  minutes: number,
): RawBuilder<unknown> => sql`
  ${column} > ${at(addMinutes(start, -minutes))} and ${column} <= ${at(addMinutes(end, -minutes))}`;

const departures =
  (query: (span: Span, minutes: number) => RawBuilder<Departed>): Departures =>
  async (db, span, minutes) =>
    (await query(span, minutes).execute(db)).rows;

/** Sales, by their time, or by the close of their till where that was later. */
export const departedSales = departures(
  (span, minutes) => sql`
    select s.org_id as "orgId", s.id from sale s
    where ${within(sql`s.at`, span, minutes)}
      and not exists (select from till t where t.org_id = s.org_id and t.id = s.till_id and t.status = 'open')
    union
    select s.org_id, s.id
    from till t join sale s on s.org_id = t.org_id and s.till_id = t.id
    where ${within(sql`t.closed_at`, span, 0)} and s.at <= ${at(addMinutes(span.end, -minutes))}`,
);

export const departedTills = departures(
  (span, minutes) => sql`
    select org_id as "orgId", id from till where ${within(sql`closed_at`, span, minutes)}`,
);

/** That nobody has made. */
export const departedKitchenTickets = departures(
  (span, minutes) => sql`
    select org_id as "orgId", id from kitchen_ticket
    where ${within(sql`fired_at`, span, minutes)} and done_at is null`,
);

/** Longer than any booking, so that the index on the start of confirmed ones is of use. */
const LONGEST_MINUTES = 24 * 60;

/** That nobody has ended. */
export const departedBookings = departures(
  (span, minutes) => sql`
    select org_id as "orgId", id from booking
    where status = 'seated' and ${within(sql`ends_at`, span, minutes)}
    union all
    select org_id, id from booking
    where status = 'confirmed' and ${within(sql`ends_at`, span, minutes)}
      and starts_at > ${at(addMinutes(span.start, -minutes - LONGEST_MINUTES))}
      and starts_at <= ${at(addMinutes(span.end, -minutes))}`,
);

/** Who ordered, or bought with a card, and maybe not since. */
export const departedGuests = departures(
  (span, minutes) => sql`
    select org_id as "orgId", customer_id as id from delivery_order
    where ${within(sql`created_at`, span, minutes)} and customer_id is not null
    union
    select s.org_id, l.customer_id
    from sale s
    join loyalty_card c on c.org_id = s.org_id and c.id = s.card_id
    join loyalty_card l on l.org_id = c.org_id and l.id = coalesce(c.merged_into, c.id)
    where ${within(sql`s.at`, span, minutes)}`,
);
