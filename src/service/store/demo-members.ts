/** Members of the demo shops. */
import { sql, type Insertable, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { CustomerTable } from '../../customers/store/schema/customer.ts';
import type { Database } from '../../platform/store/schema.ts';

/** False: the customer exists, or the phone is another customer's. */
export const addDemoCustomer = async (
  tx: Kysely<Database>,
  customer: Insertable<CustomerTable>,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('customer')
    .values(customer)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

export const labelAddress = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  id: Uuid,
  label: string,
): Promise<void> => {
  await tx
    .updateTable('customer_address')
    .set({ label })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

export interface DemoCard {
  readonly cardId: Uuid;
  readonly generation: number;
  readonly tokenHash: Buffer;
}

/** Those of `cardIds` that lead to a programme. */
export const liveCards = async (
  db: Kysely<Database>,
  cardIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, DemoCard>> => {
  const { rows } = await sql<DemoCard>`
    select l.id as "cardId", l.generation, l.token_hash as "tokenHash"
    from loyalty_card l
    join loyalty_program p on p.org_id = l.org_id and p.enabled
    join shop s on s.org_id = l.org_id and s.is_active and s.is_demo
    join customer c on c.org_id = l.org_id and c.id = l.customer_id and c.phone is not null
    where l.id = any(${[...cardIds]}::uuid[]) and l.merged_into is null
  `.execute(db);
  return new Map(rows.map((row) => [row.cardId, row]));
};
