-- A void line counts in the report of the till that its person had open: the till stands on the line.
-- compatible

alter table ticket_item add column void_till_id uuid;

update ticket_item i set void_till_id = t.id
from ticket k, till t
where k.org_id = i.org_id and k.id = i.ticket_id and not i.waiting
  and t.org_id = i.org_id and t.branch_id = k.branch_id and t.staff_id = i.voided_by
  and t.status = 'open' and i.voided_at >= t.opened_at;

create index ticket_item_of_void_till on ticket_item (org_id, void_till_id) where void_till_id is not null;
