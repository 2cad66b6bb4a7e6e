-- The newest change of a shop's menu, or of one branch, is asked for before every quote, so that a price book in
-- memory is never older than a change. Orders and bookings, which are nearly all of the log, stay out of the index
-- and cost nothing here.
-- compatible

create index change_of_sale on change (org_id, scope, seq) where scope = 'shop' or scope like 'branch:%';
