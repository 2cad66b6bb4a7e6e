-- Orders from the QR codes of tables.

alter table dining_table
  add column public_id uuid;                          -- of its QR code; null: the table's own id
create unique index dining_table_public_id on dining_table (coalesce(public_id, id));

alter table branch
  add column confirm_table_orders boolean not null default false;

alter table ticket
  add column customer_phone text;

-- A line of a guest's round that no one has accepted yet is in no bill; one that was rejected is void as well.
alter table ticket_item
  add column waiting boolean not null default false;
alter table ticket_round
  add column sent_at timestamptz;                     -- by a guest; fired once it was accepted
update ticket_round set sent_at = fired_at;
alter table ticket_round
  alter column sent_at set not null;
create index ticket_round_of_guest on ticket_round (org_id, fired_by, sent_at desc) where via = 'qr';
