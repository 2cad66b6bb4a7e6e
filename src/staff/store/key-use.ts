import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** Over all shops. */
export interface KeyUse {
  /** Null: hashes from before the pepper. */
  readonly keyId: string | null;
  readonly passwords: number;
  readonly pins: number;
  readonly factors: number;
  /** The people concerned. */
  readonly people: number;
}

/** Secrets of people who are not archived: lost without the key. */
export const keyUses = async (db: Kysely<Database>): Promise<KeyUse[]> => {
  const { rows } = await sql<KeyUse>`
    with stored as (
      select org_id, id as staff_id, 'password' as what, nullif(split_part(password_hash, '$', 7), '') as key_id
      from staff where password_hash is not null and archived_at is null
      union all
      select org_id, id, 'pin', nullif(split_part(pin_hash, '$', 7), '')
      from staff where pin_hash is not null and archived_at is null
      union all
      select f.org_id, f.staff_id, 'factor', f.key_id
      from staff_factor f join staff s on s.org_id = f.org_id and s.id = f.staff_id and s.archived_at is null
      where f.kind = 'totp' and f.confirmed_at is not null
    )
    select key_id as "keyId",
           count(*) filter (where what = 'password') as passwords,
           count(*) filter (where what = 'pin') as pins,
           count(*) filter (where what = 'factor') as factors,
           count(distinct (org_id, staff_id)) as people
    from stored
    group by key_id
    order by key_id nulls first
  `.execute(db);
  return rows;
};

interface Person {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

/** People with a hash from before the pepper, archived ones included, `limit` at a time after `after`. */
export const unpepperedHashes = async (
  db: Kysely<Database>,
  after: Person | null,
  limit: number,
): Promise<(Person & { readonly passwordHash: string | null; readonly pinHash: string | null })[]> => {
  const isBare = (column: string) => sql`(split_part(${sql.ref(column)}, '$', 7) = '')`;
  const { rows } = await sql<Person & { passwordHash: string | null; pinHash: string | null }>`
    select org_id as "orgId", id, password_hash as "passwordHash", pin_hash as "pinHash"
    from staff
    where (${isBare('password_hash')} or ${isBare('pin_hash')})
      and ${after === null ? sql`true` : sql`(org_id, id) > (${after.orgId}, ${after.id})`}
    order by org_id, id
    limit ${limit}
  `.execute(db);
  return rows;
};
