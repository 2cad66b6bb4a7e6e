/** What a request's first line asks for: an operation, a preflight, or nothing but a refusal. */
import type { IncomingMessage } from 'node:http';
import type { LimitGroup } from '../../platform/contract/endpoint.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Target } from './address.ts';
import { isStaffPath, MAX_ADDRESS } from './address.ts';
import { PREFLIGHT } from './headers.ts';
import type { Match, Routes } from './routes.ts';

/** What an address turns out to be, before anything is counted. */
export interface Understood {
  readonly limit: LimitGroup;
  readonly match: Match | null;
  /** Set when there is nothing to do but refuse, with these header lines. */
  readonly refusal: Refusal | null;
  readonly headers: readonly string[];
  /** A preflight's answer, if it is one. */
  readonly preflight: readonly string[] | null;
}

const UNKNOWN: Understood = { limit: 'general', match: null, refusal: null, headers: [], preflight: null };

const refused = (refusal: Refusal, headers: readonly string[] = []): Understood => ({
  ...UNKNOWN,
  refusal,
  headers,
});

/**
 * One `Host`, as HTTP/1.1 asks (RFC 9112, 3.2); 1.0 may do without. Several lines come joined by `, `, which no host
 * name has (`joinDuplicateHeaders`).
 */
const hostFault = ({ headers: { host }, httpVersion }: IncomingMessage): string | null => {
  if (host === undefined) return httpVersion === '1.1' ? 'is required' : null;
  return host.includes(', ') ? 'must be one' : null;
};
export const namesItsHost = (request: IncomingMessage): boolean => hostFault(request) === null;

export const understand = (routes: Routes, request: IncomingMessage, target: Target): Understood => {
  const { method = '', url = '' } = request;
  if (url.length > MAX_ADDRESS) return refused(new Refusal('ADDRESS_TOO_LONG'));
  const problem = hostFault(request);
  if (problem !== null) return refused(invalidInput({ path: 'Host', problem }));
  if (url.includes('#'))
    return refused(invalidInput({ path: 'address', problem: 'must not have a fragment' }));
  const match = routes.find(method, target.path);
  if (match !== null) return { ...UNKNOWN, match, limit: match.endpoint.limit };
  const allowed = routes.allowed(target.path);
  if (allowed.length === 0) return refused(new Refusal('NOT_FOUND'));
  const allow = ['Allow', allowed.join(', ')];
  if (method !== 'OPTIONS') return refused(new Refusal('METHOD_NOT_ALLOWED'), allow);
  const forOthers = ['Access-Control-Allow-Methods', allowed.join(', '), ...PREFLIGHT];
  return { ...UNKNOWN, preflight: isStaffPath(target.path) ? allow : [...allow, ...forOthers] };
};
