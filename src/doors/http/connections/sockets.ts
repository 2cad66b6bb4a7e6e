/** What happens below requests: connections that break the protocol or the time limits, and the orderly stop. */
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import { MAX_ADDRESS } from '../address.ts';
import type { Connections } from './connections.ts';
import { EVERY_ANSWER, JSON_TYPE } from '../headers.ts';
import { endSlowly } from './linger.ts';
import type { Listening } from './listening.ts';
import { errorBody, statusOf } from '../refuse.ts';

/** All in ms. Slow senders, silent readers and idle connections each end by one of these. */
export interface Timeouts {
  /** Until the header lines are there. */
  readonly headers: number;
  /** Until the whole request is there. */
  readonly request: number;
  /** Between two requests of a connection. */
  readonly keepAlive: number;
  /** Without a byte in either direction, an answer being read included. */
  readonly silence: number;
  /** Without a byte taken of an answer that is written whole: up to twice as long. */
  readonly stall: number;
  /** How often the first two are looked at. */
  readonly check: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  silence: 70_000,
  stall: 10_000,
  check: 2_000,
};

/** The parser keeps at most this much of header lines. */
export const MAX_HEADER_BYTES = 16 * 1024;

const isLongAddress = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet.length > MAX_ADDRESS && !packet.subarray(0, MAX_ADDRESS).includes('\r\n');

/** The parser's and the timers' complaints as refusals. */
const refusalOf = (fault: Error & { readonly code?: string; readonly rawPacket?: unknown }): Refusal => {
  if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('REQUEST_TIMEOUT');
  if (fault.code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(isLongAddress(fault.rawPacket) ? 'ADDRESS_TOO_LONG' : 'HEADERS_TOO_LARGE');
  if (fault.code === 'HPE_INVALID_URL')
    return invalidInput({ path: 'address', problem: 'has characters that must be percent-encoded' });
  return invalidInput({ path: 'request', problem: 'is not valid HTTP' });
};

/** Whether what could not be read began as a HEAD, whose answer has no body (RFC 9110, 9.3.2). */
const beganAsHead = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet.subarray(0, 5).toString('latin1') === 'HEAD ';

/** A whole HTTP/1.1 answer as text; the connection ends with it. */
const rawAnswer = (refusal: Refusal, headers: readonly string[], withBody: boolean): string => {
  const status = statusOf(refusal);
  const body = JSON.stringify(errorBody(refusal, 'en'));
  const lines = [
    ...['Date', new Date().toUTCString(), 'Connection', 'close', 'Cache-Control', 'no-store'],
    ...[
      'Content-Type',
      JSON_TYPE,
      'Content-Length',
      String(Buffer.byteLength(body)),
      'Vary',
      'Accept-Language',
    ],
    ...EVERY_ANSWER,
    ...headers,
  ];
  const head = lines.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${withBody ? body : ''}`;
};

export interface SocketParts {
  /** Header lines (request id, limits) of an answer to a connection from there; counts it. */
  readonly linesFor: (remoteAddress: string | undefined) => readonly string[];
  readonly connections: Pick<Connections, 'of'>;
  readonly answered: (status: number) => void;
}

type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** Answers on the bare connection whatever never becomes a request, in its turn. */
export const guardSockets = (server: Server, parts: SocketParts): void => {
  const refuse = (
    socket: Duplex,
    refusal: Refusal,
    headers: readonly string[] = [],
    withBody = true,
  ): void => {
    // Every connection of a server without TLS is one.
    if (!(socket instanceof Socket)) return;
    const connection = parts.connections.of(socket);
    if (connection.isEnding) return;
    // Node has taken its own listener away.
    socket.on('error', () => undefined);
    connection.breakOff(refusal, () => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      const lines = [...headers, ...parts.linesFor(socket.remoteAddress)];
      endSlowly(socket, rawAnswer(refusal, lines, withBody));
      parts.answered(statusOf(refusal));
    });
  };
  server.on('clientError', (fault: ClientError, socket) => {
    const connection = socket instanceof Socket ? parts.connections.of(socket) : null;
    const isLate = fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.isEnding === true;
    // The client has ended its side, and left a request unfinished behind others: nobody waits for their answers.
    const hasLeft = fault.code === 'HPE_INVALID_EOF_STATE' && (connection?.waiting ?? 0) > 0;
    if (fault.code === 'ECONNRESET' || isLate || hasLeft) socket.destroy();
    else refuse(socket, refusalOf(fault), [], !beganAsHead(fault.rawPacket));
  });
  server.on('connect', (_, socket) =>
    refuse(socket, new Refusal('METHOD_NOT_ALLOWED'), ['Allow', 'GET, HEAD, POST']),
  );
};

export const applyTimeouts = (server: Server, timeouts: Timeouts): void => {
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.keepAliveTimeout = timeouts.keepAlive;
  server.setTimeout(timeouts.silence);
};

/** How often connections that have fallen idle are ended while stopping, ms. */
const REAP_MS = 25;

/**
 * Stops accepting, lets answers under way finish for at most `graceMs`, then ends what is left. Connections end with
 * their answer, the idle ones at once.
 */
export const stopGently = async (
  server: Server,
  listening: Pick<Listening, 'end'>,
  graceMs: number,
): Promise<void> => {
  const closed = listening.end();
  // An answer written before the stop began has left its connection open: it falls idle later.
  const reaping = setInterval(() => server.closeIdleConnections(), REAP_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(reaping);
  clearTimeout(grace);
};
