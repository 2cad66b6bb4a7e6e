/** Statements that do not name a shop at each of their tables, and why. */

/** Tables that lead to a shop: their key is not the shop's, although they have its id. */
export const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  locator: 'leads from an id to its shop',
  shop_code: 'leads from the code in an id or token to its shop',
  shop_slug: 'leads from the name in an address to its shop',
};

const named = (reason: string, ...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]));

/** By the function that sends them. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  ...named(
    'looks for what is due at any shop; what it finds is worked on shop by shop',
    'bookings/store/reminder.ts dueReminders',
    'bookings/store/sweep.ts finishedBookings',
    'bookings/store/sweep.ts missedBookings',
    'floor/store/sweep.ts endedTickets',
    'kitchen/store/forget.ts forgetOldFirings',
    'loyalty/store/greeting.ts greetingShops',
    'menu/store/sweep.ts shopsWithExpiredChannelModes',
    'menu/store/sweep.ts shopsWithExpiredSnoozes',
    'messaging/store/outbox.ts dueHeads',
    'messaging/store/outbox.ts dueKinds',
    'orders/store/sweep.ts unconfirmedOrders',
    'platform/store/change-log.ts oldChanges',
    'reports/store/reports.ts learningBranches',
    'staff/store/sweep.ts unusedDevices',
    'sync/store/departures.ts',
    'sync/store/replay-event.ts branchesWithDueEvents',
    'sync/store/replay-event.ts shopsWithWords',
    'sync/store/voucher-keys.ts shopsWithVouchers',
  ),
  ...named(
    'deletes or clears a bounded number of rows that are past their time, of all shops',
    'messaging/store/parking.ts parkStale',
    'platform/store/nodes/batch.ts find',
    'platform/store/nodes/batch.ts send',
  ),
  ...named('which few shops are closed, by an index of them', 'platform/store/closed-shop.ts closedShops'),
  ...named(
    'what other processes have changed at any shop',
    'platform/store/change-feed.ts readFeed',
    'platform/store/nodes/feed.ts positionAt',
  ),
  ...named(
    'of many shops at once: what was used in the last seconds, or listens to boards',
    'staff/store/devices.ts touchDevices',
    'staff/store/sessions.ts liveSessionsOf',
    'staff/store/sessions.ts touchSessions',
  ),
  ...named(
    'a sign-in names no shop',
    'staff/store/known-devices.ts deviceKnownFor',
    'staff/store/staff.ts staffByEmail',
  ),
  ...named(
    'finds the shop of a token of an older build, or of a code that a person types',
    'staff/store/shop-by-secret.ts shopOfDevice',
    'staff/store/shop-by-secret.ts shopOfPairingCode',
    'staff/store/shop-by-secret.ts shopOfSession',
  ),
  ...named(
    'the contract fixes the form of the token of a card, and a pass has its id',
    'loyalty/store/card-in-sale.ts cardInCart',
    'loyalty/store/card.ts memberByToken',
    'loyalty/store/entry.ts cardStateOf',
    'loyalty/store/wallets.ts cardById',
    'loyalty/store/wallets.ts cardsOnDevice',
  ),
  ...named(
    'finds the shop of an id, a link or a name, and whether it is active, in one round trip',
    'bookings/store/booking.ts bookingByLink',
    'orders/store/checkout.ts orderUnderKey',
    'shops/store/shop.ts activeShop',
  ),
  ...named(
    'a provider names messages by its own ids, or fails for all shops',
    'messaging/store/message-report.ts shopsOfAccepted',
    'messaging/store/message-report.ts recordArrivals',
    'messaging/store/parking.ts parkWaiting',
  ),
  ...named(
    'a scrape of the metrics counts over all shops',
    'messaging/store/outbox-size.ts countOutbox',
    'orders/store/open-orders.ts countOpenOrders',
  ),
  ...named(
    'a command or start looks at the whole database',
    'service/store/demo-members.ts liveCards',
    'service/store/demo.ts demoShops',
    'service/store/demo.ts demoTables',
    'service/store/demo.ts existingOrders',
    'service/store/demo.ts markDemo',
    'service/store/demo.ts ownersOf',
    'service/store/demo.ts setDemoSecrets',
    'shopfile/store/shopfile.ts emailOwners',
    'staff/store/key-use.ts keyUses',
    'staff/store/key-use.ts unpepperedHashes',
  ),
};

/** Files that delete or clear batches of all shops, besides each `store/sweep.ts`. */
export const BATCHES: Readonly<Record<string, string>> = {
  ...named(
    'it is beside the other statements of its table',
    'bookings/store/hold.ts',
    'loyalty/store/voucher.ts',
    'sales/store/sale.ts',
  ),
  ...named('limits are of clients, not of shops', 'platform/store/request-limits.ts'),
};

/** A transaction with a statement of one of these functions may write for many shops. */
export const OF_MANY_SHOPS: Readonly<Record<string, string>> = {
  ...named(
    'an import takes all of its shop files or none',
    'shopfile/store/shopfile.ts insertRows',
    'shopfile/store/shopfile.ts updateRows',
  ),
};

/** Files whose statements run in processes of their own alone, where nobody watches them. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'platform/store/nodes/answering.ts': 'only Citus has nodes that may not answer',
  'platform/store/grants.ts': 'a start in production asks whether its role owns the tables',
};
