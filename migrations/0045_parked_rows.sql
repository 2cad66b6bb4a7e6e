-- A scrape of the metrics counts parked rows of the outbox without reading those that were sent.
-- compatible
create index outbox_parked on outbox (org_id) where status = 'parked';
