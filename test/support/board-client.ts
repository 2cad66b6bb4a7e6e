/** A board that listens over a real socket, as a browser's EventSource does. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Value } from 'typebox/value';
import type { Static } from 'typebox';
import { BoardEvent } from '../../src/orders/contract/staff-orders.ts';

export interface Heard {
  readonly id: string;
  readonly event: string;
  readonly data: Static<typeof BoardEvent>;
}

export interface Listening {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event; rejects when the stream has ended without one. */
  next(): Promise<Heard>;
  /** The next comment, such as a heartbeat. */
  beat(): Promise<string>;
  /** The number that it would come back with. */
  lastId(): string;
  /** Takes nothing more from the socket. */
  stall(): void;
  /** Hangs up. */
  close(): void;
  /** Resolves when the stream has ended, by whomever, with what was heard and not asked for. */
  readonly ended: Promise<readonly Heard[]>;
}

/** What came and was not asked for yet, and who waits for more. */
const queue = <T>() => {
  const come: T[] = [];
  const waiting: { readonly resolve: (one: T) => void; readonly reject: (why: Error) => void }[] = [];
  let isOver = false;
  return {
    come,
    push: (one: T): void => {
      const first = waiting.shift();
      if (first === undefined) come.push(one);
      else first.resolve(one);
    },
    over: (): void => {
      isOver = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the stream has ended'));
    },
    next: (): Promise<T> => {
      const one = come.shift();
      if (one !== undefined) return Promise.resolve(one);
      if (isOver) return Promise.reject(new Error('the stream has ended'));
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
  };
};

interface Fields {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
}

/** The fields of one block; comments apart. */
const fieldsOf = (block: string): Fields & { readonly comments: readonly string[] } => {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return {
    ...{ id: field('id'), event: field('event'), data: field('data') },
    comments: lines.filter((line) => line.startsWith(':')),
  };
};

const heardIn = (id: string, { event = 'message' }: Fields, text: string): Heard => {
  const data: unknown = JSON.parse(text);
  if (!Value.Check(BoardEvent, data)) throw new Error(`no event of a board: ${text.slice(0, 500)}`);
  return { id, event, data };
};

/** Begins to listen; resolves with the head of the answer. */
export const listen = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const [events, beats] = [queue<Heard>(), queue<string>()];
    let lastId = headers['last-event-id'] ?? '';
    const take = (block: string): void => {
      const fields = fieldsOf(block);
      for (const comment of fields.comments) beats.push(comment);
      if (fields.id !== undefined) lastId = fields.id;
      if (fields.data !== undefined) events.push(heardIn(lastId, fields, fields.data));
    };
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (more: string) => {
        const blocks = (text + more).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) take(block);
      });
      response.on('error', () => undefined);
      const ended = new Promise<readonly Heard[]>((over) =>
        response.on('close', () => {
          events.over();
          beats.over();
          over(events.come);
        }),
      );
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        next: events.next,
        beat: beats.next,
        lastId: () => lastId,
        stall: () => void response.pause(),
        close: () => request.destroy(),
        ended,
      });
    });
    request.on('error', reject);
    request.end();
  });

/** Lets what is under way on sockets go on. */
export const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What an event says, in short. */
export const told = ({ event, data }: Heard): string =>
  data.order === undefined ? event : `${data.order.id} ${data.order.status} ${data.order.revision}`;

export const hear = async (board: Listening, count: number): Promise<Heard[]> => {
  const heard: Heard[] = [];
  while (heard.length < count) heard.push(await board.next());
  return heard;
};
