-- Whatever was combined with a customer or a card is found by index.
-- compatible

create index customer_combined on customer (org_id, merged_into) where merged_into is not null;
create index loyalty_card_combined on loyalty_card (org_id, merged_into) where merged_into is not null;
