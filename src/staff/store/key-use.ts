import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
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

/** Uses of a key at several nodes, added up. */
const summed = (uses: readonly KeyUse[]): KeyUse[] =>
  [...groupBy(uses, ({ keyId }) => keyId)].map(([keyId, own]) => {
    const sumOf = (what: Exclude<keyof KeyUse, 'keyId'>): number =>
      own.reduce((sum, use) => sum + use[what], 0);
    const secrets = { passwords: sumOf('passwords'), pins: sumOf('pins'), factors: sumOf('factors') };
    return { keyId, ...secrets, people: sumOf('people') };
  });

/** Secrets of people who are not archived: lost without the key. `rowsOf`: whether all nodes must answer. */
export const keyUses = async (db: Kysely<Database>, rowsOf: typeof rowsHeard): Promise<KeyUse[]> => {
  const uses = await rowsOf(
    db,
    (ofShops) => sql<KeyUse>`
    with stored as (
      select org_id, id as staff_id, 'password' as what, nullif(split_part(password_hash, '$', 7), '') as key_id
      from staff where password_hash is not null and archived_at is null and ${ofShops('org_id')}
      union all
      select org_id, id, 'pin', nullif(split_part(pin_hash, '$', 7), '')
      from staff where pin_hash is not null and archived_at is null and ${ofShops('org_id')}
      union all
      select f.org_id, f.staff_id, 'factor', f.key_id
      from staff_factor f join staff s on s.org_id = f.org_id and s.id = f.staff_id and s.archived_at is null
      where f.kind = 'totp' and f.confirmed_at is not null and ${ofShops('f.org_id')} and ${ofShops('s.org_id')}
    )
    select key_id as "keyId",
           count(*) filter (where what = 'password') as passwords,
           count(*) filter (where what = 'pin') as pins,
           count(*) filter (where what = 'factor') as factors,
           count(distinct (org_id, staff_id)) as people
    from stored
    group by key_id
    order by key_id nulls first
  `,
  );
  return summed(uses);
};

interface Person {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

interface Unpeppered extends Person {
  readonly passwordHash: string | null;
  readonly pinHash: string | null;
}

/** PostgreSQL compares ids as it compares their texts. */
const byId = (a: Person, b: Person): number => (`${a.orgId} ${a.id}` < `${b.orgId} ${b.id}` ? -1 : 1);

/**
 * People with a hash from before the pepper, archived ones included, `limit` at a time after `after`; of shops whose nodes
 * answer.
 */
export const unpepperedHashes = async (
  db: Kysely<Database>,
  after: Person | null,
  limit: number,
): Promise<readonly Unpeppered[]> => {
  const isBare = (column: string) => sql`(split_part(${sql.ref(column)}, '$', 7) = '')`;
  const people = await rowsHeard(
    db,
    (ofShops) => sql<Unpeppered>`
    select org_id as "orgId", id, password_hash as "passwordHash", pin_hash as "pinHash"
    from staff
    where (${isBare('password_hash')} or ${isBare('pin_hash')})
      and ${after === null ? sql`true` : sql`(org_id, id) > (${after.orgId}, ${after.id})`}
      and ${ofShops('org_id')}
    order by org_id, id
    limit ${limit}
  `,
  );
  return people.toSorted(byId).slice(0, limit);
};
