/** Server-Sent Events, for the live boards of the staff. */
import type { ServerResponse } from 'node:http';
import type { EventStream, ServerEvent } from '../../platform/app/answer.ts';
import type { Timers } from '../../ports.ts';
import type { ResponseWriter, Exchange } from './exchange.ts';

/** So that no proxy closes a silent stream; ms. */
export const HEARTBEAT_MS = 15_000;
/** Reconnection time of clients, ms. */
const RETRY_MS = 2_000;

export type Every = Timers['every'];

const written = ({ id, event, data }: ServerEvent): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const writerTo = (response: ServerResponse) => {
  let waiting: (() => void)[] = [];
  let missedBeats = 0;
  const go = (): void => {
    missedBeats = 0;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  response.on('drain', go);
  response.once('close', go);
  /** Resolves when the buffer has room, or the connection has closed. */
  const write = async (text: string): Promise<void> => {
    if (response.writableEnded || response.destroyed || response.write(text)) return;
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    write,
    /** Disconnects a client that read no byte between two heartbeats; a live client reconnects. */
    beat: (): void => {
      if (waiting.length === 0) void write(': alive\n\n');
      else if (++missedBeats > 1) response.destroy();
    },
  };
};

export interface EventStreams {
  send(exchange: Exchange, stream: EventStream): void;
  /** Ends every stream, also later ones. */
  close(): void;
}

export const createEventStreams = (responses: ResponseWriter, every: Every): EventStreams => {
  const open = new Set<() => void>();
  let isClosed = false;
  return {
    send: (exchange, stream) => {
      const { request, response } = exchange;
      if (!responses.begin(exchange, 'text/event-stream; charset=utf-8')) return;
      if (request.method === 'HEAD' || isClosed) {
        response.end();
        return;
      }
      const writer = writerTo(response);
      // A client that is disconnected before the first event resumes from here.
      void writer.write(`retry: ${RETRY_MS}\nid: ${stream.from}\n\n`);
      const stopBeats = every(HEARTBEAT_MS, writer.beat);
      const end = (): void => {
        if (!open.delete(end)) return;
        stopBeats();
        stop();
        response.end();
      };
      open.add(end);
      response.once('close', end);
      const stop = stream.start((event) => writer.write(written(event)), end);
    },
    close: () => {
      isClosed = true;
      for (const end of [...open]) end();
    },
  };
};
