-- The parts of a ticket are found by it, for a guest who asks for an export or an erasure.
-- compatible

create index ticket_of_split on ticket (org_id, split_of) where split_of is not null;
