/** How each table is spread over the nodes of a sharded database. A migration that adds a table adds it here. */

/**
 * `shop`: by `org_id`, with the other tables of the shop on one node. `everywhere`: a copy on each node. `coordinator`: there
 * alone: one statement locks rows of several keys in their order, or every shop needs them.
 */
export type Distribution = 'shop' | 'everywhere' | 'coordinator' | { readonly by: string };

const all = (
  distribution: Distribution,
  ...tables: readonly string[]
): Readonly<Record<string, Distribution>> => Object.fromEntries(tables.map((table) => [table, distribution]));

/** In the order of their foreign keys. */
export const DISTRIBUTIONS: Readonly<Record<string, Distribution>> = {
  // Shops and menus.
  ...all('shop', 'shop', 'branch', 'branch_channel', 'opening_hours', 'dated_hours', 'dining_table'),
  ...all('shop', 'links_custom', 'links_module', 'links_social', 'picture', 'webhook_target'),
  ...all('shop', 'category', 'menu_item', 'item_size', 'addon', 'item_allowed_addon', 'optional_field'),
  ...all('shop', 'modifier_group', 'modifier_option', 'item_modifier_group', 'sale_window'),
  ...all('shop', 'combo_slot', 'combo_choice', 'combo_size_extra', 'deal', 'deal_branch', 'deal_pool'),
  ...all('shop', 'discount', 'channel_discount', 'price', 'known_price', 'availability'),
  ...all('shop', 'delivery_zone', 'road_distance'),
  // Staff.
  ...all('shop', 'staff', 'staff_device', 'staff_session', 'staff_challenge', 'known_device'),
  ...all('shop', 'staff_factor', 'staff_factor_failure', 'staff_pin_failure', 'staff_recovery_code'),
  ...all('shop', 'wrong_tries'),
  // Guests, orders, cards, bookings.
  ...all('shop', 'customer', 'customer_address', 'identity_change', 'order_brake_lift', 'idempotency_key'),
  ...all('shop', 'delivery_order', 'order_number', 'outbox', 'audit', 'change', 'change_counter'),
  ...all('shop', 'loyalty_card', 'loyalty_entry', 'loyalty_greeting', 'loyalty_program', 'loyalty_reward'),
  ...all('shop', 'loyalty_reward_item', 'loyalty_visit_item', 'loyalty_voucher_use'),
  ...all('shop', 'wallet_class', 'wallet_object', 'wallet_registration'),
  ...all('shop', 'booking', 'booking_block', 'booking_day', 'booking_hold', 'booking_settings'),
  ...all('shop', 'booking_table', 'table_join'),
  // The floor, the kitchen, tills.
  ...all('shop', 'ticket_check', 'ticket', 'ticket_round', 'ticket_item', 'ticket_number', 'table_occupancy'),
  ...all('shop', 'kitchen_station', 'kitchen_firing', 'kitchen_ticket', 'kitchen_line'),
  ...all('shop', 'till', 'till_cash', 'z_counter', 'sale', 'sale_number', 'sale_payment', 'undone_sale'),
  ...all('shop', 'sale_refund', 'sale_refund_line', 'part_payment', 'staff_drink', 'staff_drink_day'),
  ...all('shop', 'replay_event'),
  // What belongs to no shop, or leads to one.
  ...all({ by: 'id' }, 'locator'),
  ...all({ by: 'phone' }, 'otp_phone', 'guest_phone'),
  ...all({ by: 'token_hash' }, 'device_token', 'stream_token'),
  ...all(
    'coordinator',
    'message_budget',
    'request_limit',
    'feed_clock',
    'sign_in_failure',
    'account_failure',
  ),
  // Read with every shop, and rarely written: while a node is gone, nobody can write them.
  ...all('everywhere', 'shop_slug', 'shop_code', 'migration', 'sending_hold'),
};

/** The column by which a table is spread; null: a node has all of its rows. */
export const spreadBy = (table: string): string | null => {
  const distribution = DISTRIBUTIONS[table];
  if (distribution === 'shop') return 'org_id';
  return typeof distribution === 'object' ? distribution.by : null;
};

const SECRET = 'its random bits, at least 128, are never drawn twice';

/** Unique keys without the shop's id, which get it as their last column, and what keeps them unique over all shops. */
export const WIDENED_KEYS: Readonly<Record<string, string>> = {
  staff_session_pkey: SECRET,
  staff_challenge_pkey: SECRET,
  known_device_pkey: SECRET,
  staff_device_token_once: SECRET,
  staff_device_by_ended_token: SECRET,
  staff_factor_credential_once: 'an authenticator draws it, and it is sought at one person alone',
  dining_table_public_id: 'locator, whose key is the id',
  staff_email_once: 'imports lock each address and look at all shops, and a restore of a shop looks too',
  staff_device_pairing_once: 'it is one of 78 thousand million, and valid for minutes',
};

/** Foreign keys from a table that is not spread by shop to one that is, and what keeps them. */
export const DROPPED_KEYS: Readonly<Record<string, string>> = {
  shop_slug_org_id_fkey: 'a name is written after its shop, and a shop is removed with its names',
};
