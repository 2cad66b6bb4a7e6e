/** What guests wrote on tickets is forgotten a day after their end. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import type { FrozenLine } from '../../pricing/domain/frozen-cart.ts';

type Db = Kysely<Database>;

export interface EndedTicket {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

/** Tickets that ended before `now` and still have the words of their guests. */
export const endedTickets = async (
  db: Db,
  { now, without, limit }: DueQuery,
): Promise<readonly EndedTicket[]> =>
  await rowsHeard(
    db,
    (ofShops) => sql<EndedTicket>`
    select org_id as "orgId", id from ticket
    where forgotten_at is null and status <> 'open' and coalesce(settled_at, voided_at) <= ${at(now)}
      and id <> all(${[...without]}::uuid[]) and ${ofShops('org_id')}
    order by coalesce(settled_at, voided_at)
    limit ${limit}
  `,
  );

interface PlainItem {
  readonly id: Uuid;
  readonly line: FrozenLine;
  readonly input: unknown;
}

export const forgetTicket = async (
  tx: Db,
  orgId: Uuid,
  id: Uuid,
  items: readonly PlainItem[],
  now: Instant,
): Promise<void> => {
  await sql`
    update ticket_item i set line = plain.line, input = plain.input
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as plain(id uuid, line jsonb, input jsonb)
    where i.org_id = ${orgId} and i.id = plain.id
  `.execute(tx);
  await tx
    .updateTable('ticket_round')
    .set({ notes: null })
    .where('org_id', '=', orgId)
    .where('ticket_id', '=', id)
    .execute();
  await tx
    .updateTable('ticket')
    .set({ customer_name: null, customer_phone: null, notes: null, forgotten_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};
