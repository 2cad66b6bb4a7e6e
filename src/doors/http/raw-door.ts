/** A door whose requests have a language of their own: their bodies are handed on as they came. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadJson } from '../../platform/app/answer.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Target } from './address.ts';
import type { Exchange } from './exchange.ts';

/** Of a request that has no body. */
export const NO_BYTES = Buffer.alloc(0);

export interface RawDoor {
  /** Routed like operations, and no part of the OpenAPI documents. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly bodyLimit: number;
  /** What HTTP refuses by the header lines alone; null lets the body be read. */
  refusalOf(headers: IncomingHttpHeaders, endpoint: Endpoint): Refusal | null;
  /** `body` is empty where the request has none; `json` reads it, in a turn and as a cost of the request. */
  answer(exchange: Exchange, body: Buffer, target: Target, json: () => Promise<ReadJson>): Promise<void>;
}
