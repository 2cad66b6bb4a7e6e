/**
 * A query for what the kitchen was not sent exactly once, at a branch that sells no combos: one row per violation, with its
 * description.
 */
export const MISFIRED_ROWS = `
  select 'round that the kitchen did not get once' as what from ticket_round r
    where (select count(*) from kitchen_firing f where f.org_id = r.org_id and f.source_id = r.ticket_id and f.round = r.number)
      <> (exists (select from ticket_item i where i.org_id = r.org_id and i.round_id = r.id and not i.waiting))::int
  union all select 'sale that the kitchen did not get once' from sale s
    where source = 'counter' and 1 <> (select count(*) from kitchen_firing f where f.org_id = s.org_id and f.source_id = s.id)
  union all select 'firing of nothing' from kitchen_firing f
    where not exists (select from ticket_round r where r.org_id = f.org_id and r.ticket_id = f.source_id and r.number = f.round)
      and not exists (select from sale s where s.org_id = f.org_id and s.id = f.source_id)
  union all select 'dishes that are not those that were ordered' from
    (select org_id, origin_id, sum(quantity) as quantity from ticket_item where not waiting group by org_id, origin_id) i
    left join (select org_id, line_id, count(*) as lines, sum(quantity) as quantity from kitchen_line group by org_id, line_id) l
      on l.org_id = i.org_id and l.line_id = i.origin_id
    where l.lines is distinct from 1 or l.quantity is distinct from i.quantity
  union all select 'dishes whose voids are not those of their lines' from kitchen_line l
    where line_id is not null and voided <> (
      select coalesce(sum(quantity), 0) from ticket_item i
      where i.org_id = l.org_id and i.origin_id = l.line_id and i.voided_at is not null)
`;
