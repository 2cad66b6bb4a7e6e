-- Loyalty (Decisions 11): the rest of the programme, a ledger whose sum is the balance, birthdays, greetings that are sent
-- once, and the changes of a member's phone, which are limited.
-- compatible

alter table loyalty_program
  add column balance_cap            integer,
  add column max_rewards_per_order  integer,
  add column require_otp            boolean not null default true,
  add column birthday_message_ar    text,
  add column birthday_message_en    text,
  add column win_back_enabled       boolean not null default false,
  add column win_back_after_days    integer,
  add column win_back_amount        integer,
  add column win_back_message_ar    text,
  add column win_back_message_en    text,
  add constraint loyalty_limits_positive check (balance_cap > 0 and max_rewards_per_order > 0),
  add constraint loyalty_gifts_positive check (birthday_reward_amount > 0 and win_back_amount > 0),
  add constraint loyalty_win_back_whole check (win_back_after_days > 0 and (not win_back_enabled or win_back_after_days is not null));

-- Items that a reward pays for; a reward without a row pays for any plain item.
create table loyalty_reward_item (
  org_id        uuid not null,
  reward_id     uuid not null,
  sort          integer not null,
  category_id   uuid,
  menu_item_id  uuid,
  size_label    text,
  primary key (org_id, reward_id, sort),
  foreign key (org_id, reward_id) references loyalty_reward,
  foreign key (org_id, category_id) references category,
  foreign key (org_id, menu_item_id) references menu_item,
  constraint loyalty_reward_item_one_target check ((category_id is null) <> (menu_item_id is null))
);

-- Items of which each paid unit counts as a visit; without a row each sale counts as one.
create table loyalty_visit_item (
  org_id        uuid not null references shop,
  sort          integer not null,
  category_id   uuid,
  menu_item_id  uuid,
  size_label    text,
  primary key (org_id, sort),
  foreign key (org_id, category_id) references category,
  foreign key (org_id, menu_item_id) references menu_item,
  constraint loyalty_visit_item_one_target check ((category_id is null) <> (menu_item_id is null))
);

alter table customer
  add column birth_month        smallint,
  add column birth_day          smallint,
  add column marketing_opt_out  boolean not null default false,
  -- the customer that this one was combined with
  add column merged_into        uuid,
  add constraint customer_birthday_whole check ((birth_month is null) = (birth_day is null)),
  add constraint customer_birthday_real check (birth_month between 1 and 12 and birth_day between 1 and 31),
  add constraint customer_merged_without_phone check (merged_into is null or phone is null);

-- Times at which the phone of a member was replaced, or two customers were combined.
create table identity_change (
  org_id       uuid not null,
  id           uuid not null,
  customer_id  uuid not null,
  kind         text not null,
  at           timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, customer_id) references customer,
  constraint identity_change_known check (kind in ('replaced', 'combined'))
);
create index identity_change_of_customer on identity_change (org_id, customer_id, at);

-- A balance for each mode. A token that was handed out before its phone was proven ends with the first proof.
alter table loyalty_card
  add column points       integer not null default 0,
  add column visits       integer not null default 0,
  add column revision     bigint not null default 1,
  add column changed_at   timestamptz,
  add column is_unproven  boolean not null default false,
  add column code_hash    bytea,
  add column merged_into  uuid,
  add column merged_at    timestamptz,
  add constraint loyalty_balance_not_negative check (points >= 0 and visits >= 0),
  add constraint loyalty_card_merged_whole check ((merged_into is null) = (merged_at is null));
update loyalty_card set changed_at = created_at;
alter table loyalty_card alter column changed_at set not null;
create index loyalty_card_by_token on loyalty_card (token_hash);
create index loyalty_card_by_code on loyalty_card (org_id, code_hash);

create table loyalty_entry (
  org_id      uuid not null,
  id          uuid not null,
  card_id     uuid not null,
  at          timestamptz not null,
  mode        text not null,
  kind        text not null,
  source      text not null,
  amount      integer not null,
  -- what a cap trimmed, or what a reversal could not take
  shortfall   integer not null default 0,
  -- an online order's sale has the order's id
  sale_id     uuid,
  refund_id   uuid,
  -- the entry of the sale that a reversal takes back
  reverses    text,
  rewards     jsonb,
  note        text,
  staff_id    uuid,
  -- the order of the entries of a card
  position    bigint generated always as identity,
  primary key (org_id, id),
  foreign key (org_id, card_id) references loyalty_card,
  constraint loyalty_entry_mode_known check (mode in ('points', 'visits')),
  constraint loyalty_entry_kind_known check (kind in ('earn', 'redeem', 'adjust', 'reversal')),
  constraint loyalty_entry_source_known check (source in ('sale', 'redemption', 'void', 'refund', 'birthday', 'win_back', 'manual', 'merge', 'sync')),
  constraint loyalty_entry_shortfall_positive check (shortfall >= 0),
  constraint loyalty_entry_of_sale check (sale_id is not null or kind = 'adjust'),
  constraint loyalty_entry_reverses check ((kind = 'reversal') = (reverses is not null) and reverses in ('earn', 'redeem'))
);
-- A redemption is given back once, whatever it is given back for.
create unique index loyalty_entry_once on loyalty_entry
  (org_id, sale_id, kind, coalesce(reverses, ''), (case when reverses = 'redeem' then sale_id else coalesce(refund_id, sale_id) end))
  where sale_id is not null;
create index loyalty_entry_of_card on loyalty_entry (org_id, card_id, position);

-- A birthday of a year, or an absence since the date of the last visit, is greeted once.
create table loyalty_greeting (
  org_id       uuid not null,
  customer_id  uuid not null,
  kind         text not null,
  occasion     text not null,
  at           timestamptz not null,
  primary key (org_id, customer_id, kind, occasion),
  foreign key (org_id, customer_id) references customer,
  constraint loyalty_greeting_known check (kind in ('birthday', 'win_back'))
);

-- The card that an order was placed with, and the cost of the rewards in it.
alter table delivery_order
  add column card_id      uuid,
  add column reward_cost  integer not null default 0,
  add constraint order_reward_cost_positive check (reward_cost >= 0);
