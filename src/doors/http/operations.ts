/** What happens behind the front: the body is read, a place taken, the input checked, the handler asked, the answer sent. */
import { Repeated, type Answer, type EventStream } from '../../platform/app/answer.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import type { Target } from './address.ts';
import type { Guard } from './auth.ts';
import { ClientGone, type Body, type BodyReader } from './body/reader.ts';
import type { ClientQueue } from './limits/client-queue.ts';
import type { ClientOf } from './limits/client.ts';
import type { Deliver } from './deliver.ts';
import { createEvents, type Events, type Every } from './events.ts';
import type { Answers, Exchange } from './exchange.ts';
import { createInput, type HandlerInput, type Input, type Routed } from './input.ts';
import { faultFields } from './log.ts';
import type { TellFault } from './log.ts';
import { createParseTurns } from './body/parse-scheduler.ts';
import type { Places } from './connections/places.ts';
import { NO_BYTES, type RawDoor } from './raw-door.ts';
import type { Entry, Published } from './cache/published.ts';
import { refusalOf, statusOf } from './refuse.ts';
import type { EndpointTable, Match } from './routes.ts';

/** A handler once its types are erased: the table has checked that each fits its endpoint. */
type AnyHandler = (input: HandlerInput) => Promise<unknown>;

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
  readonly bodies: BodyReader;
  readonly places: Places;
  readonly inTurn: ClientQueue;
  readonly tellFault: TellFault;
  readonly every: Every;
  readonly bodyLimit?: number;
}

export interface Operations {
  /** Answers the request, unless its connection closes first; never rejects. */
  handle(exchange: Exchange, match: Match, target: Target): Promise<void>;
  /** Ends what would go on for ever by itself, so that the others can finish. */
  endStreams(): void;
}

/** Bytes of a body; where it may have more, its endpoint says so. */
const BODY_LIMIT = 128 * 1024;
/** How often an answer may lapse while it is being compressed for one request. */
const MAX_TRIES = 3;

const isPublished = (endpoint: Endpoint): boolean =>
  endpoint.method === 'GET' && endpoint.cache !== 'no-store';

/** Refuses whatever was thrown; the log hears of what the client cannot mend. */
const createRefuser =
  ({ answers, tellFault }: OperationParts) =>
  (exchange: Exchange, thrown: unknown): void => {
    if (thrown instanceof ClientGone || exchange.response.destroyed) return;
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
const createAnswering = (parts: OperationParts, doors: RawDoors, input: Input, events: Events) => {
  const { published, answers } = parts;
  const handlers = new Map(Object.entries(parts.handlers)) as ReadonlyMap<string, AnyHandler>;
  const documents = new Map(parts.documents.map((document) => [document.endpoint.id, document]));
  return async (request: Routed, body: Body | null): Promise<void> => {
    const { exchange, match } = request;
    const { endpoint } = match;
    const door = doors.get(endpoint);
    if (door !== undefined)
      return door.answer(exchange, body?.bytes ?? NO_BYTES, request.target, () => input.json(exchange, body));
    const document = documents.get(endpoint.id);
    if (document !== undefined) return sendPublished(parts, exchange, () => Promise.resolve(document));
    const handler = handlers.get(endpoint.id);
    if (handler === undefined) throw new Error(`No handler for ${endpoint.id}.`);
    const actor = await parts.guard.admit(exchange.request, endpoint);
    const given = await input.check(request, body, actor);
    if (endpoint.answers === 'events') {
      events.send(exchange, (await handler(given)) as EventStream);
      return;
    }
    if (!isPublished(endpoint)) {
      const reply = await handler(given);
      if (reply instanceof Repeated) answers.json(exchange, 200, reply.reply);
      else answers.json(exchange, endpoint.status, reply);
      return;
    }
    const key = JSON.stringify([endpoint.id, given.path, given.query]);
    const build = (): Promise<Answer<unknown>> => handler(given) as Promise<Answer<unknown>>;
    return sendPublished(parts, exchange, () =>
      published.read(key, exchange.request.url ?? '', endpoint, build),
    );
  };
};

export const createOperations = (parts: OperationParts): Operations => {
  const events = createEvents(parts.answers, parts.every);
  const doors = rawDoorsOf(parts);
  const input = createInput({
    ...parts,
    doors,
    parseTurn: createParseTurns(),
    bodyLimit: parts.bodyLimit ?? BODY_LIMIT,
  });
  const answer = createAnswering(parts, doors, input, events);
  const refuse = createRefuser(parts);

  return {
    handle: async (exchange, match, target) => {
      const request: Routed = { exchange, match, target };
      let body: Body | null = null;
      try {
        body = await input.read(request);
        if (match.endpoint.limit === 'none') await answer(request, body);
        else
          await parts.places.hold(exchange.client, exchange.connection, (leave) => {
            exchange.leavePlace = leave;
            return parts.inTurn(exchange.client, () => {
              if (exchange.connection.isClosed) throw new ClientGone();
              return answer(request, body);
            });
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
