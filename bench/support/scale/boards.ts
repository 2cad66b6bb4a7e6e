/** The boards of all branches: a stream of events each, on which new orders appear. */
import { request, type ClientRequest } from 'node:http';
import { addressBy } from './addresses.ts';
import type { Place } from './shops.ts';

export interface Boards {
  /** Moments when each order was first seen, as `performance.now()`. */
  readonly seen: ReadonlyMap<string, number>;
  /** Boards that were not let in again. */
  readonly lost: () => number;
  close(): void;
}

const ORDER = /"type":"delivery","id":"([0-9a-f-]{36})"/g;
const EVENT_ID = /^id: (\d+)$/gm;
/** Boards that are opened at the same time. */
const AT_ONCE = 8;

export const openBoards = async (port: number, places: readonly Place[]): Promise<Boards> => {
  const seen = new Map<string, number>();
  const open = new Set<ClientRequest>();
  let [lost, isClosed] = [0, false];

  /** Resolves when the stream has begun. A stream ends after some minutes; then the board comes back. */
  const follow = (place: Place, client: number, lastEventId = ''): Promise<void> =>
    new Promise((resolve) => {
      let last = lastEventId;
      const again = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId };
      const asking = request({
        ...{ port, host: '127.0.0.1', localAddress: addressBy(client), agent: false },
        path: `/staff/events?branch_id=${place.branchId}`,
        headers: { Authorization: `Bearer ${place.staffToken}`, ...again },
      });
      const fail = (): void => {
        if (!isClosed) lost += 1;
        resolve();
      };
      open.add(asking);
      asking.on('error', fail).on('response', (answer) => {
        if (answer.statusCode !== 200) {
          fail();
          return;
        }
        resolve();
        answer.setEncoding('utf8').on('data', (text: string) => {
          last = [...text.matchAll(EVENT_ID)].at(-1)?.[1] ?? last;
          for (const [, id = ''] of text.matchAll(ORDER)) if (!seen.has(id)) seen.set(id, performance.now());
        });
        answer.on('error', fail).on('end', () => {
          open.delete(asking);
          if (!isClosed) void follow(place, client, last);
        });
      });
      asking.end();
    });

  let next = 0;
  const opener = async (): Promise<void> => {
    for (let client = next++; client < places.length; client = next++) {
      const place = places[client];
      if (place !== undefined) await follow(place, client);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, opener));
  return {
    seen,
    lost: () => lost,
    close: () => {
      isClosed = true;
      for (const asking of open) asking.destroy();
    },
  };
};
