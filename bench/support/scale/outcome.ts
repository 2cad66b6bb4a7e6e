/** What became of a day on one side. */
import { serverBytes } from '../processes.ts';
import { HOURS_OF_DAY, TOP_HOUR } from './day.ts';
import { replayHour } from './replay-hour.ts';
import { cpuOf, type Cpu, type Side } from './side.ts';

const HOUR_SECONDS = 3;
/** Of the fullest hour, whose answers are timed. */
const TOP_SECONDS = 40;

/** Rows and bytes of a side's database. */
interface Stored {
  readonly orders: number;
  readonly sales: number;
  readonly bytes: number;
  readonly logged: number;
}

const storedIn = async (side: Side): Promise<Stored> => ({
  orders: await side.number('select count(*) from delivery_order'),
  sales: await side.number("select count(*) from sale where source = 'counter'"),
  bytes: await side.number('pg_database_size(current_database())'),
  logged: await side.number("pg_current_wal_lsn() - '0/0'"),
});

export interface Outcome {
  /** Cores, in the fullest hour. */
  readonly top: Cpu;
  /** Milliseconds of the answers in the fullest hour. */
  readonly times: Side['visitors']['times'];
  /** Milliseconds from the acknowledgement of an order until its board had it. */
  readonly news: readonly number[];
  /** Bytes of the database, and of its log, for one sale. */
  readonly bytesPerSale: number;
  readonly loggedPerSale: number;
  /** Of the server, in bytes. */
  readonly memory: number;
  readonly acknowledged: number;
  /** Each as a line: wrong answers, and what was acknowledged and is not there once. */
  readonly faults: readonly string[];
}

/** Replays one hour of all sides in turn; the first changes with each hour. */
const replayInTurn = async (sides: readonly Side[], shops: number, hour: number): Promise<void> => {
  const order = hour % 2 === 0 ? sides : [...sides].reverse();
  for (const { visitors } of order) await replayHour(visitors, shops, hour, HOUR_SECONDS);
};

const topHour = async (side: Side, shops: number): Promise<Pick<Outcome, 'top' | 'times'>> => {
  side.visitors.forgetTimes();
  const { server, postgres, seconds } = await cpuOf(side, () =>
    replayHour(side.visitors, shops, TOP_HOUR, TOP_SECONDS),
  );
  return {
    top: { server: server / seconds, postgres: postgres / seconds },
    times: new Map(side.visitors.times),
  };
};

const counted = (what: string, acknowledged: number, stored: number): readonly string[] =>
  acknowledged === stored ? [] : [`${acknowledged} ${what} acknowledged, ${stored} stored`];

const closed = async (side: Side, before: Stored, top: Pick<Outcome, 'top' | 'times'>): Promise<Outcome> => {
  const { visitors, boards } = side;
  const { orders, sales } = visitors.acknowledged;
  const after = await storedIn(side);
  const unseen = [...orders.keys()].filter((id) => !boards.seen.has(id));
  return {
    ...top,
    news: [...orders].flatMap(([id, at]) => {
      const seen = boards.seen.get(id);
      return seen === undefined ? [] : [Math.max(0, seen - at)];
    }),
    bytesPerSale: (after.bytes - before.bytes) / (orders.size + sales),
    loggedPerSale: (after.logged - before.logged) / (orders.size + sales),
    memory: serverBytes(side.pid),
    acknowledged: orders.size + sales,
    faults: [
      ...visitors.wrong,
      ...counted('online orders', orders.size, after.orders - before.orders),
      ...counted('counter sales', sales, after.sales - before.sales),
      ...(unseen.length === 0 ? [] : [`${unseen.length} orders on no board`]),
      ...(boards.lost() === 0 ? [] : [`${boards.lost()} boards were not let in again`]),
    ],
  };
};

/** A day of each side, hour by hour in turn. */
export const replayDay = async (
  sides: readonly Side[],
  shops: number,
  onHour: (hour: number) => void,
): Promise<readonly Outcome[]> => {
  const before = await Promise.all(sides.map(storedIn));
  for (const { visitors } of sides) visitors.begin();
  const tops: Pick<Outcome, 'top' | 'times'>[] = [];
  for (const hour of HOURS_OF_DAY) {
    onHour(hour);
    if (hour !== TOP_HOUR) await replayInTurn(sides, shops, hour);
    else for (const side of sides) tops.push(await topHour(side, shops));
  }
  const outcomes: Outcome[] = [];
  for (const [n, side] of sides.entries()) {
    const [start, top] = [before[n], tops[n]];
    if (start === undefined || top === undefined) throw new RangeError('A side had no day.');
    outcomes.push(await closed(side, start, top));
  }
  return outcomes;
};
