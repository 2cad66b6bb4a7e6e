-- What guests said with a round: the kitchen gets it when staff accept the round.
-- compatible

alter table ticket_round add column notes text;
