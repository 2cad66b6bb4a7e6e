/** Endpoints with a protocol inside HTTP, which read the raw body. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadJson } from '../../platform/app/answer.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Target } from './address.ts';
import type { Exchange } from './exchange.ts';

export const NO_BYTES = Buffer.alloc(0);

export interface RawEndpoints {
  /** Routed like operations, but not in the OpenAPI documents. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly bodyLimit: number;
  /** The refusal that follows from the header lines alone; null: read the body. */
  refusalOf(headers: IncomingHttpHeaders, endpoint: Endpoint): Refusal | null;
  /** `body` is empty where the request has none. `json` parses it, scheduled and added to the request's cost. */
  answer(exchange: Exchange, body: Buffer, target: Target, json: () => Promise<ReadJson>): Promise<void>;
}
