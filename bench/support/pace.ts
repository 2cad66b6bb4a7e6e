/** Requests at a constant rate, independent of the answers, so that a slow server gets no fewer of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { openConnection, type Connection } from './connection.ts';

/**
 * Milliseconds of each answer, one request per `everyMs` until `end` settles. Other statuses than 200 count as
 * `refused`, or throw.
 */
export const paced = async (
  port: number,
  request: string,
  everyMs: number,
  end: Promise<unknown>,
  refused?: number,
): Promise<readonly number[]> => {
  const times: number[] = [];
  const all: Connection[] = [];
  const idle: Connection[] = [];
  const open = (): Connection => {
    const fresh = openConnection(port);
    all.push(fresh);
    return fresh;
  };
  const askOnce = async (): Promise<void> => {
    const asking = idle.pop() ?? open();
    const { status, ms } = await asking.ask(request);
    if (status !== 200 && refused === undefined) throw new Error(`A paced request is answered ${status}.`);
    idle.push(asking);
    times.push(status === 200 ? ms : (refused ?? ms));
  };
  const state = { ended: false };
  const ending = end.then(() => (state.ended = true));
  const asked: Promise<void>[] = [];
  const began = performance.now();
  for (let due = began; !state.ended; due += everyMs) {
    await pause(Math.max(0, due - performance.now()));
    asked.push(askOnce());
  }
  await ending;
  await Promise.all(asked);
  for (const connection of all) connection.close();
  return times;
};
