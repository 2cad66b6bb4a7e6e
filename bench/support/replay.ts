/** Replays recorded statements by node-postgres alone: the cost of PostgreSQL and the driver. */
import pg from 'pg';
import { concurrently, type Timings } from './concurrently.ts';
import type { Sheet } from './replay-record.ts';

/** Each client's sheets, in job order. */
export type Script = readonly (readonly Sheet[])[];

/** Statements of one round trip. */
type Trip = readonly pg.QueryConfig[];

/** Prepares from the start what the program prepares later: the measured program is warm too. */
const namesIn = (script: Script): ReadonlyMap<string, string> =>
  new Map(
    script.flat(2).flatMap(({ text, name }): [string, string][] => (name === null ? [] : [[text, name]])),
  );

const tripsOf = (sheet: Sheet, names: ReadonlyMap<string, string>): readonly Trip[] => {
  const trips: pg.QueryConfig[][] = [];
  for (const { text, values, joins } of sheet) {
    const name = names.get(text);
    const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    if (joins) trips.at(-1)?.push(query);
    else trips.push([query]);
  }
  return trips;
};

export const tripsIn = (sheet: Sheet): number => sheet.filter(({ joins }) => !joins).length;

const send = async (client: pg.Client, trips: readonly Trip[]): Promise<void> => {
  for (const trip of trips) await Promise.all(trip.map((query) => client.query(query)));
};

/** One connection per client: `warm` jobs untimed, then the others timed. */
export const replay = async (connection: pg.ClientConfig, script: Script, warm: number): Promise<Timings> => {
  const names = namesIn(script);
  const jobs = script.map((sheets) => sheets.map((sheet) => tripsOf(sheet, names)));
  const pipeline = script.flat(2).some(({ joins }) => joins);
  const clients = script.map(() => new pg.Client({ ...connection, pipeline }));
  await Promise.all(clients.map((client) => client.connect()));
  const run = (from: number, turns: number): Promise<Timings> =>
    concurrently(clients.length, turns, async (index, turn) => {
      const [client, trips] = [clients[index], jobs[index]?.[from + turn]];
      if (client === undefined || trips === undefined) throw new RangeError('The script is too short.');
      await send(client, trips);
    });
  try {
    await run(0, warm);
    return await run(warm, (script[0]?.length ?? 0) - warm);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
};
