/** What an operation takes and answers besides its shapes, as every document tells it. */
import { REFUSALS, type RefusalName } from '../../kernel/refusal.ts';
import type { Endpoint, QueryParameter } from '../../platform/contract/endpoint.ts';
import { refusalsOf } from '../../platform/contract/endpoint.ts';

/** Whether its answers are kept, and asked for again by their tag. */
export const isPublished = (e: Endpoint): boolean => e.method === 'GET' && e.cache !== 'no-store';

export interface Parameter extends QueryParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** `idempotency-key` as people write it. */
const lineName = (name: string): string => name.replace(/(^|-)([a-z])/g, (text) => text.toUpperCase());

/** Everything that it reads but its body. */
export const parametersOf = (e: Endpoint): readonly Parameter[] => [
  ...Object.entries(e.params).map(
    ([name, of]) => ({ ...of, name, in: 'path', required: true }) satisfies Parameter,
  ),
  ...Object.entries(e.query).map(([name, of]) => ({ ...of, name, in: 'query' }) satisfies Parameter),
  ...Object.entries(e.headers).map(
    ([name, of]) => ({ ...of, name: lineName(name), in: 'header' }) satisfies Parameter,
  ),
];

/** What a published operation reads too. */
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description: 'The `ETag` of the answer that the client holds.',
} as const;

/** Which bearer token the staff's operations take. */
export const BEARER_TOKENS = {
  staff: 'The `token` of a sign-in.',
  device: 'The `device_token` of a paired device.',
} as const;

/** Answers besides the first, where it has them. */
export const ANSWERED_BEFORE =
  'The same was asked for before under this `Idempotency-Key`: what was made, as it stands now.';
export const HELD = 'The client holds this answer (`If-None-Match`).';

/** What it refuses, by status from the lowest on. What is never counted is never refused for that. */
export const refusedOf = (e: Endpoint): readonly (readonly [number, readonly RefusalName[]])[] => {
  const names = refusalsOf(e).filter((name) => name !== 'RATE_LIMITED' || e.limit !== 'none');
  const statuses = [...new Set(names.map((name) => REFUSALS[name].status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, names.filter((name) => REFUSALS[name].status === status)]);
};

/** Header lines of answers. */
export const ANSWER_HEADERS = {
  ETag: {
    line: 'ETag',
    description: 'The tag of these bytes; send it back in If-None-Match.',
    example: '"9Jb0lNfYxM3n2vQkz1c4bw-br"',
  },
  CacheControl: {
    line: 'Cache-Control',
    description: 'How long the answer may be kept.',
    example: 'public, max-age=30',
  },
  Vary: {
    line: 'Vary',
    description: 'The request headers that choose among answers.',
    example: 'Accept-Encoding',
  },
  RateLimitPolicy: {
    line: 'RateLimit-Policy',
    description: 'The limits this request counts in: requests (q) per seconds (w).',
    example: '"ordering_reads";q=300;w=15, "general";q=2000;w=60',
  },
  RateLimit: {
    line: 'RateLimit',
    description:
      'What is left of each limit (r), the nearest to its end first, and the seconds until there is more (t).',
    example: '"ordering_reads";r=299;t=1, "general";r=1999;t=1',
  },
  RetryAfter: { line: 'Retry-After', description: 'Seconds to wait.', example: 3 },
  RequestId: {
    line: 'X-Request-Id',
    description: 'Names this request in our log.',
    example: '5f1d0c9b7a3e2846-1a',
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
