-- Passes in the wallets of phones: which phones hold the pass of a card and how each is pushed to, and what the vendor of
-- wallet two has of a shop and of a card. Pushes and patches are rows of the outbox.
-- compatible

alter table outbox
  drop constraint outbox_kind_known,
  add constraint outbox_kind_known check (kind in ('message', 'webhook', 'wallet_one', 'wallet_two')),
  drop constraint outbox_subject_known,
  add constraint outbox_subject_known check (subject in ('order', 'booking', 'shop', 'card'));

-- A phone names the card of a pass by its id alone.
create index loyalty_card_by_id on loyalty_card (id);

-- A phone that holds the pass of a card. The device is the wallet's own id of the phone, for this pass type alone.
create table wallet_registration (
  org_id      uuid not null,
  id          uuid not null,
  card_id     uuid not null,
  device      text not null,
  push_token  text not null,
  -- of the card's token with which the phone registered: the pass of an earlier one is void
  generation  integer not null,
  created_at  timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, card_id) references loyalty_card,
  constraint wallet_registration_once unique (org_id, card_id, device)
);
-- A phone asks for its passes of all shops.
create index wallet_registration_by_device on wallet_registration (device);

-- The loyalty class of a shop, as it was last written; the digest tells whether it has changed since.
create table wallet_class (
  org_id    uuid primary key references shop,
  digest    bytea not null,
  saved_at  timestamptz not null
);

-- Cards that have a loyalty object.
create table wallet_object (
  org_id    uuid not null,
  card_id   uuid not null,
  saved_at  timestamptz not null,
  primary key (org_id, card_id),
  foreign key (org_id, card_id) references loyalty_card
);
