/** Answers a routed request: reads the body, takes a permit, checks the input, calls the handler, sends its reply. */
import {
  CookieReply,
  Moved,
  Repeated,
  type Answer,
  type Content,
  type EventStream,
} from '../../platform/app/answer.ts';
import { BODY_LIMIT } from '../../platform/contract/body-limits.ts';
import {
  fileOf,
  isContent,
  isPage,
  type Endpoint,
  type EndpointTable,
} from '../../platform/contract/endpoint.ts';
import type { Guard } from './auth.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { Body, BodyReader } from './body/reader.ts';
import { ClientGone } from './connections/connections.ts';
import type { ClientOf } from './limits/client.ts';
import type { SendCached } from './send-cached.ts';
import { createEventStreams, type EventStreams, type Every } from './events.ts';
import type { ResponseWriter, Exchange } from './exchange.ts';
import { createInputReader, type HandlerInput, type InputReader, type RoutedRequest } from './input.ts';
import { faultFields } from './log.ts';
import type { LogFault } from './log.ts';
import { createParseScheduler } from './body/parse-scheduler.ts';
import type { ConcurrencyLimit } from './connections/concurrency-limit.ts';
import { NO_BYTES, type RawEndpoints } from './raw-endpoints.ts';
import type { Entry, Published } from './cache/published-reads.ts';
import type { Readers } from './reader.ts';
import { refusalOf, statusOf } from './refuse.ts';

/** The endpoint table has checked that each handler fits its endpoint. */
type AnyHandler = (input: HandlerInput) => Promise<unknown>;

export interface OperationParts {
  readonly endpoints: EndpointTable;
  readonly handlers: object;
  readonly documents: readonly Entry[];
  readonly published: Published;
  readonly readers: Readers;
  readonly responses: ResponseWriter;
  readonly sendCached: SendCached;
  readonly guard: Guard;
  readonly browserSessions: BrowserSessions;
  readonly clientOf: ClientOf;
  readonly rawEndpoints: readonly RawEndpoints[];
  readonly bodies: BodyReader;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly logFault: LogFault;
  readonly every: Every;
  readonly bodyLimit?: number;
}

export interface Operations {
  /** Never rejects. Sends no response when the connection closes first. */
  handle(request: RoutedRequest): Promise<void>;
  /** Ends the event streams, which would never end otherwise. */
  endStreams(): void;
}

/** How often an entry may expire while it is compressed. */
const MAX_TRIES = 3;

const isPublished = (endpoint: Endpoint): boolean =>
  endpoint.method === 'GET' && endpoint.cache !== 'no-store';

const createRefuser =
  ({ responses, browserSessions, logFault }: OperationParts) =>
  (exchange: Exchange, thrown: unknown): void => {
    if (thrown instanceof ClientGone || exchange.response.destroyed) return;
    if (thrown instanceof Moved) {
      responses.moved(exchange, thrown.path);
      return;
    }
    const refusal = refusalOf(thrown, exchange.id);
    const fields = { request_id: exchange.id, operation: exchange.endpoint?.id, ...faultFields(thrown) };
    if (refusal.refusal === 'INTERNAL') logFault('failed', fields);
    if (statusOf(refusal) === 503) logFault('unavailable', fields);
    // No script of the page can delete its cookie.
    const cleared =
      refusal.refusal === 'SESSION_ENDED' ? browserSessions.cookieLines(null, exchange.request.headers) : [];
    responses.refuse(exchange, refusal, cleared);
  };

/** Finds the entry again if it expires during compression. */
const sendPublished = async (
  { published, sendCached }: OperationParts,
  exchange: Exchange,
  find: () => Promise<Entry>,
): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    const entry = await find();
    const missing = sendCached(exchange, entry, 'miss');
    if (missing === null) return;
    await entry.body.prepare(missing);
    if (!published.isCurrent(entry) && tried < MAX_TRIES) continue;
    sendCached(exchange, entry, 'miss');
    return;
  }
};

type RawByEndpoint = ReadonlyMap<Endpoint, RawEndpoints>;

const rawEndpointsOf = ({ rawEndpoints }: OperationParts): RawByEndpoint =>
  new Map(rawEndpoints.flatMap((raw) => Object.values(raw.endpoints).map((each) => [each, raw] as const)));

/** A reply that is not cached. */
const sendReply = (
  { responses, browserSessions }: OperationParts,
  exchange: Exchange,
  endpoint: Endpoint,
  reply: unknown,
): void => {
  const { status } = endpoint;
  const file = fileOf(endpoint);
  if (reply instanceof Repeated) responses.json(exchange, 200, reply.reply);
  else if (reply instanceof CookieReply) {
    const lines = browserSessions.cookieLines(reply.session, exchange.request.headers);
    responses.json(exchange, status, reply.reply, lines);
  } else if (status === 204) responses.empty(exchange);
  else if (isContent(endpoint)) responses.content(exchange, 200, reply as Content);
  else if (file === null) responses.json(exchange, status, reply);
  else responses.file(exchange, status, reply as string | Buffer, file);
};

/** Throws what the request is refused for. */
const createAnswerer = (
  parts: OperationParts,
  rawByEndpoint: RawByEndpoint,
  input: InputReader,
  events: EventStreams,
) => {
  const { published } = parts;
  const handlers = new Map(Object.entries(parts.handlers)) as ReadonlyMap<string, AnyHandler>;
  const documents = new Map(parts.documents.map((document) => [document.endpoint.id, document]));
  return async (request: RoutedRequest, body: Body | null): Promise<void> => {
    const { exchange, match } = request;
    const { endpoint } = match;
    const raw = rawByEndpoint.get(endpoint);
    if (raw !== undefined)
      return raw.answer(exchange, body?.bytes ?? NO_BYTES, request.target, () => input.json(exchange, body));
    const document = documents.get(endpoint.id);
    if (document !== undefined) return sendPublished(parts, exchange, () => Promise.resolve(document));
    const handler = handlers.get(endpoint.id);
    if (handler === undefined) throw new Error(`No handler for ${endpoint.id}.`);
    const actor = await parts.guard.admit(exchange.request, endpoint);
    const handlerInput = await input.check(request, body, actor);
    if (endpoint.answers === 'events') {
      events.send(exchange, (await handler(handlerInput)) as EventStream);
      return;
    }
    if (!isPublished(endpoint)) {
      sendReply(parts, exchange, endpoint, await handler(handlerInput));
      return;
    }
    const language = isPage(endpoint) ? [handlerInput.caller.language] : [];
    const key = JSON.stringify([endpoint.id, handlerInput.path, handlerInput.query, ...language]);
    const { request: incoming } = exchange;
    const address = isPage(endpoint) ? parts.readers.pageAddress(incoming) : (incoming.url ?? '');
    const build = (): Promise<Answer<unknown>> => handler(handlerInput) as Promise<Answer<unknown>>;
    return sendPublished(parts, exchange, () => published.read(key, address, endpoint, build));
  };
};

export const createOperations = (parts: OperationParts): Operations => {
  const events = createEventStreams(parts.responses, parts.every);
  const rawByEndpoint = rawEndpointsOf(parts);
  const input = createInputReader({
    ...parts,
    rawByEndpoint,
    scheduleParse: createParseScheduler(),
    bodyLimit: parts.bodyLimit ?? BODY_LIMIT,
  });
  const answer = createAnswerer(parts, rawByEndpoint, input, events);
  const refuse = createRefuser(parts);

  return {
    handle: async (request) => {
      const { exchange, match } = request;
      let body: Body | null = null;
      try {
        body = await input.read(request);
        if (match.endpoint.limit === 'none') await answer(request, body);
        else
          await parts.concurrencyLimit.run(exchange.client, exchange.connection, (release) => {
            exchange.releasePermit = release;
            return answer(request, body);
          });
      } catch (thrown) {
        refuse(exchange, thrown);
      } finally {
        body?.drop();
      }
    },
    endStreams: () => events.close(),
  };
};
