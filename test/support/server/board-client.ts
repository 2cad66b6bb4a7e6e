/** A client of the staff event stream over a real socket, as a browser's EventSource is one. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Value } from 'typebox/value';
import type { Static } from 'typebox';
import { BoardEvent } from '../../../src/orders/contract/staff-orders.ts';

export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Static<typeof BoardEvent>;
}

export interface BoardStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event; rejects once the stream has ended. */
  next(): Promise<ReceivedEvent>;
  /** The next comment, such as a heartbeat. */
  beat(): Promise<string>;
  /** The `Last-Event-ID` of a reconnect. */
  lastId(): string;
  stall(): void;
  close(): void;
  /** Resolves when the stream ends, with the events that `next` did not return. */
  readonly ended: Promise<readonly ReceivedEvent[]>;
}

const queue = <T>() => {
  const received: T[] = [];
  const waiting: { readonly resolve: (one: T) => void; readonly reject: (why: Error) => void }[] = [];
  let isOver = false;
  return {
    received,
    push: (one: T): void => {
      const first = waiting.shift();
      if (first === undefined) received.push(one);
      else first.resolve(one);
    },
    over: (): void => {
      isOver = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the stream has ended'));
    },
    next: (): Promise<T> => {
      const one = received.shift();
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

const fieldsOf = (block: string): Fields & { readonly comments: readonly string[] } => {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return {
    ...{ id: field('id'), event: field('event'), data: field('data') },
    comments: lines.filter((line) => line.startsWith(':')),
  };
};

const heardIn = (id: string, { event = 'message' }: Fields, text: string): ReceivedEvent => {
  const data: unknown = JSON.parse(text);
  if (!Value.Check(BoardEvent, data)) throw new Error(`no event of a board: ${text.slice(0, 500)}`);
  return { id, event, data };
};

export const openBoard = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  /** Names of events that `next` leaves out. */
  ignored: readonly string[] = [],
): Promise<BoardStream> =>
  new Promise((resolve, reject) => {
    const [events, beats] = [queue<ReceivedEvent>(), queue<string>()];
    let lastId = headers['last-event-id'] ?? '';
    const take = (block: string): void => {
      const fields = fieldsOf(block);
      for (const comment of fields.comments) beats.push(comment);
      if (fields.id !== undefined) lastId = fields.id;
      if (fields.data === undefined) return;
      const received = heardIn(lastId, fields, fields.data);
      if (!ignored.includes(received.event)) events.push(received);
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
      const ended = new Promise<readonly ReceivedEvent[]>((over) =>
        response.on('close', () => {
          events.over();
          beats.over();
          over(events.received);
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

/** One turn of the event loop: pending socket events run. */
export const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const summaryOf = ({ event, data }: ReceivedEvent): string =>
  data.order === undefined ? event : `${data.order.id} ${data.order.status} ${data.order.revision}`;

export const receive = async (board: BoardStream, count: number): Promise<ReceivedEvent[]> => {
  const heard: ReceivedEvent[] = [];
  while (heard.length < count) heard.push(await board.next());
  return heard;
};
