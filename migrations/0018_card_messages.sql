-- The link of a card goes to a phone at most once a day, over all shops.
-- compatible

alter table guest_phone
  -- when a shop last sent it the link of a card
  add column card_link_at timestamptz;
