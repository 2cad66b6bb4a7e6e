-- The role that serves may add to the audit log and read it, and change nothing in it. An erasure must still take out
-- what the staff wrote about a person: the owner of the tables does that one thing for it.
-- compatible

do $$
begin
  execute format(
    $make$
      create function forget_audit_notes(shop uuid, orders uuid[]) returns void
      language sql security definer
      -- Temporary tables last: none of the caller's stands in for the log.
      set search_path = pg_catalog, %1$I, pg_temp
      as $body$
        update %1$I.audit set detail = detail - 'note'
        where org_id = shop and subject_id = any(orders) and detail ? 'note'
      $body$
    $make$,
    current_schema());
end;
$$;
revoke execute on function forget_audit_notes(uuid, uuid[]) from public;
