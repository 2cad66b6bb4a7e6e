-- Messages about a card: its link, greetings. The link goes to a phone at most once a day, over all shops.
-- compatible

alter table outbox
  drop constraint outbox_subject_known,
  add constraint outbox_subject_known check (subject in ('order', 'booking', 'card', 'shop'));

alter table guest_phone
  -- when a shop last sent it the link of a card
  add column card_link_at timestamptz;
