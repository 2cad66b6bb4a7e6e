/** The input of a request: its body, read within the shared budgets, and its parameters, all checked (Decisions 5, 7). */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadJson } from '../../platform/app/answer.ts';
import { readsBody, type Endpoint } from '../../platform/contract/endpoint.ts';
import { invalidInput, Refusal, type Fault } from '../../kernel/refusal.ts';
import { readParameters, type Target } from './address.ts';
import {
  bodyCheck,
  isEmpty,
  isJson,
  noBodyCheck,
  parseJson,
  readJson,
  refusedCharset,
  type BodyCheck,
} from './body/body.ts';
import type { Body, BodyReader } from './body/reader.ts';
import type { ClientOf } from './limits/client.ts';
import { refusedCoding } from './cache/encodings.ts';
import type { Exchange } from './exchange.ts';
import type { Caller } from './handlers.ts';
import { MESSAGE_LIMITS } from './body/json-scan.ts';
import { LARGE_BODY, type ParseTurn } from './body/parse-scheduler.ts';
import { NO_BYTES, type RawDoor } from './raw-door.ts';
import { wishedLanguage } from './refuse.ts';
import type { EndpointTable, Match } from './routes.ts';

/** A request whose address is understood. */
export interface Routed {
  readonly exchange: Exchange;
  readonly match: Match;
  readonly target: Target;
}

/** What a handler is given. */
export interface HandlerInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly actor: unknown;
}

export interface Input {
  /** The body. Throws what the header lines alone refuse, and as `BodyReader`. */
  read(request: Routed): Promise<Body | null>;
  /** The JSON of a door's body, which is dropped once it is parsed. */
  json(exchange: Exchange, body: Body | null): Promise<ReadJson>;
  /** Everything a handler is given; the body is dropped once it is parsed. Throws INVALID_INPUT with every fault. */
  check(request: Routed, body: Body | null, actor: unknown): Promise<HandlerInput>;
}

interface InputParts {
  readonly endpoints: EndpointTable;
  readonly doors: ReadonlyMap<Endpoint, RawDoor>;
  readonly clientOf: ClientOf;
  readonly bodies: BodyReader;
  readonly parseTurn: ParseTurn;
  /** Bytes of a body, where the endpoint says nothing of them. */
  readonly bodyLimit: number;
}

/** Whether nothing is to be read: the operation takes no body, or may do without one and none was sent. */
const isBodyless = (endpoint: Endpoint, headers: IncomingHttpHeaders): boolean =>
  !readsBody(endpoint) || (endpoint.body === undefined && isEmpty(headers));

/** Another type than JSON; an empty body needs none. */
const refusedType = (headers: IncomingHttpHeaders): Refusal | null => {
  const type = headers['content-type'];
  return isJson(type) || (type === undefined && isEmpty(headers)) ? null : new Refusal('NOT_JSON');
};

export const createInput = (parts: InputParts): Input => {
  const checks = new Map<string, BodyCheck>();
  for (const endpoint of Object.values(parts.endpoints).filter(readsBody))
    checks.set(endpoint.id, endpoint.body === undefined ? noBodyCheck : bodyCheck(endpoint.body));

  /** What is refused by the header lines alone. */
  const refusedUnread = (endpoint: Endpoint, headers: IncomingHttpHeaders): Refusal | null => {
    const door = parts.doors.get(endpoint);
    const refused = door?.refusalOf(headers, endpoint) ?? null;
    if (refused !== null || isBodyless(endpoint, headers)) return refused;
    return (
      refusedCoding(headers) ?? (door === undefined ? refusedCharset(headers) : null) ?? refusedType(headers)
    );
  };

  /** Does `work` as a cost of the request; with a large body in a turn of its own. */
  const measured = async <T>({ client, meter }: Exchange, body: Body | null, work: () => T): Promise<T> => {
    if (body !== null && body.length > LARGE_BODY) await parts.parseTurn(client);
    return meter.measure(work);
  };

  const checked = ({ exchange, match, target }: Routed, body: unknown, actor: unknown): HandlerInput => {
    const { request, meter } = exchange;
    const { endpoint, segments } = match;
    const { faults, ...parameters } = readParameters(endpoint, segments, target.query, request.headers);
    const all: readonly Fault[] = [...faults, ...(checks.get(endpoint.id)?.(body) ?? [])];
    if (all.length > 0) throw invalidInput(...all);
    const language = wishedLanguage(request.headers['accept-language']);
    return { ...parameters, body, caller: { client: parts.clientOf(request), language, meter }, actor };
  };

  return {
    read: async ({ exchange, match: { endpoint } }) => {
      const { headers } = exchange.request;
      const refused = refusedUnread(endpoint, headers);
      if (refused !== null) throw refused;
      if (isBodyless(endpoint, headers)) return null;
      const limit = parts.doors.get(endpoint)?.bodyLimit ?? endpoint.bodyLimit ?? parts.bodyLimit;
      return parts.bodies.read(exchange, limit);
    },
    json: async (exchange, body) => {
      const bytes = body?.bytes ?? NO_BYTES;
      const read = await measured(exchange, body, () => readJson(bytes, MESSAGE_LIMITS));
      body?.drop();
      return read;
    },
    check: async (request, body, actor) => {
      const { exchange } = request;
      const value = body === null ? undefined : await measured(exchange, body, () => parseJson(body.bytes));
      body?.drop();
      return measured(exchange, body, () => checked(request, value, actor));
    },
  };
};
