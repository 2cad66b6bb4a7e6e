/** A door whose requests have a language of their own: their bodies are handed on as they came. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Target } from './address.ts';
import type { Exchange } from './exchange.ts';

export interface RawDoor {
  /** Routed like operations, and no part of the OpenAPI documents. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly bodyLimit: number;
  /** What HTTP refuses by the header lines alone; null lets the body be read. */
  refusalOf(headers: IncomingHttpHeaders, endpoint: Endpoint): Refusal | null;
  /** `body` is empty where the request has none. */
  answer(exchange: Exchange, body: Buffer, target: Target): Promise<void>;
}
