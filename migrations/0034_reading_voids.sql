-- Reports read voids by time; those of a till have its id. Open tickets are read by their status.
-- compatible

create index ticket_item_voided on ticket_item (org_id, voided_at) where voided_at is not null;
drop index ticket_item_voided_by;
drop index ticket_open;
