/** Errors below requests: broken protocol and timeouts. */
import { STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { invalidInput, Refusal, type Problem } from '../../../kernel/refusal.ts';
import { MAX_ADDRESS } from '../address.ts';
import type { Connections } from './connections.ts';
import { PUBLIC_HEADERS, JSON_TYPE } from '../headers.ts';
import { lingeringClose } from './lingering-close.ts';
import { errorBody, statusOf } from '../refuse.ts';

/** All in ms. */
export interface Timeouts {
  /** Until the header lines are complete. */
  readonly headers: number;
  /** Until the request is complete. */
  readonly request: number;
  /** Between two requests of a connection. */
  readonly keepAlive: number;
  /** Without a byte in either direction. */
  readonly idle: number;
  /** Without a byte taken of a written response: up to twice as long. */
  readonly stall: number;
  /** How often the first two are checked. */
  readonly check: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  idle: 70_000,
  stall: 10_000,
  check: 2_000,
};

/** Bytes of header lines. */
export const MAX_HEADER_BYTES = 16 * 1024;

const isLongAddress = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet.length > MAX_ADDRESS && !packet.subarray(0, MAX_ADDRESS).includes('\r\n');

const NOT_ENCODED: Problem = {
  problem: 'has characters that must be percent-encoded',
  arabic: 'في العنوان محارف يجب ترميزها بعلامات %',
};

const refusalOf = (fault: Error & { readonly code?: string; readonly rawPacket?: unknown }): Refusal => {
  if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('REQUEST_TIMEOUT');
  if (fault.code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(isLongAddress(fault.rawPacket) ? 'ADDRESS_TOO_LONG' : 'HEADERS_TOO_LARGE');
  if (fault.code === 'HPE_INVALID_URL') return invalidInput({ path: 'address', ...NOT_ENCODED });
  return invalidInput({ path: 'request', problem: 'is not valid HTTP', arabic: 'الطلب ليس HTTP صحيحًا' });
};

/** A response to HEAD has no body, even to a request that could not be parsed (RFC 9110, 9.3.2). */
const beganAsHead = (packet: unknown): boolean =>
  Buffer.isBuffer(packet) && packet.subarray(0, 5).toString('latin1') === 'HEAD ';

const rawResponse = (refusal: Refusal, headers: readonly string[], withBody: boolean): string => {
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
    ...PUBLIC_HEADERS,
    ...headers,
  ];
  const head = lines.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${withBody ? body : ''}`;
};

export interface SocketParts {
  /** Request id and limits, for a response to this address. */
  readonly headersFor: (remoteAddress: string | undefined) => readonly string[];
  readonly connections: Pick<Connections, 'of'>;
  readonly answered: (status: number) => void;
}

type ClientError = Error & { readonly code?: string; readonly rawPacket?: unknown };

/** Refuses on the bare socket what never becomes a request, in its turn. */
export const refuseClientErrors = (server: Server, parts: SocketParts): void => {
  const refuse = (
    socket: Duplex,
    refusal: Refusal,
    headers: readonly string[] = [],
    withBody = true,
  ): void => {
    // Always true without TLS.
    if (!(socket instanceof Socket)) return;
    const connection = parts.connections.of(socket);
    if (connection.isEnding) return;
    // Node has removed its own listener.
    socket.on('error', () => undefined);
    connection.abortInput(refusal, () => {
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      const lines = [...headers, ...parts.headersFor(socket.remoteAddress)];
      lingeringClose(socket, rawResponse(refusal, lines, withBody));
      parts.answered(statusOf(refusal));
    });
  };
  server.on('clientError', (fault: ClientError, socket) => {
    const connection = socket instanceof Socket ? parts.connections.of(socket) : null;
    const isLate = fault.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.isEnding === true;
    // The client closed its side in the middle of a request, behind others: it waits for no response.
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
  server.setTimeout(timeouts.idle);
};
