/**
 * The door of the tool server, POST /mcp: what HTTP itself refuses (Decisions 14), and the sending of answers. What
 * passes is the message server's matter.
 */
import Type from 'typebox';
import type { MessageContext, ReadJson, ReadyBytes } from '../../platform/app/answer.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isJson, refusedCharset } from './body/body.ts';
import { acceptanceOf, refusedCoding } from './cache/encodings.ts';
import type { Answers, Exchange } from './exchange.ts';
import { faultFields } from './log.ts';
import type { TellFault } from './log.ts';
import type { Metrics } from './metrics.ts';
import { originRules } from './origin.ts';
import type { Published } from './cache/published.ts';
import type { RawDoor } from './raw-door.ts';
import { remembered } from './cache/remembered.ts';
import { compress, WORTH_COMPRESSING } from './cache/representation.ts';
import { wishesOf } from './limits/negotiation.ts';

/** What answers messages: the tool server. */
export interface MessageServer {
  /** One message and its `MCP-Protocol-Version`; a null body has nothing to say. */
  answer(
    message: ReadJson,
    version: string | undefined,
    context: MessageContext,
  ): Promise<{ readonly status: number; readonly body: Buffer | null }>;
}

/** Bytes of a message. */
export const MESSAGE_LIMIT = 64 * 1024;

/** Routed like an operation, and no part of the OpenAPI document: messages have a language of their own. */
const at = (path: string): Endpoint =>
  endpoint({
    ...{ id: 'mcp', method: 'POST', path, tag: 'Service', summary: 'The tool server for AI assistants' },
    ...{ params: {}, query: {}, body: Type.Unknown(), reply: Type.Unknown(), refusals: [], examples: {} },
    ...{ cache: 'no-store', limit: 'general' },
  });

const MESSAGES = at('/mcp');
export const messageEndpoints: Readonly<Record<string, Endpoint>> = { mcp: MESSAGES, mcpSlash: at('/mcp/') };

// Old Java clients write a lone `*` for `*/*`.
const JSON_RANGES = ['application/json', 'application/*', '*/*', '*'] as const;

/**
 * Whether the client takes JSON: by the weight of the most exact range that covers it (RFC 9110, 12.5.1). A range with
 * further parameters covers some JSON only: it refuses none of ours, and asks for it where nothing said of all JSON
 * decides, as in `application/json; charset=utf-8`. A line that names nothing says no more than none at all.
 */
const takesJson = remembered((accept: string): boolean => {
  const wishes = wishesOf(accept);
  const weights = new Map(
    wishes.filter(({ isPart }) => !isPart).map(({ name, weight }): [string, number] => [name, weight]),
  );
  const isAskedFor = wishes.some(
    ({ name, weight, isPart }) => isPart && weight > 0 && JSON_RANGES.some((range) => range === name),
  );
  const range = JSON_RANGES.find((name) => weights.has(name));
  if (isAskedFor && range !== 'application/json') return true;
  return wishes.length === 0 || (range !== undefined && weights.get(range) !== 0);
});

export interface MessageParts {
  readonly server: MessageServer;
  readonly baseUrl: string;
  readonly published: Published;
  readonly answers: Answers;
  readonly metrics: Metrics;
  readonly tellFault: TellFault;
}

export const createMessages = (parts: MessageParts): RawDoor => {
  const { server, baseUrl, published, answers, metrics, tellFault } = parts;
  const refusedOrigin = originRules(baseUrl);
  const ready: ReadyBytes = async (key, build) =>
    (await published.read(key, null, MESSAGES, build)).body.plain;
  const callsOf =
    ({ id }: Exchange): MessageContext['called'] =>
    (tool, outcome, thrown) => {
      metrics.called(tool, outcome);
      if (outcome === 'failed' || outcome === 'unavailable')
        tellFault(outcome, { request_id: id, tool, ...faultFields(thrown) });
    };
  return {
    endpoints: messageEndpoints,
    bodyLimit: MESSAGE_LIMIT,
    refusalOf: (headers) => {
      const refused = refusedOrigin(headers);
      if (refused !== null) return refused;
      if (headers.accept !== undefined && !takesJson(headers.accept)) return new Refusal('NOT_ACCEPTABLE');
      if (!isJson(headers['content-type'])) return refusedCoding(headers) ?? new Refusal('NOT_JSON');
      return refusedCoding(headers) ?? refusedCharset(headers);
    },
    answer: async (exchange, _body, _target, json) => {
      const { headers } = exchange.request;
      const version = headers['mcp-protocol-version'];
      const { status, body } = await server.answer(
        await json(),
        Array.isArray(version) ? version.join(', ') : version,
        { ready, called: callsOf(exchange) },
      );
      const { best, neverPlain } = acceptanceOf(headers['accept-encoding']);
      const coding = body === null || (body.length < WORTH_COMPRESSING && !neverPlain) ? 'identity' : best;
      answers.message(
        exchange,
        status,
        body === null || coding === 'identity' ? body : await compress(body, coding, 'once'),
        coding,
      );
    },
  };
};
