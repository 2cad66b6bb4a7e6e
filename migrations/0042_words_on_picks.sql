-- Notes on the picks of a combo are words of a guest too (Decisions 13).
-- compatible

drop index replay_event_with_words;
create index replay_event_with_words on replay_event (received_at)
  where outcome in ('waiting', 'review')
    and (data ? 'customer_name'
         or jsonb_path_exists(data, '$.items[*] ? (@.notes != null || @.combo.picks[*].notes != null)'));
