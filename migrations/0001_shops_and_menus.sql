-- The shop and everything it shows: the data behind the public reads. `org_id` leads every primary key so that
-- the tables can be distributed by shop (but for the two that find a shop: locator, shop_slug); every invariant that money or seats depend on is a constraint here.

create extension if not exists btree_gist;

-- Which shop an id belongs to. Lets every other statement name its shop, and refuses an id used by two shops.
create table locator (
  id      uuid primary key,
  org_id  uuid not null,
  kind    text not null
);
create index locator_by_shop on locator (org_id);

create table shop (
  org_id             uuid primary key,
  slug               text not null,
  name               text not null,
  main_language      text not null default 'ar',
  name_translations  jsonb not null default '{}',
  is_active          boolean not null default true,
  -- brand
  custom_branding    boolean not null default false,
  logo_is_mark       boolean not null default false,
  logo_url           text,
  background_color   text not null,
  foreground_color   text not null,
  accent_color       text not null,
  card_image_url     text,
  -- links page
  cover_image_url    text,
  tagline_ar         text,
  tagline_en         text,
  show_branches      boolean not null default true,
  -- how digits are written on this shop's pages: latn or arab
  digits             text not null default 'latn',
  is_demo            boolean not null default false,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  constraint shop_slug_form check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  constraint shop_digits_known check (digits in ('latn', 'arab')),
  constraint shop_colors_form check (
    background_color ~ '^#[0-9A-Fa-f]{6}$' and foreground_color ~ '^#[0-9A-Fa-f]{6}$' and accent_color ~ '^#[0-9A-Fa-f]{6}$')
);

-- Every address name a shop has had; an old one keeps leading to the shop after a rename.
create table shop_slug (
  slug        text primary key,
  org_id      uuid not null references shop,
  constraint shop_slug_form check (slug ~ '^[a-z0-9][a-z0-9-]{1,62}$')
);

create table links_module (
  org_id    uuid not null references shop,
  kind      text not null,
  sort      integer not null,
  visible   boolean not null default true,
  primary key (org_id, kind),
  constraint links_module_kind_known check (kind in ('order', 'menu', 'rewards', 'book'))
);

create table links_custom (
  org_id    uuid not null references shop,
  id        uuid not null,
  sort      integer not null,
  title_en  text,
  title_ar  text,
  href      text not null,
  visible   boolean not null default true,
  primary key (org_id, id)
);

create table links_social (
  org_id    uuid not null references shop,
  key       text not null,
  label     text not null,
  url       text not null,
  visible   boolean not null default true,
  primary key (org_id, key),
  constraint links_social_key_known check (key in ('instagram', 'facebook', 'tiktok', 'x', 'youtube', 'whatsapp', 'website')),
  constraint links_social_https check (url like 'https://%')
);

create table loyalty_program (
  org_id                   uuid primary key references shop,
  enabled                  boolean not null,
  mode                     text not null,
  program_name             text not null,
  program_name_ar          text,
  earn_piastres_per_point  integer not null default 1000,
  default_reward_cost      integer not null default 100,
  earn_on_tax              boolean not null default false,
  birthday_enabled         boolean not null default false,
  birthday_reward_amount   integer,
  terms                    text,
  terms_ar                 text,
  constraint loyalty_mode_known check (mode in ('points', 'visits')),
  constraint loyalty_earn_positive check (earn_piastres_per_point > 0 and default_reward_cost > 0)
);

create table loyalty_reward (
  org_id       uuid not null references shop,
  id           uuid not null,
  name         text not null,
  name_translations jsonb not null default '{}',
  cost_amount  integer not null,
  sort         integer not null,
  archived_at  timestamptz,
  primary key (org_id, id),
  constraint reward_cost_positive check (cost_amount > 0)
);

create table branch (
  org_id                   uuid not null references shop,
  id                       uuid not null,
  name                     text not null,
  name_translations        jsonb not null default '{}',
  code                     text not null,
  address                  text,
  address_translations     jsonb not null default '{}',
  phone                    text,
  map_url                  text,
  lat                      double precision,
  lng                      double precision,
  time_zone                text not null default 'Africa/Cairo',
  day_starts_at            integer not null default 300,     -- minutes after local midnight
  is_active                boolean not null default true,
  otp_required             boolean not null default true,
  in_mall_require_location boolean not null default true,
  online_needs_open_till   boolean not null default false,
  accepts_table_orders     boolean not null default true,
  tax_rate                 numeric(7,6) not null default 0,
  tax_inclusive            boolean not null default true,
  service_charge_rate      numeric(7,6) not null default 0,
  service_charge_taxable   boolean not null default false,
  delivery_fee_taxable     boolean not null default false,
  base_prep_minutes        integer not null default 20,
  auto_reject_minutes      integer,
  road_factor              numeric(4,2) not null default 1.3,
  archived_at              timestamptz,
  primary key (org_id, id),
  constraint branch_tax_rate_range check (tax_rate >= 0 and tax_rate <= 1),
  constraint branch_service_rate_range check (service_charge_rate >= 0 and service_charge_rate <= 1),
  constraint branch_day_start_range check (day_starts_at between 0 and 1439),
  constraint branch_prep_range check (base_prep_minutes between 0 and 600)
);
create unique index branch_code_once on branch (org_id, code) where archived_at is null;

create table branch_channel (
  org_id             uuid not null,
  branch_id          uuid not null,
  channel            text not null,
  enabled            boolean not null default true,
  own_hours          boolean not null default false,   -- false: the branch's 'online' hours
  mode               text not null default 'auto',     -- running state: a pause, or open out of hours
  mode_until         timestamptz,
  flat_fee           integer not null default 0,
  max_distance_meters integer,
  primary key (org_id, branch_id, channel),
  foreign key (org_id, branch_id) references branch,
  constraint branch_channel_known check (channel in ('pickup', 'outside', 'in_mall', 'umbrella')),
  constraint branch_channel_mode_known check (mode in ('auto', 'open', 'closed')),
  constraint branch_channel_fee_range check (flat_fee >= 0)
);

-- Weekly hours. service: 'online', one online channel's own, or 'booking'. Minutes after local midnight; a close
-- at or before open means past midnight, equal means round the clock.
create table opening_hours (
  org_id     uuid not null,
  branch_id  uuid not null,
  service    text not null,
  dow        smallint not null,
  opens      smallint not null,
  closes     smallint not null,
  primary key (org_id, branch_id, service, dow, opens),
  foreign key (org_id, branch_id) references branch,
  constraint opening_hours_service_known check (service in ('online', 'pickup', 'outside', 'in_mall', 'umbrella', 'booking')),
  constraint opening_hours_dow_range check (dow between 0 and 6),
  constraint opening_hours_minutes_range check (opens between 0 and 1439 and closes between 0 and 1439)
);

-- Dated overrides: other hours, or closed, on a date or a range of dates. ranges: [{"open": min, "close": min}].
create table dated_hours (
  org_id     uuid not null,
  branch_id  uuid not null,
  service    text not null,
  sort       integer not null,
  from_date  date not null,
  to_date    date not null,
  ranges     jsonb not null default '[]',
  note       text,
  primary key (org_id, branch_id, service, sort),
  foreign key (org_id, branch_id) references branch,
  constraint dated_hours_service_known check (service in ('online', 'pickup', 'outside', 'in_mall', 'umbrella', 'booking')),
  constraint dated_hours_order check (to_date >= from_date)
);

create table delivery_zone (
  org_id         uuid not null,
  id             uuid not null,
  branch_id      uuid not null,
  name           text not null,
  name_translations jsonb not null default '{}',
  kind           text not null,
  radius_meters  integer,
  polygon        jsonb,                                  -- GeoJSON Polygon or MultiPolygon
  fee            integer not null,
  archived_at    timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint delivery_zone_kind_known check (kind in ('ring', 'polygon')),
  constraint delivery_zone_shape check ((kind = 'ring') = (radius_meters is not null) and (kind = 'polygon') = (polygon is not null)),
  constraint delivery_zone_fee_range check (fee >= 0 and (radius_meters is null or radius_meters > 0))
);

-- Whether a branch's till is open decides whether it takes online orders, where the branch says so.
create table till (
  org_id     uuid not null,
  id         uuid not null,
  branch_id  uuid not null,
  status     text not null default 'open',
  opened_at  timestamptz not null,
  closed_at  timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint till_status_known check (status in ('open', 'closed', 'force_closed')),
  constraint till_closed_when_not_open check ((status = 'open') = (closed_at is null))
);
create index till_open_by_branch on till (org_id, branch_id) where status = 'open';

-- Tables and booking

create table dining_table (
  org_id       uuid not null,
  id           uuid not null,
  branch_id    uuid not null,
  label        text not null,
  section      text,
  seats_min    integer not null default 1,
  seats_max    integer not null,
  bookable     boolean not null default true,
  archived_at  timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint dining_table_seats_range check (seats_min between 1 and seats_max)
);
create index dining_table_by_branch on dining_table (org_id, branch_id);

-- Tables that may be pushed together: any two or more of a group.
create table table_join (
  org_id     uuid not null,
  id         uuid not null,
  branch_id  uuid not null,
  table_ids  uuid[] not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch
);

create table booking_settings (
  org_id                    uuid not null,
  branch_id                 uuid not null,
  enabled                   boolean not null default false,
  slot_minutes              integer not null default 30,
  default_duration_minutes  integer not null default 90,
  min_party                 integer not null default 1,
  max_party                 integer not null default 12,
  lead_time_minutes         integer not null default 60,
  horizon_days              integer not null default 30,
  hold_minutes              integer not null default 15,
  auto_no_show_minutes      integer default 30,
  reminder_lead_minutes     integer default 120,
  require_otp               boolean not null default true,
  max_covers_per_slot       integer,
  blackout_dates            date[] not null default '{}',
  primary key (org_id, branch_id),
  foreign key (org_id, branch_id) references branch,
  constraint booking_slot_minutes_known check (slot_minutes in (15, 20, 30, 45, 60)),
  constraint booking_duration_range check (default_duration_minutes between 15 and 600),
  constraint booking_party_range check (min_party between 1 and max_party),
  constraint booking_lead_range check (lead_time_minutes >= 0 and horizon_days between 0 and 365)
);

create table booking (
  org_id        uuid not null,
  id            uuid not null,
  branch_id     uuid not null,
  service_date  date not null,
  status        text not null default 'confirmed',
  party_size    integer not null,
  starts_at     timestamptz not null,
  ends_at       timestamptz not null,
  guest_name    text not null,
  notes         text,
  created_at    timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint booking_status_known check (status in ('confirmed', 'seated', 'completed', 'no_show', 'cancelled')),
  constraint booking_span check (ends_at > starts_at),
  constraint booking_party_positive check (party_size > 0)
);
create index booking_by_branch_time on booking (org_id, branch_id, starts_at);

-- A booking's claim on a table, deleted when it ends early. Two claims on one table never overlap.
create table booking_table (
  org_id      uuid not null,
  booking_id  uuid not null,
  table_id    uuid not null,
  branch_id   uuid not null,
  during      tstzrange not null,
  primary key (org_id, booking_id, table_id),
  foreign key (org_id, booking_id) references booking on delete cascade,
  foreign key (org_id, table_id) references dining_table,
  constraint booking_table_slot_taken exclude using gist (org_id with =, table_id with =, during with &&)
);
create index booking_table_by_branch on booking_table using gist (org_id, branch_id, during);

-- Menu

create table category (
  org_id             uuid not null references shop,
  id                 uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  image_url          text,
  sort               integer not null,
  archived_at        timestamptz,
  primary key (org_id, id)
);

create table menu_item (
  org_id                   uuid not null references shop,
  id                       uuid not null,
  kind                     text not null default 'item',
  category_id              uuid,
  name                     text not null,
  name_translations        jsonb not null default '{}',
  description              text,
  description_translations jsonb not null default '{}',
  image_url                text,
  sort                     integer not null,
  is_active                boolean not null default true,
  default_milk_addon_id    uuid,
  default_coffee_addon_id  uuid,
  -- combos: where they are sold
  sell_pos                 boolean not null default true,
  sell_qr                  boolean not null default true,
  sell_online              boolean not null default true,
  sell_delivery            boolean not null default true,
  -- items: the combo that makes a meal of it, and the slot it fills there
  meal_combo_id            uuid,
  meal_slot_id             uuid,
  archived_at              timestamptz,
  primary key (org_id, id),
  foreign key (org_id, category_id) references category,
  constraint menu_item_kind_known check (kind in ('item', 'combo')),
  constraint menu_item_meal_whole check ((meal_combo_id is null) = (meal_slot_id is null))
);

create table item_size (
  org_id              uuid not null,
  item_id             uuid not null,
  label               text not null,
  label_translations  jsonb not null default '{}',
  sort                integer not null,
  primary key (org_id, item_id, label),
  foreign key (org_id, item_id) references menu_item
);

create table addon (
  org_id             uuid not null references shop,
  id                 uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  type               text not null,
  sort               integer not null,
  is_active          boolean not null default true,
  archived_at        timestamptz,
  primary key (org_id, id),
  constraint addon_type_known check (type in ('milk_type', 'coffee_type', 'extra'))
);

create table item_allowed_addon (
  org_id    uuid not null,
  item_id   uuid not null,
  addon_id  uuid not null,
  sort      integer not null,
  primary key (org_id, item_id, addon_id),
  foreign key (org_id, item_id) references menu_item,
  foreign key (org_id, addon_id) references addon
);

create table modifier_group (
  org_id             uuid not null references shop,
  id                 uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  selection_type     text not null,
  min_selections     integer not null default 0,
  max_selections     integer,
  is_required        boolean not null default false,
  addon_type         text,
  archived_at        timestamptz,
  primary key (org_id, id),
  constraint modifier_group_selection_known check (selection_type in ('single', 'multi')),
  constraint modifier_group_bounds check (min_selections >= 0 and (max_selections is null or max_selections >= min_selections)),
  constraint modifier_group_addon_type_known check (addon_type is null or addon_type in ('milk_type', 'coffee_type', 'extra'))
);

create table modifier_option (
  org_id    uuid not null,
  group_id  uuid not null,
  addon_id  uuid not null,
  sort      integer not null,
  primary key (org_id, group_id, addon_id),
  foreign key (org_id, group_id) references modifier_group,
  foreign key (org_id, addon_id) references addon
);

create table item_modifier_group (
  org_id    uuid not null,
  item_id   uuid not null,
  group_id  uuid not null,
  sort      integer not null,
  primary key (org_id, item_id, group_id),
  foreign key (org_id, item_id) references menu_item,
  foreign key (org_id, group_id) references modifier_group
);

create table optional_field (
  org_id             uuid not null,
  id                 uuid not null,
  item_id            uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  size_label         text,
  sort               integer not null,
  archived_at        timestamptz,
  primary key (org_id, id),
  foreign key (org_id, item_id) references menu_item
);

create table combo_slot (
  org_id              uuid not null,
  id                  uuid not null,
  combo_id            uuid not null,
  name                text not null,
  name_translations   jsonb not null default '{}',
  sort                integer not null,
  min                 integer not null default 1,
  max                 integer not null default 1,
  default_item_id     uuid,
  default_size_label  text,
  archived_at         timestamptz,
  primary key (org_id, id),
  foreign key (org_id, combo_id) references menu_item,
  constraint combo_slot_bounds check (min >= 0 and max >= 1 and max >= min)
);

create table combo_choice (
  org_id               uuid not null,
  slot_id              uuid not null,
  item_id              uuid not null,
  included_size_label  text not null default '',
  surcharge            integer not null default 0,
  sort                 integer not null,
  primary key (org_id, slot_id, item_id),
  foreign key (org_id, slot_id) references combo_slot,
  foreign key (org_id, item_id) references menu_item,
  constraint combo_choice_surcharge_range check (surcharge >= 0)
);

-- What the owner lists for a bigger size inside a combo; unlisted sizes cost max(0, size price − included size price).
create table combo_size_extra (
  org_id      uuid not null,
  slot_id     uuid not null,
  item_id     uuid not null,
  size_label  text not null,
  extra       integer not null,
  primary key (org_id, slot_id, item_id, size_label),
  foreign key (org_id, slot_id, item_id) references combo_choice on delete cascade,
  constraint combo_size_extra_range check (extra >= 0)
);

-- One price ladder for items, sizes, add-ons, optionals and combos: branch + channel, channel, branch, catalogue.
create table price (
  org_id      uuid not null references shop,
  subject_id  uuid not null,
  size_label  text not null default '',
  branch_id   uuid,
  channel     text,
  amount      integer not null,
  constraint price_once unique nulls not distinct (org_id, subject_id, size_label, branch_id, channel),
  constraint price_channel_known check (channel is null or channel in ('pickup', 'outside', 'in_mall', 'umbrella')),
  constraint price_range check (amount >= 0)
);

-- Whether a thing is sold: switched off at a branch or on a channel, sold out until a moment, or counted.
-- subject: an item, a combo or an add-on. Stock and snoozes stand on the branch's row (channel null).
create table availability (
  org_id          uuid not null references shop,
  subject_id      uuid not null,
  branch_id       uuid,
  channel         text,
  is_on           boolean not null default true,
  sold_out_until  timestamptz,
  stock           integer,
  constraint availability_once unique nulls not distinct (org_id, subject_id, branch_id, channel),
  constraint availability_channel_known check (channel is null or channel in ('dine_in', 'pickup', 'outside', 'in_mall', 'umbrella')),
  constraint availability_stock_range check (stock >= 0),
  constraint availability_state_on_branch_row check ((stock is null and sold_out_until is null) or (branch_id is not null and channel is null))
);

create table deal (
  org_id             uuid not null references shop,
  id                 uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  kind               text not null,
  qty                integer not null,
  price              integer,
  get_qty            integer,
  get_percent        integer,
  max_per_order      integer,
  sort               integer not null,
  is_active          boolean not null default true,
  sell_pos           boolean not null default true,
  sell_qr            boolean not null default true,
  sell_online        boolean not null default true,
  sell_delivery      boolean not null default true,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  archived_at        timestamptz,
  primary key (org_id, id),
  constraint deal_kind_known check (kind in ('n_for_price', 'buy_get')),
  constraint deal_figures_whole check (
    (kind = 'n_for_price' and price is not null and get_qty is null and get_percent is null) or
    (kind = 'buy_get' and price is null and get_qty is not null and get_percent is not null)),
  constraint deal_figures_range check (
    qty >= 1 and (price is null or price >= 0) and (get_qty is null or get_qty >= 1)
    and (get_percent is null or get_percent between 1 and 100) and (max_per_order is null or max_per_order >= 1))
);

create table deal_pool (
  org_id        uuid not null,
  deal_id       uuid not null,
  role          text not null,
  sort          integer not null,
  category_id   uuid,
  menu_item_id  uuid,
  size_label    text,
  primary key (org_id, deal_id, role, sort),
  foreign key (org_id, deal_id) references deal,
  foreign key (org_id, category_id) references category,
  foreign key (org_id, menu_item_id) references menu_item,
  constraint deal_pool_role_known check (role in ('pool', 'reward')),
  constraint deal_pool_one_target check ((category_id is null) <> (menu_item_id is null))
);

create table deal_branch (
  org_id     uuid not null,
  deal_id    uuid not null,
  branch_id  uuid not null,
  is_active  boolean not null,
  primary key (org_id, deal_id, branch_id),
  foreign key (org_id, deal_id) references deal,
  foreign key (org_id, branch_id) references branch
);

-- When an item, a combo or a deal is sold. subject_id names it; branch_id null means every branch.
create table sale_window (
  org_id      uuid not null references shop,
  subject_id  uuid not null,
  sort        integer not null,
  branch_id   uuid,
  weekdays    smallint not null default 127,
  starts_at   smallint,
  ends_at     smallint,
  valid_from  date,
  valid_to    date,
  primary key (org_id, subject_id, sort),
  constraint sale_window_weekdays_range check (weekdays between 1 and 127),
  constraint sale_window_times_whole check ((starts_at is null) = (ends_at is null) and (starts_at is null or starts_at <> ends_at)),
  constraint sale_window_times_range check (starts_at is null or (starts_at between 0 and 1439 and ends_at between 0 and 1439)),
  constraint sale_window_dates_order check (valid_from is null or valid_to is null or valid_to >= valid_from)
);

create table discount (
  org_id             uuid not null references shop,
  id                 uuid not null,
  name               text not null,
  name_translations  jsonb not null default '{}',
  dtype              text not null,
  rate               numeric(7,6) not null default 0,   -- the stored fraction of a percentage; 0 when fixed
  amount             integer not null default 0,        -- piastres of a fixed discount; 0 when a percentage
  is_active          boolean not null default true,
  valid_from         date,
  valid_to           date,
  archived_at        timestamptz,
  primary key (org_id, id),
  constraint discount_type_known check (dtype in ('percentage', 'fixed')),
  constraint discount_figures check (rate between 0 and 1 and amount >= 0 and (dtype = 'fixed' or amount = 0) and (dtype = 'percentage' or rate = 0))
);

-- Which discount a channel carries; a branch's own row goes before the shop's (branch_id null).
create table channel_discount (
  org_id       uuid not null references shop,
  channel      text not null,
  branch_id    uuid,
  discount_id  uuid not null,
  constraint channel_discount_once unique nulls not distinct (org_id, channel, branch_id),
  foreign key (org_id, discount_id) references discount,
  constraint channel_discount_channel_known check (channel in ('pickup', 'outside', 'in_mall', 'umbrella'))
);

-- Online orders, as far as tracking shows them

create table delivery_order (
  org_id                   uuid not null,
  id                       uuid not null,
  branch_id                uuid not null,
  channel                  text not null,
  status                   text not null default 'received',
  revision                 integer not null default 1,
  delivery_ref             text,
  customer_name            text not null,
  address_line             text,
  floor                    text,
  unit_number              text,
  landmark                 text,
  place_name               text,
  payment_method_hint      text,
  payment_method           text,
  cancel_reason            text,
  base_prep_minutes        integer not null,
  extra_prep_minutes       integer not null default 0,
  cart                     jsonb not null,
  subtotal                 integer not null,
  discount_amount          integer not null default 0,
  service_charge_amount    integer not null default 0,
  delivery_fee             integer not null default 0,
  tax_rate_applied         numeric(7,6) not null,
  tax_inclusive            boolean not null,
  tax_amount               integer not null,
  total                    integer not null,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  confirmed_at             timestamptz,
  preparing_at             timestamptz,
  ready_at                 timestamptz,
  out_for_delivery_at      timestamptz,
  delivered_at             timestamptz,
  cancelled_at             timestamptz,
  rejected_at              timestamptz,
  primary key (org_id, id),
  foreign key (org_id, branch_id) references branch,
  constraint delivery_order_channel_known check (channel in ('pickup', 'outside', 'in_mall', 'umbrella')),
  constraint delivery_order_status_known check (
    status in ('received', 'confirmed', 'preparing', 'ready', 'out_for_delivery', 'delivered', 'cancelled', 'rejected')),
  constraint delivery_order_prep_in_fives check (extra_prep_minutes >= 0 and extra_prep_minutes % 5 = 0),
  constraint delivery_order_paid_when_delivered check ((status = 'delivered') = (payment_method is not null)),
  constraint delivery_order_total_adds_up check (
    total = subtotal - discount_amount + delivery_fee + service_charge_amount + (case when tax_inclusive then 0 else tax_amount end))
);
create index delivery_order_by_branch on delivery_order (org_id, branch_id, created_at);

-- The change log: one row for every change that others must learn of. The number is drawn from the shop's counter,
-- locked last before commit, so that a reader who has seen n never later finds something below n.

create table change_counter (
  org_id  uuid primary key,
  seq     bigint not null
);

create table change (
  org_id  uuid not null,
  seq     bigint not null,
  scope   text not null,    -- shop · branch:<id> · day:<branch id>:<service date> · order:<id>
  type    text not null,
  id      uuid not null,
  op      text not null,
  at      timestamptz not null,
  primary key (org_id, seq),
  constraint change_op_known check (op in ('upsert', 'delete'))
);
