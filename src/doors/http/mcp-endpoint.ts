/** POST /mcp: HTTP-level refusals (Decisions 14), and the sending of the tool server's responses. */
import Type from 'typebox';
import type { MessageContext, ReadJson, CachedBytes } from '../../platform/app/answer.ts';
import { TOOL_MESSAGE_LIMIT } from '../../platform/contract/body-limits.ts';
import { endpoint } from '../../platform/contract/endpoint.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isJson, refusedCharset } from './body/body.ts';
import { acceptanceOf, refusedCoding } from './cache/encodings.ts';
import type { ResponseWriter, Exchange } from './exchange.ts';
import { faultFields } from './log.ts';
import type { LogFault } from './log.ts';
import type { Metrics } from './metrics.ts';
import { originCheck } from './origin-check.ts';
import type { Published } from './cache/published-reads.ts';
import type { RawEndpoints } from './raw-endpoints.ts';
import { memoized } from './cache/memoized.ts';
import { compress, WORTH_COMPRESSING } from './cache/representation.ts';
import { preferencesOf } from './content-negotiation.ts';

export interface McpServer {
  /** `version`: `MCP-Protocol-Version`. A null body is an empty response. */
  answer(
    message: ReadJson,
    version: string | undefined,
    context: MessageContext,
  ): Promise<{ readonly status: number; readonly body: Buffer | null }>;
}

/** Routed like an operation, but not in the OpenAPI document. */
const at = (path: string): Endpoint =>
  endpoint({
    ...{ id: 'mcp', method: 'POST', path, tag: 'Service', summary: 'The tool server for AI assistants' },
    ...{ params: {}, query: {}, body: Type.Unknown(), reply: Type.Unknown(), refusals: [], examples: {} },
    ...{ cache: 'no-store', limit: 'general' },
  });

const MESSAGES = at('/mcp');
const messageEndpoints: Readonly<Record<string, Endpoint>> = { mcp: MESSAGES, mcpSlash: at('/mcp/') };

// Old Java clients write a lone `*` for `*/*`.
const JSON_RANGES = ['application/json', 'application/*', '*/*', '*'] as const;

/**
 * By the most specific range that covers JSON (RFC 9110, 12.5.1). A range with further parameters, such as
 * `application/json; charset=utf-8`, never refuses JSON, and accepts it unless `application/json` is named too. An
 * empty line accepts everything.
 */
const acceptsJson = memoized((accept: string): boolean => {
  const preferences = preferencesOf(accept);
  const weights = new Map(
    preferences.filter(({ isPart }) => !isPart).map(({ name, weight }): [string, number] => [name, weight]),
  );
  const isNamed = preferences.some(
    ({ name, weight, isPart }) => isPart && weight > 0 && JSON_RANGES.some((range) => range === name),
  );
  const range = JSON_RANGES.find((name) => weights.has(name));
  if (isNamed && range !== 'application/json') return true;
  return preferences.length === 0 || (range !== undefined && weights.get(range) !== 0);
});

export interface McpEndpointParts {
  readonly server: McpServer;
  readonly baseUrl: string;
  readonly published: Published;
  readonly responses: ResponseWriter;
  readonly metrics: Metrics;
  readonly logFault: LogFault;
}

export const createMcpEndpoint = (parts: McpEndpointParts): RawEndpoints => {
  const { server, baseUrl, published, responses, metrics, logFault } = parts;
  const refusedOrigin = originCheck(baseUrl);
  const cachedBytes: CachedBytes = async (key, build) =>
    (await published.read(key, null, MESSAGES, build)).body.plain;
  const callsOf =
    ({ id }: Exchange): MessageContext['onToolCall'] =>
    (tool, outcome, thrown) => {
      metrics.called(tool, outcome);
      if (outcome === 'failed' || outcome === 'unavailable')
        logFault(outcome, { request_id: id, tool, ...faultFields(thrown) });
    };
  return {
    endpoints: messageEndpoints,
    bodyLimit: TOOL_MESSAGE_LIMIT,
    refusalOf: (headers) => {
      const refused = refusedOrigin(headers);
      if (refused !== null) return refused;
      if (headers.accept !== undefined && !acceptsJson(headers.accept)) return new Refusal('NOT_ACCEPTABLE');
      if (!isJson(headers['content-type'])) return refusedCoding(headers) ?? new Refusal('NOT_JSON');
      return refusedCoding(headers) ?? refusedCharset(headers);
    },
    answer: async (exchange, _body, _target, json) => {
      const { headers } = exchange.request;
      const version = headers['mcp-protocol-version'];
      const { status, body } = await server.answer(
        await json(),
        Array.isArray(version) ? version.join(', ') : version,
        { cachedBytes, onToolCall: callsOf(exchange) },
      );
      const { best, neverPlain } = acceptanceOf(headers['accept-encoding']);
      const coding = body === null || (body.length < WORTH_COMPRESSING && !neverPlain) ? 'identity' : best;
      responses.message(
        exchange,
        status,
        body === null || coding === 'identity' ? body : await compress(body, coding, 'once'),
        coding,
      );
    },
  };
};
