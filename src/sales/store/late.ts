/** What came for tills after they were closed (Decisions 12, Tills). */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { LateEntry } from '../domain/till.ts';

interface LateRow extends LateEntry {
  readonly tillId: Uuid;
}

/** Of these tills, what happened first comes first. A payment of a late sale of the same till is in that sale. */
export const lateOfTills = async (
  db: Kysely<Database>,
  orgId: Uuid,
  tillIds: readonly Uuid[],
): Promise<readonly LateRow[]> => {
  const ids = sql`any(${[...tillIds]}::uuid[])`;
  const { rows } = await sql<LateRow>`
    select s.till_id as "tillId", 'sale' as type, s.id, s.at, s.sale_ref as reference, s.total as amount,
           null as method, paid.tip, null as kind, null as reason, paid.payments, 0 as position
    from sale s
    cross join lateral (
      select coalesce(sum(p.tip), 0)::bigint as tip,
             coalesce(json_agg(json_build_object('method', p.method, 'amount', p.amount, 'tip', p.tip)
                               order by p.position), '[]') as payments
      from sale_payment p
      where p.org_id = ${orgId} and p.sale_id = s.id and p.till_id = s.till_id and p.late) paid
    where s.org_id = ${orgId} and s.till_id = ${ids} and s.late
    union all
    select p.till_id, 'payment', s.id, s.at, s.sale_ref, p.amount, p.method, p.tip, null, null, '[]', p.position
    from sale_payment p join sale s on s.org_id = ${orgId} and s.id = p.sale_id
    where p.org_id = ${orgId} and p.till_id = ${ids} and p.late
      and not (s.late and s.till_id is not distinct from p.till_id)
    union all
    select p.till_id, 'payment', p.bill_id, p.at, null, p.amount, p.method, p.tip, null, null, '[]', 0
    from part_payment p
    where p.org_id = ${orgId} and p.till_id = ${ids} and p.late
    union all
    select r.till_id, 'refund', r.id, r.at, s.sale_ref, r.amount, r.method, 0, null, r.reason, '[]', 0
    from sale_refund r join sale s on s.org_id = ${orgId} and s.id = r.sale_id
    where r.org_id = ${orgId} and r.till_id = ${ids} and r.late
    union all
    select c.till_id, 'cash', c.id, c.at, null, c.amount, 'cash', 0, c.kind, c.reason, '[]', 0
    from till_cash c
    where c.org_id = ${orgId} and c.till_id = ${ids} and c.late
    order by at, id, position
  `.execute(db);
  return rows;
};
