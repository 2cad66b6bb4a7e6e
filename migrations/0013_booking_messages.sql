-- Messages about bookings beside those about orders, and reminders. What a row of the outbox is about has a kind, so that
-- phone and link are read where they stand. Whether its guest is told of a booking is decided when it is made.
-- compatible

alter table outbox
  add column subject text not null default 'order',
  add constraint outbox_subject_known check (subject in ('order', 'booking', 'shop'));
update outbox set subject = 'shop' where kind = 'webhook' and subject_id = org_id;

alter table booking
  add column notified  boolean not null default false,
  -- when the reminder falls due; null: there is none, or it was sent
  add column remind_at timestamptz;
create index booking_to_remind on booking (remind_at) where status = 'confirmed' and remind_at is not null;
