/** Sends recorded statements again, by node-postgres alone: what PostgreSQL and the driver take, without a program. */
import pg from 'pg';
import { atOnce, type Taken } from './orders-at-once.ts';
import type { Sheet } from './replay-record.ts';

/** The sheets of each client, in the order of its jobs. */
export type Script = readonly (readonly Sheet[])[];

/** Statements that are sent together, and whose answers are awaited together. */
type Trip = readonly pg.QueryConfig[];

/** A statement that the program came to prepare is prepared from the start: the program measured is warm too. */
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

/** Round trips of a job. */
export const tripsIn = (sheet: Sheet): number => sheet.filter(({ joins }) => !joins).length;

const send = async (client: pg.Client, trips: readonly Trip[]): Promise<void> => {
  for (const trip of trips) await Promise.all(trip.map((query) => client.query(query)));
};

/** A connection for each client of the script: first `warm` jobs of each, then the others, which are timed. */
export const replay = async (connection: pg.ClientConfig, script: Script, warm: number): Promise<Taken> => {
  const names = namesIn(script);
  const jobs = script.map((sheets) => sheets.map((sheet) => tripsOf(sheet, names)));
  const pipeline = script.flat(2).some(({ joins }) => joins);
  const clients = script.map(() => new pg.Client({ ...connection, pipeline }));
  await Promise.all(clients.map((client) => client.connect()));
  const run = (from: number, turns: number): Promise<Taken> =>
    atOnce(clients.length, turns, async (index, turn) => {
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
