-- An item can take no add-ons at all. Without rows in item_allowed_addon an item takes every add-on, as before: every
-- stored item keeps its meaning. An older build sells such an item with every add-on.
-- compatible

alter table menu_item add column takes_addons boolean not null default true;
