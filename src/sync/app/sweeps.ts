/** Work of the sync feed that falls due by the clock. */
import type { Kysely } from 'kysely';
import { MINUTES_IN_FEED as MINUTES_OF_BOOKINGS } from '../../bookings/app/shared.ts';
import { feedScope, type Change } from '../../kernel/change.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { addMinutes, type Span } from '../../kernel/time.ts';
import { MINUTES_ON_BOARD } from '../../kitchen/domain/firing.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { Meter } from '../../platform/app/meter.ts';
import { BATCH, forEachDue, forEachOf, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { oldChanges, trimChanges } from '../../platform/store/change-log.ts';
import { areAllHeard } from '../../platform/store/nodes/spread.ts';
import type { Database } from '../../platform/store/schema.ts';
import { MINUTES_IN_FEED as MINUTES_OF_SALES } from '../../sales/domain/feed.ts';
import {
  beginFeedClock,
  departedBookings,
  departedGuests,
  departedKitchenTickets,
  departedSales,
  departedTills,
  setFeedClock,
} from '../store/departures.ts';
import { branchesWithDueEvents, forgetWordsOfEvents, shopsWithWords } from '../store/replay-event.ts';
import { setVoucherKeys, shopsWithVouchers, toldVoucherKeys } from '../store/voucher-keys.ts';
import { MINUTES_OF_CUSTOMERS } from './own-sources.ts';
import type { EventAppliers } from './replay/apply-event.ts';
import { applyDue, overdueAt } from './replay/due-events.ts';

/** By the type of the change that tells of them: how long devices hold rows, and which have left. */
const DEPARTURES = {
  sale: { minutes: MINUTES_OF_SALES, find: departedSales },
  till: { minutes: MINUTES_OF_SALES, find: departedTills },
  kitchen_ticket: { minutes: MINUTES_ON_BOARD, find: departedKitchenTickets },
  booking: { minutes: MINUTES_OF_BOOKINGS, find: departedBookings },
  customer: { minutes: MINUTES_OF_CUSTOMERS, find: departedGuests },
} as const;

/** Departures of so long are told of at a time. */
const MOST_MINUTES = 6 * 60;

/** A till that is closed now may be committed later: no transaction takes so long. */
const LAG_MINUTES = 5;

interface ShopChanges {
  /** The shop's. */
  readonly id: Uuid;
  readonly changes: readonly Change[];
}

/** Logs changes of many shops, each in a transaction of its own. Devices of a closed shop begin anew when it is opened. */
const tellShops = (shops: readonly ShopChanges[]): Sweep['run'] =>
  forEachOf(shops, (app, { id, changes }) =>
    commitAndPublish(app, (_tx, log) => {
      log.add(id, ...changes);
      return Promise.resolve();
    }),
  );

const departedIn = async (db: Kysely<Database>, span: Span): Promise<readonly ShopChanges[]> => {
  const departed: { readonly orgId: Uuid; readonly change: Change }[] = [];
  for (const [type, { find, minutes }] of Object.entries(DEPARTURES))
    for (const { orgId, id } of await find(db, span, minutes))
      departed.push({ orgId, change: { scope: feedScope, type, id, op: 'upsert' } });
  return [...groupBy(departed, ({ orgId }) => orgId)].map(([id, rows]) => ({
    id,
    changes: rows.map(({ change }) => change),
  }));
};

/**
 * What is interrupted is told again, and two processes at once may both tell: that a row has left may be told twice. A shop
 * that cannot be told is told with the others in the next minute. The clock is one for all: while a node is silent, it stands.
 */
const departures: Sweep['run'] = async (app, isStopped) => {
  if (!(await areAllHeard(app.db.kysely))) return;
  const until = addMinutes(app.clock.now(), -LAG_MINUTES);
  let start = await beginFeedClock(app.db.kysely, until);
  while (start < until) {
    const span = { start, end: Math.min(until, addMinutes(start, MOST_MINUTES)) };
    await tellShops(await departedIn(app.db.kysely, span))(app, isStopped);
    if (isStopped()) return;
    await setFeedClock(app.db.kysely, span);
    start = span.end;
  }
};

/** A device verifies vouchers with the keys that it has pulled: a change of SECRET_KEY is one of its settings. */
const voucherKeys: Sweep['run'] = async (app, isStopped) => {
  const { kysely } = app.db;
  if (!(await areAllHeard(kysely))) return;
  const keys = app.voucherKeys.published.map(({ kid }) => kid).join();
  if ((await toldVoucherKeys(kysely)) === keys) return;
  const shops = await shopsWithVouchers(kysely);
  const settingsOf = (id: Uuid): Change => ({ scope: feedScope, type: 'branch_settings', id, op: 'upsert' });
  await tellShops(shops.map((id) => ({ id, changes: [settingsOf(id)] })))(app, isStopped);
  if (!isStopped()) await setVoucherKeys(kysely, keys);
};

/** What a device has not read for so long it reads anew (Decisions 13). */
const KEPT_MINUTES = 30 * 24 * 60;

const trim: Sweep['run'] = async ({ db, clock }, isStopped) => {
  const before = addMinutes(clock.now(), -KEPT_MINUTES);
  const find = () => oldChanges(db.kysely, before, BATCH);
  for (let old = await find(); old.length > 0 && !isStopped(); old = await find())
    for (const changes of old) await trimChanges(db.kysely, changes);
};

/** Guests' names and notes are kept no longer than those of sales. */
const KEPT_WORDS_MINUTES = 24 * 60;

const forgetWords: Sweep['run'] = inBatches(async ({ db }, now) => {
  const before = addMinutes(now, -KEPT_WORDS_MINUTES);
  let count = 0;
  for (const orgId of await shopsWithWords(db.kysely, before, BATCH))
    count += await db.tx((tx) => forgetWordsOfEvents(tx, orgId, before, BATCH - count));
  return count;
});

/** Of a branch in a run, some seconds of work: the other sweeps wait meanwhile. */
const MOST_EVENTS = 200;
/** No request is measured. */
const NO_METER = new Meter(() => 0);

/** Money that waits for its till too long, also where no device of the branch sends any more. */
const dueEvents = (appliers: EventAppliers): Sweep['run'] =>
  forEachDue({
    find: ({ db }, query) => branchesWithDueEvents(db.kysely, overdueAt(query.now), query),
    handle: (app, { orgId, id: branchId }) =>
      applyDue({ app, appliers }, { orgId, branchId, meter: NO_METER }, MOST_EVENTS),
  });

export const sweepsOf = (appliers: EventAppliers): readonly Sweep[] => [
  { name: 'rows that leave the devices', everyMs: 60_000, run: departures },
  { name: 'keys of vouchers', everyMs: 60_000, run: voucherKeys },
  ...hourly({
    'old changes': trim,
    'words of guests in events of devices': forgetWords,
    'events of devices that are due': dueEvents(appliers),
  }),
];
