import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';

type Tx = Kysely<Database>;

export interface NewCustomer {
  readonly orgId: Uuid;
  /** Used if the phone has no customer. */
  readonly id: Uuid;
  readonly phone: Phone;
  readonly name: string;
  readonly now: Instant;
}

/** Inserts the customer if needed; locks the row. */
export const customerWith = async (tx: Tx, { orgId, id, phone, name, now }: NewCustomer): Promise<Uuid> => {
  const { rows } = await sql<{ id: Uuid }>`
    insert into customer (org_id, id, phone, name, created_at, updated_at)
    values (${orgId}, ${id}, ${phone}, ${name}, ${at(now)}, ${at(now)})
    on conflict (org_id, phone) do update set updated_at = excluded.updated_at
    returning id
  `.execute(tx);
  return rows[0]?.id ?? id;
};

export const cardOf = async (tx: Tx, orgId: Uuid, customerId: Uuid): Promise<Uuid | null> => {
  const row = await tx
    .selectFrom('loyalty_card')
    .select('id')
    .where('org_id', '=', orgId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.id ?? null;
};

export interface NewCard {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly customerId: Uuid;
  readonly tokenHash: Buffer;
  readonly now: Instant;
}

export const addCard = async (tx: Tx, { orgId, id, customerId, tokenHash, now }: NewCard): Promise<void> => {
  await tx
    .insertInto('loyalty_card')
    .values({ org_id: orgId, id, customer_id: customerId, token_hash: tokenHash, created_at: at(now) })
    .execute();
};
