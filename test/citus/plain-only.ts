/**
 * What `npm run test:citus` leaves out, and why: every other test that has a database runs on shards, new ones by
 * themselves.
 */
const all = (reason: string, ...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, reason]));

const EMBEDDED = 'it starts the embedded server, which has no Citus';
const PLAN = 'it reads the plan of one server; that of a node has another form';
const COUNT = 'it counts the statements of one server';
const TRIGGER = 'Citus refuses triggers, by which the test makes a statement fail, or counts its rows';

/** Test files, or folders of them. */
export const PLAIN_ONLY: Readonly<Record<string, string>> = {
  ...all('they have no database, or say the same on any', 'test/adapters', 'test/docs', 'test/laws'),
  ...all(
    EMBEDDED,
    'test/platform/embedded-access.test.ts',
    'test/platform/embedded-folder.test.ts',
    'test/platform/embedded-postgres.test.ts',
    'test/process/backup-commands.test.ts',
    'test/process/backup.test.ts',
    'test/process/contested-tables.test.ts',
    'test/process/crash-orders.test.ts',
    'test/process/crash-replay.test.ts',
    'test/process/crash-tickets.test.ts',
    'test/process/first-start.test.ts',
    'test/process/full-disk.test.ts',
    'test/process/keys.test.ts',
    'test/process/killed.test.ts',
    'test/process/loyalty-races.test.ts',
    'test/process/move-shop.test.ts',
    'test/process/refusing-database.test.ts',
    'test/process/reload.test.ts',
    'test/process/sending.test.ts',
    'test/process/stopping.test.ts',
    'test/process/two-launchers.test.ts',
    'test/process/workers.test.ts',
  ),
  ...all(
    '`ahwa backup` reads one snapshot, and each node has its own',
    'test/platform/backup.test.ts',
    'test/platform/backup-conditions.test.ts',
    'test/platform/shop-backup.test.ts',
  ),
  ...all(PLAN, 'test/service/sweeper-plan.test.ts'),
  ...all(COUNT, 'test/platform/nodes.test.ts'),
  ...all(
    TRIGGER,
    'test/http/fuzz-operations.test.ts',
    'test/messaging/outbox-faults.test.ts',
    'test/sync/simulator-faults.test.ts',
  ),
};

/** Single tests, by the first words of their titles. */
export const PLAIN_ONLY_TESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'test/http/events-ended.test.ts': all(
    'it turns change counters back, which no restore does: there the feed compares them',
    'a board gets a reset event after its database was restored',
  ),
  'test/orders/order-ids.test.ts': all(COUNT, 'an unknown order id costs one statement'),
  'test/platform/remove-shop.test.ts': all(
    'it lists the constraints of all tables, and finds those of shards',
    'rows that refer to one of many are found by an index',
  ),
  'test/loyalty/join.test.ts': all(
    TRIGGER,
    'by an order is placed also when the card’s token cannot be renewed',
  ),
  'test/messaging/reserved-messages.test.ts': all(
    'it reads the statistics of one session; Citus writes by another',
    'budget rows are updated in place',
  ),
  'test/messaging/outbox.test.ts': all(PLAN, 'a claim reads the indexes of waiting rows'),
  'test/platform/constraints.test.ts': all(
    'it gives a constraint the name of a shard, which it has there',
    'a taken key is recognised by the constraint of a shard',
  ),
  'test/platform/change-feed.test.ts': all(PLAN, 'a poll reads few pages of a large log'),
  'test/sales/sales.test.ts': all(
    'it runs a migration again, whose statement is for tables that are not yet spread',
    'the upgrade books the orders that were delivered before',
  ),
  'test/service/sweeper-deletions.test.ts': all(TRIGGER, '2,500 expired rows are deleted in one round'),
};
