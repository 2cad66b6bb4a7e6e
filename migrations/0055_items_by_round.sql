-- The removal of a shop deletes its rounds, and PostgreSQL looks for items of each: without an index at all items of the shop.
-- compatible

create index ticket_item_by_round on ticket_item (org_id, round_id);
