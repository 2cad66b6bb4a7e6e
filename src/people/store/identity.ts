/** Customers whose identity changes, and what of them changes. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { isDuplicateOf } from '../../platform/store/duplicate.ts';
import { at, instantOf } from '../../platform/store/types.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { IdentityChange, Person } from '../domain/identity.ts';

type Db = Kysely<Database>;

interface PersonRow extends Omit<Person, 'card' | 'changes' | 'birthday'> {
  readonly birthMonth: number | null;
  readonly birthDay: number | null;
  readonly changes: readonly (Omit<IdentityChange, 'at'> & { readonly at: string })[];
}

type CardRow = NonNullable<Person['card']> & { readonly customerId: Uuid };

/** By the id of a customer, or by the phone that a customer has. */
export interface PersonLookup {
  readonly ids: readonly Uuid[];
  readonly phone: Phone | null;
}

/**
 * Locks the customers in the order of their ids, so that two combinations of the same pair wait for each other. The
 * erased and those combined with another are left out. Orders and sales that hold a card may still refer to them.
 */
const lockRows = async (tx: Db, orgId: Uuid, { ids, phone }: PersonLookup): Promise<Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from customer
    where org_id = ${orgId} and (id = any(${[...ids]}::uuid[]) or phone = ${phone}) and phone is not null
    order by id
    for no key update
  `.execute(tx);
  return rows.map(({ id }) => id);
};

/** After their orders and cards, whose holders refer to them: a new order waits, and names who they are then. */
export const lockReferences = async (tx: Db, orgId: Uuid, customerIds: readonly Uuid[]): Promise<void> => {
  await sql`
    select from customer where org_id = ${orgId} and id = any(${[...customerIds]}::uuid[]) order by id for update
  `.execute(tx);
};

/** Locks the orders of two customers who may be combined: a delivery or an award locks its order before a card. */
const lockOrders = async (tx: Db, orgId: Uuid, customerIds: readonly Uuid[]): Promise<void> => {
  await sql`
    select from delivery_order
    where org_id = ${orgId} and customer_id = any(${[...customerIds]}::uuid[])
    order by id
    for no key update
  `.execute(tx);
};

/** With their orders, where there are two, and their cards, locked too. */
export const lockPeople = async (tx: Db, orgId: Uuid, lookup: PersonLookup): Promise<Person[]> => {
  const ids = await lockRows(tx, orgId, lookup);
  if (ids.length > 1) await lockOrders(tx, orgId, ids);
  const { rows } = await sql<PersonRow>`
    select c.id, c.phone, c.name, c.phone_proven_at as "provenAt", c.marketing_opt_out as "optedOut",
           c.birth_month as "birthMonth", c.birth_day as "birthDay",
           coalesce((select json_agg(json_build_object('kind', i.kind, 'at', i.at))
                     from identity_change i where i.org_id = ${orgId} and i.customer_id = c.id), '[]') as changes
    from customer c where c.org_id = ${orgId} and c.id = any(${ids}::uuid[])
  `.execute(tx);
  const { rows: cards } = await sql<CardRow>`
    select id, customer_id as "customerId", created_at as "createdAt", points, visits
    from loyalty_card
    where org_id = ${orgId} and customer_id = any(${ids}::uuid[]) and merged_into is null
    order by id
    for update
  `.execute(tx);
  await lockReferences(tx, orgId, ids);
  return rows.map(({ birthMonth: month, birthDay: day, changes, ...person }) => ({
    ...person,
    birthday: month === null || day === null ? null : { month, day },
    changes: changes.map((change) => ({ kind: change.kind, at: instantOf(change.at) })),
    card: cards.find(({ customerId }) => customerId === person.id) ?? null,
  }));
};

/** The customers as which these live on: themselves, or those they were combined with. Of unknown ids none. */
export const livingAs = async (db: Db, orgId: Uuid, ids: readonly Uuid[]): Promise<Map<Uuid, Uuid>> => {
  const { rows } = await sql<{ id: Uuid; living: Uuid }>`
    select id, coalesce(merged_into, id) as living from customer
    where org_id = ${orgId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, living }) => [id, living]));
};

interface ContactRow {
  readonly orgId: Uuid;
  readonly customerId: Uuid;
  readonly phone: Phone;
  readonly name: string;
  readonly provenAt: Instant | null;
}

/** Throws `ConcurrentChange` where another customer got the phone meanwhile. */
export const setContact = async (tx: Db, contact: ContactRow, now: Instant): Promise<void> => {
  const { orgId, customerId, phone, name, provenAt } = contact;
  try {
    await tx
      .updateTable('customer')
      .set({
        ...{ phone, name, updated_at: at(now) },
        phone_proven_at: provenAt === null ? null : at(provenAt),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', customerId)
      .execute();
  } catch (fault) {
    throw isDuplicateOf('customer_phone_once', fault) ? new ConcurrentChange() : fault;
  }
};

interface NewChange {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly customerId: Uuid;
  readonly kind: IdentityChange['kind'];
}

export const addIdentityChange = async (tx: Db, change: NewChange, now: Instant): Promise<void> => {
  const { orgId, id, customerId, kind } = change;
  await tx
    .insertInto('identity_change')
    .values({ org_id: orgId, id, customer_id: customerId, kind, at: at(now) })
    .execute();
};
