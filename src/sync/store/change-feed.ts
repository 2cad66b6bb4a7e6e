/** The change log as devices read it. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export interface LoggedChange {
  readonly seq: number;
  readonly type: string;
  readonly id: Uuid;
}

/** At most `limit` after `since`, in order. */
export const changesAfter = async (
  db: Db,
  orgId: Uuid,
  since: number,
  limit: number,
): Promise<readonly LoggedChange[]> => {
  const { rows } = await sql<LoggedChange>`
    select seq, type, id from change where org_id = ${orgId} and seq > ${since} order by seq limit ${limit}
  `.execute(db);
  return rows;
};
