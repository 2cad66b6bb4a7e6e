/** What happens behind the front: the framework reads bodies, the input is checked, the handler asked, the answer sent. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Repeated, type Answer, type EventStream } from '../app/answer.ts';
import { readsBody, type Endpoint } from '../contract/endpoint.ts';
import type { Fault, Refusal } from '../domain/refusal.ts';
import { invalidInput } from '../domain/refusal.ts';
import type { Target } from './address.ts';
import { readParameters } from './address.ts';
import type { BodyCheck } from './body.ts';
import { bodyCheck, isEmpty, noBodyCheck, refusedCharset } from './body.ts';
import type { Deliver } from './deliver.ts';
import { refusedCoding } from './encodings.ts';
import type { Answers, Exchange } from './exchange.ts';
import { createFramework } from './framework.ts';
import type { Guard } from './auth.ts';
import type { ClientOf } from './client.ts';
import { createEvents, type Events, type Every } from './events.ts';
import type { Caller } from './handlers.ts';
import { faultFields } from './log.ts';
import type { TellFault } from './log.ts';
import type { RawDoor } from './raw-door.ts';
import type { Entry, Published } from './published.ts';
import { refusalOf, statusOf, wishedLanguage } from './refuse.ts';
import type { EndpointTable, Match } from './routes.ts';

/** A handler once its types are erased: the table has checked that each fits its endpoint. */
type AnyHandler = (input: {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly actor: unknown;
}) => Promise<unknown>;

export interface OperationParts {
  readonly endpoints: EndpointTable;
  readonly handlers: object;
  readonly documents: readonly Entry[];
  readonly published: Published;
  readonly answers: Answers;
  readonly deliver: Deliver;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly rawDoors: readonly RawDoor[];
  readonly tellFault: TellFault;
  readonly every: Every;
  readonly bodyLimit?: number;
}

export interface Operations {
  /** Answers, sooner or later, always. */
  handle(exchange: Exchange, match: Match, target: Target): void;
  ready(): Promise<void>;
  /** Ends what would go on for ever by itself, so that the others can finish. */
  endStreams(): void;
  close(): Promise<void>;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly match: Match;
  readonly target: Target;
}

/** Bytes of a body; where it may have more, its endpoint says so. */
const BODY_LIMIT = 128 * 1024;
/** How often an answer may lapse while it is being compressed for one request. */
const MAX_TRIES = 3;

const isPublished = (endpoint: Endpoint): boolean =>
  endpoint.method === 'GET' && endpoint.cache !== 'no-store';

/** Reads the input of a request; throws INVALID_INPUT with every fault. */
const createReader = ({ endpoints, clientOf }: OperationParts) => {
  const checks = new Map<string, BodyCheck>();
  for (const endpoint of Object.values(endpoints).filter(readsBody))
    checks.set(endpoint.id, endpoint.body === undefined ? noBodyCheck : bodyCheck(endpoint.body));
  return ({ exchange, match, target }: Waiting, body: unknown, actor: unknown): Parameters<AnyHandler>[0] => {
    const { request } = exchange;
    const { faults, ...parameters } = readParameters(
      match.endpoint,
      match.segments,
      target.query,
      request.headers,
    );
    const all: readonly Fault[] = [...faults, ...(checks.get(match.endpoint.id)?.(body) ?? [])];
    if (all.length > 0) throw invalidInput(...all);
    const language = wishedLanguage(request.headers['accept-language']);
    const caller = { client: clientOf(request), language };
    return { ...parameters, body, caller, actor };
  };
};

/** Refuses whatever was thrown; the log hears of what the client cannot mend. */
const createRefuser =
  ({ answers, tellFault }: OperationParts) =>
  (exchange: Exchange, thrown: unknown): void => {
    // The client has gone, perhaps in the middle of its body: nobody is there to be answered.
    if (exchange.response.destroyed) return;
    const refusal = refusalOf(thrown, exchange.id);
    const fields = { request_id: exchange.id, operation: exchange.endpoint?.id, ...faultFields(thrown) };
    if (refusal.refusal === 'INTERNAL') tellFault('failed', fields);
    if (statusOf(refusal) === 503) tellFault('unavailable', fields);
    answers.refuse(exchange, refusal);
  };

/** Sends a ready answer, made in the coding that the client takes; looked for again when it lapses meanwhile. */
const sendPublished = async (
  { published, deliver }: OperationParts,
  exchange: Exchange,
  find: () => Promise<Entry>,
): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    const entry = await find();
    const missing = deliver(exchange, entry, 'miss');
    if (missing === null) return;
    await entry.body.prepare(missing);
    if (!published.isCurrent(entry) && tried < MAX_TRIES) continue;
    deliver(exchange, entry, 'miss');
    return;
  }
};

type RawDoors = ReadonlyMap<Endpoint, RawDoor>;

const rawDoorsOf = ({ rawDoors }: OperationParts): RawDoors =>
  new Map(rawDoors.flatMap((door) => Object.values(door.endpoints).map((each) => [each, door] as const)));

/** Answers a request whose body has been read; throws what it is refused for. */
const createAnswering = (parts: OperationParts, rawDoors: RawDoors, events: Events) => {
  const { published, answers } = parts;
  const handlers = new Map(Object.entries(parts.handlers)) as ReadonlyMap<string, AnyHandler>;
  const documents = new Map(parts.documents.map((document) => [document.endpoint.id, document]));
  const inputOf = createReader(parts);
  return async (request: Waiting, body: unknown): Promise<void> => {
    const { exchange, match } = request;
    const { endpoint } = match;
    const door = rawDoors.get(endpoint);
    if (door !== undefined)
      return door.answer(exchange, Buffer.isBuffer(body) ? body : Buffer.alloc(0), request.target);
    const document = documents.get(endpoint.id);
    if (document !== undefined) return sendPublished(parts, exchange, () => Promise.resolve(document));
    const handler = handlers.get(endpoint.id);
    if (handler === undefined) throw new Error(`No handler for ${endpoint.id}.`);
    const actor = await parts.guard.admit(exchange.request, endpoint);
    const input = inputOf(request, body, actor);
    if (endpoint.answers === 'events') {
      events.send(exchange, (await handler(input)) as EventStream);
      return;
    }
    if (!isPublished(endpoint)) {
      const reply = await handler(input);
      if (reply instanceof Repeated) answers.json(exchange, 200, reply.reply);
      else answers.json(exchange, endpoint.status, reply);
      return;
    }
    const key = JSON.stringify([endpoint.id, input.path, input.query]);
    const build = (): Promise<Answer<unknown>> => handler(input) as Promise<Answer<unknown>>;
    return sendPublished(parts, exchange, () =>
      published.read(key, exchange.request.url ?? '', endpoint, build),
    );
  };
};

export const createOperations = (parts: OperationParts): Operations => {
  const { answers } = parts;
  const waiting = new WeakMap<IncomingMessage, Waiting>();
  const events = createEvents(answers, parts.every);
  const rawDoors = rawDoorsOf(parts);
  const answer = createAnswering(parts, rawDoors, events);
  const refuse = createRefuser(parts);

  /** What is refused by the header lines alone. */
  const refusedUnread = (endpoint: Endpoint, headers: IncomingHttpHeaders): Refusal | null => {
    const door = rawDoors.get(endpoint);
    if (door !== undefined) return door.refusalOf(headers, endpoint);
    const isRead = readsBody(endpoint) && !(endpoint.body === undefined && isEmpty(headers));
    return isRead ? (refusedCoding(headers) ?? refusedCharset(headers)) : null;
  };

  const framework = createFramework({
    endpoints: [...Object.values(parts.endpoints), ...parts.documents.map((document) => document.endpoint)],
    bodyLimit: parts.bodyLimit ?? BODY_LIMIT,
    unread: parts.rawDoors.map(({ endpoints, bodyLimit }) => ({
      endpoints: Object.values(endpoints),
      bodyLimit,
    })),
    run: async (request, body) => {
      const known = waiting.get(request);
      if (known === undefined) return;
      try {
        await answer(known, body);
      } catch (thrown) {
        refuse(known.exchange, thrown);
      }
    },
    fail: (request, fault) => {
      const known = waiting.get(request);
      if (known !== undefined) refuse(known.exchange, fault);
    },
  });

  return {
    handle: (exchange, match, target) => {
      const refused = refusedUnread(match.endpoint, exchange.request.headers);
      if (refused !== null) {
        answers.refuse(exchange, refused);
        return;
      }
      waiting.set(exchange.request, { exchange, match, target });
      framework.route(exchange.request, exchange.response);
    },
    ready: () => framework.ready(),
    endStreams: () => events.close(),
    close: () => framework.close(),
  };
};
