-- A ticket that staff moved to the table of seated guests is theirs only while it is there: it may have been a slip.
-- compatible

alter table ticket add column booking_by_move boolean not null default false;
