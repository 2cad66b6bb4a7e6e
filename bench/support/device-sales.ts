/** Sales of a device without the server, told in requests of 200, beside a replay of the same statements by node-postgres. */
import { randomUUID } from 'node:crypto';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { shopIdOf, derivedId } from '../../src/shopfile/app/entity-ids.ts';
import { deviceOf } from '../../src/staff/app/access.ts';
import type { Ahwa } from './ahwa.ts';
import { openConnection, post } from './connection.ts';
import { numberIn, type Databases } from './databases.ts';
import { median, millis } from './figures.ts';
import { cpuSeconds } from './processes.ts';
import { recordScript } from './record-writes.ts';
import { replay, tripsIn, type Script } from './replay.ts';
import { report } from './report.ts';
import { branchId } from './shop.ts';
import { CALLER } from './write-job.ts';

type Body = BodyOf<EndpointOf<'replayEvents'>>;

const PER_REQUEST = 200;
/** Of a round: 1,000 sales. */
const REQUESTS = 5;
const ROUNDS = 5;
/** Requests before a round that is timed. */
const WARM = 1;
const GOAL = 0.5;

export interface Device {
  readonly slug: string;
  readonly token: string;
  /** Who sells, with an open till. */
  readonly staffId: string;
  readonly tillId: string;
}

/** Of the 1,000 items of `shopFile`, those with one price for all branches, at any hour, in no deal. */
const PLAIN = Array.from({ length: 980 }, (_, place) => place + 20).filter(
  (place) => place % 3 !== 0 && place % 5 !== 0 && place % 7 !== 0,
);
const priceOf = (item: number): number => 3_000 + (item % 40) * 250;

const linesOf = (slug: string, sale: number) =>
  [1, 2, 1].map((quantity, line) => {
    const item = PLAIN[(sale * 3 + line) % PLAIN.length] ?? 0;
    const id = derivedId(shopIdOf(slug), 'item', shopIdOf(slug), { key: `item-${item}` });
    return { menu_item_id: id, quantity, unit_price: priceOf(item) };
  });

const totalOf = (lines: ReturnType<typeof linesOf>): number =>
  lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0);

/** The requests of one round: sales of three lines over the last hours. */
const requestsOf = ({ slug, staffId, tillId }: Device): readonly Body[] => {
  let at = Date.now() - 8 * 60 * 60_000;
  const sale = (place: number) => {
    const items = linesOf(slug, place);
    const total = totalOf(items);
    const payments = [{ method: 'cash', amount: total }];
    return {
      ...{ id: randomUUID(), kind: 'sale', at: new Date((at += 5_000)).toISOString(), by: staffId },
      data: { sale_id: randomUUID(), till_id: tillId, items, total, payments },
    };
  };
  return Array.from({ length: WARM + REQUESTS }, (_, request) => ({
    ...{ branch_id: branchId(slug, 0), device_time: new Date().toISOString() },
    events: Array.from({ length: PER_REQUEST }, (__, place) => sale(request * PER_REQUEST + place)),
  }));
};

const mustBeApplied = (results: readonly { readonly outcome: string }[]): void => {
  const other = results.find(({ outcome }) => outcome !== 'applied');
  if (other !== undefined) throw new Error(`A sale of a device is not applied: ${JSON.stringify(other)}`);
};

interface Round {
  readonly perSecond: number;
  /** CPU seconds of the server for one sale. */
  readonly cpu: number;
}

/** Over HTTP, one request after the other. */
const posted = async ({ pid, port }: Ahwa, device: Device): Promise<Round> => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${device.token}` };
  const requests = requestsOf(device).map((body) => post('/sync/replay', JSON.stringify(body), headers));
  const connection = openConnection(port);
  const ask = async (request: string): Promise<void> => {
    const { status, body } = await connection.ask(request);
    if (status !== 200) throw new Error(`/sync/replay answers ${status}: ${body.toString()}`);
    mustBeApplied((JSON.parse(body.toString()) as { results: { outcome: string }[] }).results);
  };
  for (const request of requests.slice(0, WARM)) await ask(request);
  const [cpu, began] = [cpuSeconds(pid), performance.now()];
  for (const request of requests.slice(WARM)) await ask(request);
  const sales = REQUESTS * PER_REQUEST;
  connection.close();
  return {
    perSecond: sales / ((performance.now() - began) / 1_000),
    cpu: (cpuSeconds(pid) - cpu) / sales,
  };
};

/** As one device sends them to a server that has not been running for long. */
export const recordSales = (dataDir: string, databases: Databases, device: Device): Promise<Script> => {
  const requests = requestsOf(device);
  return recordScript(dataDir, databases, {
    ...{ clients: 1, turns: requests.length },
    run: async ({ replayEvents }, _, turn, app) => {
      const [actor, body] = [await deviceOf(app)(device.token), requests[turn]];
      if (actor === null || body === undefined) throw new Error('The bench prepared too little.');
      mustBeApplied((await replayEvents({ body, actor, caller: CALLER })).results);
    },
  });
};

/** Sales per second by node-postgres alone. */
const replayed = (databases: Databases, script: Script): Promise<number> =>
  databases.withCopy(async (connection) => {
    await databases.settle();
    const { perSecond } = await replay(connection, script, WARM);
    const made = await numberIn(connection, 'select count(*) from sale');
    if (made !== (WARM + REQUESTS) * PER_REQUEST) throw new Error(`${made} sales came of the replay.`);
    return perSecond * PER_REQUEST;
  });

/** Reports `ROUNDS` rounds, the two in turn. */
export const compareSales = async (
  ahwa: Ahwa,
  databases: Databases,
  device: Device,
  script: Script,
): Promise<void> => {
  const rounds: { readonly ours: Round; readonly bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await posted(ahwa, device) : null;
    const bare = await replayed(databases, script);
    rounds.push({ ours: first ?? (await posted(ahwa, device)), bare });
  }
  const ratio = median(rounds.map(({ ours, bare }) => ours.perSecond / bare));
  const cpu = median(rounds.map(({ ours }) => ours.cpu)) * 1_000;
  const trips = (script[0] ?? []).slice(WARM).map((sheet) => tripsIn(sheet) / PER_REQUEST);
  const perSecond = (rates: readonly number[]): string => `${median(rates).toFixed(0)}/s`;
  report(
    'A device tells what it sold',
    [
      {
        job: `${REQUESTS * PER_REQUEST} sales, ${PER_REQUEST} in a request`,
        figure: `${perSecond(rounds.map(({ ours }) => ours.perSecond))}; CPU of the server ${millis(cpu)} a sale`,
        baseline: perSecond(rounds.map(({ bare }) => bare)),
        ...{ ratio: ratio.toFixed(2), goal: `≥ ${GOAL}`, met: ratio >= GOAL },
      },
      { job: 'round trips of one sale, one commit among them', figure: median(trips).toFixed(1) },
    ],
    [
      `Medians of ${ROUNDS} rounds, one request at a time; baseline: the same statements replayed bare, on a fresh copy of the data.`,
    ],
  );
};
