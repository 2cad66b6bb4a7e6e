/** Durable writes of eight clients over HTTP. */
import type { Ahwa } from './ahwa.ts';
import { concurrently, type Timings } from './concurrently.ts';
import { openConnection, post } from './connection.ts';
import { cpuSeconds } from './processes.ts';
import { CLIENTS, type WriteJob } from './write-job.ts';

/** Of each client: the first turn, and how many. */
export interface Turns {
  readonly from: number;
  readonly turns: number;
}

export interface Posted extends Timings {
  /** Server CPU seconds per write. */
  readonly cpu: number;
}

export const postWrites = async (
  { pid, port }: Ahwa,
  job: WriteJob,
  { from, turns }: Turns,
): Promise<Posted> => {
  const requests = Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: turns }, (__, turn) => {
      if (job.textOf !== undefined) return job.textOf(client, from + turn);
      const { body, key } = job.requestOf(client, from + turn);
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
      return post(job.path, JSON.stringify(body), headers);
    }),
  );
  const connections = requests.map(() => openConnection(port));
  const before = cpuSeconds(pid);
  const taken = await concurrently(CLIENTS, turns, async (client, turn) => {
    const answer = await connections[client]?.ask(requests[client]?.[turn] ?? '');
    if (answer?.status !== (job.status ?? 201))
      throw new Error(`${job.path} answers ${answer?.status ?? 0}: ${answer?.body.toString() ?? ''}`);
  });
  for (const connection of connections) connection.close();
  return { ...taken, cpu: (cpuSeconds(pid) - before) / (CLIENTS * turns) };
};
