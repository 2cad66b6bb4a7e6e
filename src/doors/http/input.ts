/** Reads and checks the input of a request: body and parameters (Decisions 5, 7). */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadJson } from '../../platform/app/answer.ts';
import { isPage, readsBody, type Endpoint } from '../../platform/contract/endpoint.ts';
import { invalidInput, Refusal, type Fault } from '../../kernel/refusal.ts';
import { readParameters, type Target } from './address.ts';
import { bodyCheck } from '../../platform/app/body-check.ts';
import { isEmpty, isJson, noBodyCheck, parseJson, readJson, refusedCharset } from './body/body.ts';
import type { Body, BodyReader } from './body/reader.ts';
import type { ClientOf } from './limits/client.ts';
import { refusedCoding } from './cache/encodings.ts';
import type { Exchange } from './exchange.ts';
import type { Caller } from './handlers.ts';
import { MESSAGE_JSON_LIMITS } from './body/json-scan.ts';
import { LARGE_BODY, type ScheduleParse } from './body/parse-scheduler.ts';
import { NO_BYTES, type RawEndpoints } from './raw-endpoints.ts';
import type { Readers } from './reader.ts';
import { preferredLanguage } from './refuse.ts';
import type { Match } from './routes.ts';

export interface RoutedRequest {
  readonly exchange: Exchange;
  readonly match: Match;
  readonly target: Target;
}

export interface HandlerInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly actor: unknown;
}

export interface InputReader {
  /** Null where the operation has none. Throws a `Refusal` by the header lines alone, and as `BodyReader`. */
  read(request: RoutedRequest): Promise<Body | null>;
  /** Parses the JSON of a raw endpoint and drops the bytes. */
  json(exchange: Exchange, body: Body | null): Promise<ReadJson>;
  /** Throws INVALID_INPUT with every fault. */
  check(request: RoutedRequest, body: Body | null, actor: unknown): Promise<HandlerInput>;
}

interface InputParts {
  readonly rawByEndpoint: ReadonlyMap<Endpoint, RawEndpoints>;
  readonly clientOf: ClientOf;
  readonly readers: Readers;
  readonly bodies: BodyReader;
  readonly scheduleParse: ScheduleParse;
  /** Bytes, unless the endpoint has its own limit. */
  readonly bodyLimit: number;
}

const isBodyless = (endpoint: Endpoint, headers: IncomingHttpHeaders): boolean =>
  !readsBody(endpoint) || (endpoint.body === undefined && isEmpty(headers));

const bodyFaults = (endpoint: Endpoint, body: unknown): readonly Fault[] => {
  if (!readsBody(endpoint)) return [];
  return endpoint.body === undefined ? noBodyCheck(body) : bodyCheck(endpoint.body)(body);
};

const refusedType = (headers: IncomingHttpHeaders): Refusal | null => {
  const type = headers['content-type'];
  return isJson(type) || (type === undefined && isEmpty(headers)) ? null : new Refusal('NOT_JSON');
};

export const createInputReader = (parts: InputParts): InputReader => {
  const headerRefusal = (endpoint: Endpoint, headers: IncomingHttpHeaders): Refusal | null => {
    const raw = parts.rawByEndpoint.get(endpoint);
    const refused = raw?.refusalOf(headers, endpoint) ?? null;
    if (refused !== null || isBodyless(endpoint, headers)) return refused;
    return (
      refusedCoding(headers) ?? (raw === undefined ? refusedCharset(headers) : null) ?? refusedType(headers)
    );
  };

  /** Adds the time of `work` to the request's cost. A large body waits for the scheduler. */
  const measured = async <T>({ client, meter }: Exchange, body: Body | null, work: () => T): Promise<T> => {
    if (body !== null && body.length > LARGE_BODY) await parts.scheduleParse(client);
    return meter.measure(work);
  };

  const checked = (
    { exchange, match, target }: RoutedRequest,
    body: unknown,
    actor: unknown,
  ): HandlerInput => {
    const { request, meter } = exchange;
    const { endpoint, segments } = match;
    const { faults, ...parameters } = readParameters(endpoint, segments, target.query, request.headers);
    const all: readonly Fault[] = [...faults, ...bodyFaults(endpoint, body)];
    if (all.length > 0) throw invalidInput(...all);
    const language = isPage(endpoint)
      ? parts.readers.languageOf(request)
      : preferredLanguage(request.headers['accept-language']);
    return { ...parameters, body, caller: { client: parts.clientOf(request), language, meter }, actor };
  };

  return {
    read: async ({ exchange, match: { endpoint } }) => {
      const { headers } = exchange.request;
      const refused = headerRefusal(endpoint, headers);
      if (refused !== null) throw refused;
      if (isBodyless(endpoint, headers)) return null;
      const limit = parts.rawByEndpoint.get(endpoint)?.bodyLimit ?? endpoint.bodyLimit ?? parts.bodyLimit;
      return parts.bodies.read(exchange, limit);
    },
    json: async (exchange, body) => {
      const bytes = body?.bytes ?? NO_BYTES;
      const read = await measured(exchange, body, () => readJson(bytes, MESSAGE_JSON_LIMITS));
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
