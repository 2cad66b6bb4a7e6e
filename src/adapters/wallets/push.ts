/**
 * Pushes to phones that hold a pass (APNs): over HTTP/2, with the certificate of the pass, an empty JSON object as the
 * body. A phone that receives a push asks the web service for its changed passes.
 */
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { later, never } from '../../messaging/domain/outbox.ts';
import type { PostOutcome } from '../../ports.ts';
import { fieldOf, retryAfterMs, textIn, valueOfJson } from '../responses.ts';

export interface PushOptions {
  /** https. */
  readonly address: string;
  readonly topic: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** For tests only; undefined: the authorities of Node.js. */
  readonly ca?: string | undefined;
  /** For connection, request and response together. */
  readonly timeLimitMs?: number | undefined;
}

export interface Pusher {
  push(pushToken: string): Promise<PostOutcome>;
  close(): void;
}

const TIME_LIMIT_MS = 10_000;
/** The vendor asks for one long connection instead of many short ones. */
const IDLE_MS = 60_000;
const MAX_REASON_BYTES = 4_096;

interface Answer {
  readonly status: number;
  readonly reason: string | null;
  readonly waitMs: number | null;
}

/** Reasons after which the push token is of no use any more. */
const GONE = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken']);

const textOfHeader = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

const outcomeOf = ({ status, reason, waitMs }: Answer): PostOutcome => {
  const said = `the push server answered ${status}${reason === null ? '' : ` ${reason}`}`;
  if (status === 200) return { sent: true, providerId: null };
  if (status === 410 || (status === 400 && GONE.has(reason ?? '')))
    return { sent: false, again: 'gone', reason: said };
  // 403: the certificate is refused, which the operator can correct within a day.
  const isFinal = status >= 400 && status < 500 && status !== 403 && status !== 429;
  return isFinal ? never(said) : later(said, waitMs);
};

const REASON = /^[A-Za-z]{1,64}$/;

const answerOf = (headers: IncomingHttpHeaders, body: string): Answer => {
  const reason = textIn(fieldOf(valueOfJson(body), 'reason'), 64);
  return {
    status: Number(headers[constants.HTTP2_HEADER_STATUS] ?? 0),
    reason: reason !== null && REASON.test(reason) ? reason : null,
    waitMs: retryAfterMs(headers['retry-after'], textOfHeader(headers['date'])),
  };
};

const ask = (
  session: ClientHttp2Session,
  { topic }: PushOptions,
  token: string,
  signal: AbortSignal,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = session.request(
      {
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: `/3/device/${encodeURIComponent(token)}`,
        'apns-topic': topic,
      },
      { signal },
    );
    let answered: IncomingHttpHeaders | null = null;
    let body = '';
    request.setEncoding('utf8');
    request.on('response', (headers) => (answered = headers));
    request.on('data', (chunk: string) => {
      if (body.length < MAX_REASON_BYTES) body += chunk;
    });
    request.on('error', reject);
    request.on('close', () =>
      answered === null ? reject(new Error('the stream was closed')) : resolve(answerOf(answered, body)),
    );
    request.end('{}');
  });

/** A stream that is cancelled names the fault of its connection as the cause. */
const codeOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return 'no answer';
  if (fault.cause instanceof Error) return codeOf(fault.cause);
  return 'code' in fault ? String(fault.code) : 'no answer';
};

export const createPusher = (options: PushOptions): Pusher => {
  const { address, key, certificate: cert, ca, timeLimitMs = TIME_LIMIT_MS } = options;
  let current: ClientHttp2Session | null = null;
  const opened = (): ClientHttp2Session => {
    if (current !== null && !current.closed && !current.destroyed) return current;
    const session = connect(address, { key, cert, ...(ca === undefined ? {} : { ca }) });
    // Each request hears of the fault itself.
    session.on('error', () => undefined);
    session.on('goaway', () => session.close());
    session.setTimeout(IDLE_MS, () => session.close());
    return (current = session);
  };
  return {
    push: async (token) => {
      const signal = AbortSignal.timeout(timeLimitMs);
      const session = opened();
      try {
        return outcomeOf(await ask(session, options, token, signal));
      } catch (fault) {
        // The connection may be dead: the next push opens another, and those under way on this one end by themselves.
        if (current === session) current = null;
        if (signal.aborted) {
          session.close();
          return later(`no answer of the push server within ${timeLimitMs / 1_000} s`);
        }
        session.destroy();
        return later(`no connection to the push server (${codeOf(fault)})`);
      }
    },
    close: () => current?.destroy(),
  };
};
