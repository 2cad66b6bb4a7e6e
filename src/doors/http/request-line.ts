/** Reads the request line and finds the operation, before the request is counted. */
import type { IncomingMessage } from 'node:http';
import type { LimitGroup } from '../../platform/contract/endpoint.ts';
import { REQUIRED } from '../../kernel/problems.ts';
import { invalidInput, Refusal, type Problem } from '../../kernel/refusal.ts';
import type { Target } from './address.ts';
import { isStaffPath, MAX_ADDRESS, targetOf } from './address.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { CONSOLE_PREFLIGHT, PREFLIGHT } from './headers.ts';
import { wantsPage } from './reader.ts';
import type { Match, Routes } from './routes.ts';

interface Routing {
  readonly limit: LimitGroup;
  readonly match: Match | null;
  /** Not null: refuse, with `headers`. */
  readonly refusal: Refusal | null;
  readonly headers: readonly string[];
  /** The header lines of its response; null: no preflight. */
  readonly preflight: readonly string[] | null;
}

export interface RequestLine extends Routing {
  readonly target: Target;
}

const UNKNOWN: Routing = { limit: 'general', match: null, refusal: null, headers: [], preflight: null };

const refused = (refusal: Refusal, headers: readonly string[] = []): Routing => ({
  ...UNKNOWN,
  refusal,
  headers,
});

/**
 * HTTP/1.1 requires exactly one `Host` (RFC 9112, 3.2). Node joins several by `, ` (`joinDuplicateHeaders`), which no
 * host name contains.
 */
const hostFault = ({ headers: { host }, httpVersion }: IncomingMessage): Problem | null => {
  if (host === undefined) return httpVersion === '1.1' ? REQUIRED : null;
  return host.includes(', ') ? { problem: 'must be one', arabic: 'مذكور أكثر من مرة' } : null;
};
export const hasValidHost = (request: IncomingMessage): boolean => hostFault(request) === null;

const FRAGMENT: Problem = {
  problem: 'must not have a fragment',
  arabic: 'يجب ألا يكون في العنوان جزء بعد #',
};

type Consoles = Pick<BrowserSessions, 'isConsole'>;

/** Pages of other origins may call the public API, and those of a console the staff API too. */
const preflightLines = (
  consoles: Consoles,
  request: IncomingMessage,
  target: Target,
): readonly string[] | null => {
  if (consoles.isConsole(request)) return CONSOLE_PREFLIGHT;
  return isStaffPath(target.path) ? null : PREFLIGHT;
};

const routingOf = (routes: Routes, consoles: Consoles, request: IncomingMessage, target: Target): Routing => {
  const { method = '', url = '' } = request;
  if (url.length > MAX_ADDRESS) return refused(new Refusal('ADDRESS_TOO_LONG'));
  const problem = hostFault(request);
  if (problem !== null) return refused(invalidInput({ path: 'Host', ...problem }));
  if (url.includes('#')) return refused(invalidInput({ path: 'address', ...FRAGMENT }));
  const match = routes.find(method, target.path, wantsPage(request.headers.accept));
  if (match !== null) return { ...UNKNOWN, match, limit: match.endpoint.limit };
  const allowed = routes.allowed(target.path);
  if (allowed.length === 0) return refused(new Refusal('NOT_FOUND'));
  const allow = ['Allow', allowed.join(', ')];
  if (method !== 'OPTIONS') return refused(new Refusal('METHOD_NOT_ALLOWED'), allow);
  const lines = preflightLines(consoles, request, target);
  const methods = ['Access-Control-Allow-Methods', allowed.join(', ')];
  return { ...UNKNOWN, preflight: lines === null ? allow : [...allow, ...methods, ...lines] };
};

export const readRequestLine = (
  routes: Routes,
  consoles: Consoles,
  request: IncomingMessage,
): RequestLine => {
  const target = targetOf(request.url ?? '');
  return { target, ...routingOf(routes, consoles, request, target) };
};
