-- Tickets are listed by their state, and found by the phone of a guest who asks for an export or an erasure.
-- compatible

drop index ticket_by_branch;
create index ticket_by_status on ticket (org_id, branch_id, status, opened_at desc, id desc);
create index ticket_of_phone on ticket (org_id, customer_phone) where customer_phone is not null;
