/** What a use case has written: audit entries, queued messages, logged changes, availability. */
import { sql } from 'kysely';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { World } from '../server/world.ts';

export interface Audited {
  readonly action: string;
  readonly subject: string;
  readonly subject_id: Uuid | null;
  readonly staff_id: Uuid | null;
  readonly device_id: Uuid | null;
  readonly branch_id: Uuid | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const auditOf = (world: Pick<World, 'db'>, subjectId: Uuid): Promise<Audited[]> =>
  world.db.kysely
    .selectFrom('audit')
    .select(['action', 'subject', 'subject_id', 'staff_id', 'device_id', 'branch_id', 'detail'])
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    // By transaction: `at` ties, because a test sets the clock by hand.
    .orderBy(sql`xmin::text::bigint, cmin::text::bigint`)
    .execute();

/** The templates of the queued messages about an order, in order. */
export const messagesOf = async (world: World, orderId: Uuid): Promise<string[]> => {
  const rows = await world.db.kysely
    .selectFrom('outbox')
    .select('payload')
    .where('subject_id', '=', orderId)
    .where('kind', '=', 'message')
    .orderBy('position')
    .execute();
  return rows.map(({ payload }) => (payload as { template: string }).template);
};

/** The scopes of the logged changes of one thing, in order. */
export const changesOf = async ({ db }: World, type: string, id: Uuid): Promise<string[]> => {
  const { rows } = await sql<{ scope: string }>`
    select scope from change where type = ${type} and id = ${id} order by seq
  `.execute(db.kysely);
  return rows.map(({ scope }) => scope);
};

export interface StoredAvailability {
  readonly isOn: boolean;
  readonly soldOutUntil: number | null;
  readonly stock: number | null;
}

/** The availability row of a thing at a branch for every channel, or null. */
export const storedAvailability = async (
  { db }: World,
  branchId: Uuid,
  id: Uuid,
): Promise<StoredAvailability | null> => {
  const { rows } = await sql<StoredAvailability>`
    select is_on as "isOn", sold_out_until as "soldOutUntil", stock
    from availability where subject_id = ${id} and branch_id = ${branchId} and channel is null
  `.execute(db.kysely);
  return rows[0] ?? null;
};
