/** What the sync feed tells devices of (Decisions 13). */

/** In the order in which a snapshot lists them: what others name stands first. */
export const FEED_TYPES = [
  'branch_settings',
  'staff',
  'category',
  'addon',
  'modifier_group',
  'menu_item',
  'deal',
  'discount',
  'table',
  'customer',
  'till',
  'booking',
  'open_ticket',
  'kitchen_ticket',
  'delivery',
  'sale',
] as const;
export type FeedType = (typeof FEED_TYPES)[number];
