-- What a device tells again under another event is the same where it says the same (Decisions 13): the content without its
-- moment. Null: of before, which are taken for the same.
-- compatible

alter table replay_event add column told_hash bytea;
