-- The parts of a ticket are found by it, for a guest who asks for an export or an erasure; those of a booking by the booking.
-- compatible

create index ticket_of_split on ticket (org_id, split_of) where split_of is not null;
create index ticket_of_booking on ticket (org_id, booking_id) where booking_id is not null;
create index ticket_of_merge on ticket (org_id, merged_into) where merged_into is not null;
