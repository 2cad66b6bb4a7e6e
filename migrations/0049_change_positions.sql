-- Every process reads what the others have changed: rows of transactions that it has not seen yet, of whatever shop. Rows
-- of older builds have no transaction, and nobody looks for them.
-- compatible

alter table change add column transaction_id xid8;
alter table change alter column transaction_id set default pg_current_xact_id();

create index change_by_transaction on change (transaction_id) where transaction_id is not null;
