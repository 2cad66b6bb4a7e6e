/** Guests of a branch as its devices hold them. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { earliestBusinessDate } from '../../kernel/business-date.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export interface BranchGuest {
  readonly id: Uuid;
  readonly name: string;
  readonly phone: Phone | null;
  /** Null: no card. */
  readonly cardId: Uuid | null;
  readonly points: number;
  readonly visits: number;
}

interface Since {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** Of their last order or sale with a card. */
  readonly since: Instant;
}

const selectGuests = (orgId: Uuid, which: RawBuilder<unknown>): RawBuilder<BranchGuest> => sql<BranchGuest>`
  select c.erased_at is not null or c.merged_into is not null as "isGone", c.id, c.name, c.phone, l.id as "cardId", coalesce(l.points, 0) as points, coalesce(l.visits, 0) as visits
  from customer c
  left join loyalty_card l on l.org_id = ${orgId} and l.customer_id = c.id and l.merged_into is null
  where c.org_id = ${orgId} and ${which}`;

const guestsOf = ({ orgId, branchId, since }: Since): RawBuilder<unknown> => sql`
  select customer_id from delivery_order
  where org_id = ${orgId} and branch_id = ${branchId} and created_at > ${at(since)} and customer_id is not null
  union
  select l.customer_id from sale s
  join loyalty_card c on c.org_id = ${orgId} and c.id = s.card_id
  join loyalty_card l on l.org_id = ${orgId} and l.id = coalesce(c.merged_into, c.id)
  where s.org_id = ${orgId} and s.branch_id = ${branchId} and s.business_date >= ${earliestBusinessDate(since)}::date
    and s.at > ${at(since)}`;

/** By id. */
export const guestsAfter = async (
  db: Db,
  since: Since,
  { after, limit }: { readonly after: Uuid | null; readonly limit: number },
): Promise<readonly BranchGuest[]> => {
  const follows = after === null ? sql`` : sql`and c.id > ${after}`;
  const { rows } = await sql<BranchGuest>`
    ${selectGuests(since.orgId, sql`c.erased_at is null and c.merged_into is null and c.id in (${guestsOf(since)}) ${follows}`)}
    order by c.id limit ${limit}
  `.execute(db);
  return rows;
};

/** What became of a guest: null for one whom devices hold no more. */
export interface GuestChange {
  readonly id: Uuid;
  readonly guest: BranchGuest | null;
}

/** Of these, those who are or were guests of the branch, and those who exist no more. */
export const guestsByIds = async (
  db: Db,
  { orgId, branchId, since }: Since,
  ids: readonly Uuid[],
): Promise<readonly GuestChange[]> => {
  const { rows } = await sql<BranchGuest & { readonly lastAt: Instant | null; readonly isGone: boolean }>`
    select g.*, u."lastAt"
    from (${selectGuests(orgId, sql`c.id = any(${[...ids]}::uuid[])`)}) g
    cross join lateral (
      select greatest(
        (select max(o.created_at) from delivery_order o
         where o.org_id = ${orgId} and o.customer_id = g.id and o.branch_id = ${branchId}),
        (select max(s.at) from loyalty_card l
         join loyalty_card c on c.org_id = ${orgId} and (c.id = l.id or c.merged_into = l.id)
         join sale s on s.org_id = ${orgId} and s.card_id = c.id
         where l.org_id = ${orgId} and l.customer_id = g.id and s.branch_id = ${branchId})) as "lastAt") u
  `.execute(db);
  return rows.flatMap(({ lastAt, isGone, ...guest }): GuestChange[] => {
    if (isGone) return [{ id: guest.id, guest: null }];
    return lastAt === null ? [] : [{ id: guest.id, guest: lastAt > since ? guest : null }];
  });
};

/** The customers of these cards, by card. */
export const customersOfCards = async (
  db: Db,
  orgId: Uuid,
  cardIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, Uuid>> => {
  const { rows } = await sql<{ id: Uuid; customerId: Uuid }>`
    select id, customer_id as "customerId" from loyalty_card
    where org_id = ${orgId} and id = any(${[...cardIds]}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, customerId }) => [id, customerId]));
};
