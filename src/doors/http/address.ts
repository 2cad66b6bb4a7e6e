/**
 * A request's address, read strictly: one canonical reading of every piece of text, and every fault of it named
 * (Decisions 5). Node's `querystring` and `URLSearchParams` are lenient (repeats become lists, bad escapes pass), so they
 * are not used.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import type { Scalar } from '../../platform/contract/scalars.ts';
import type { Fault } from '../../kernel/refusal.ts';

/** Longer addresses are refused (414). */
export const MAX_ADDRESS = 4096;

/** Faults beyond this many are not listed: an answer about bad input stays small. */
const MAX_FAULTS = 20;

export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Path and query of a request line, in origin form or absolute form (RFC 9112, 3.2). */
export const targetOf = (address: string): Target => {
  const local = address.startsWith('/') ? address : address.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const path = end < 0 ? local : local.slice(0, end);
  return { path: path === '' ? '/' : path, query: end < 0 ? '' : local.slice(end + 1) };
};

/** The text that escapes stand for, read as UTF-8; null when they are not that. (Raw bytes never get past the parser.) */
export const decoded = (text: string): string | null => {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return null;
  }
};

/** Whether a path is on the staff's side, whose answers are for no other origin (Decisions 12, 15). */
export const isStaffPath = (path: string): boolean => decoded(path.split('/', 2)[1] ?? '') === 'staff';

/** What is wrong with the text of a parameter, as the end of a sentence that begins with its name; or its value. */
const readText = (raw: string, scalar: Scalar<unknown>): { value: unknown } | { problem: string } => {
  const text = decoded(raw);
  if (text === null) return { problem: 'is not valid percent-encoded UTF-8' };
  if (text.includes('\0')) return { problem: 'has a NUL character' };
  const value = scalar.read(text);
  return value === null ? { problem: `must be ${scalar.expected}` } : { value };
};

/** A name from outside as it may stand in an answer: short and printable. */
const shown = (name: string): string => name.replace(/[^\x20-\x7e\u0600-\u06ff]/g, '?').slice(0, 64);

interface Given {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly faults: readonly Fault[];
}

/** The raw values by name, and the names that nothing here is called. */
const givenIn = (query: string, known: readonly string[]): Given => {
  const values = new Map<string, string[]>();
  const faults = new Map<string, Fault>();
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(piece.replaceAll('+', ' ')) ?? [];
    const name = decoded(rawName);
    if (name !== null && known.includes(name)) values.set(name, [...(values.get(name) ?? []), rawValue]);
    else if (faults.size < MAX_FAULTS) {
      const path = shown(name ?? rawName);
      const problem =
        name === null ? 'is not valid percent-encoded UTF-8' : 'is not a parameter of this address';
      faults.set(path, { path: path === '' ? 'query' : path, problem });
    }
  }
  return { values, faults: [...faults.values()] };
};

export interface Parameters {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
}

/**
 * The parameters of an operation, read by their scalars; every fault named. `segments` are the raw texts of the path
 * parameters in the order of the declaration's path. An operation that takes none has nothing to misread, so there
 * a query string is left alone. Of the header lines only those that the operation declares are looked at.
 */
export const readParameters = (
  endpoint: Endpoint,
  segments: ReadonlyMap<string, string>,
  query: string,
  lines: IncomingHttpHeaders,
): Parameters => {
  const path: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  const put = (into: Record<string, unknown>, name: string, raw: string, scalar: Scalar<unknown>): void => {
    const outcome = readText(raw, scalar);
    if ('problem' in outcome) faults.push({ path: name, problem: outcome.problem });
    else into[name] = outcome.value;
  };
  for (const [name, { scalar }] of Object.entries(endpoint.params))
    put(path, name, segments.get(name) ?? '', scalar);
  const known = Object.keys(endpoint.query);
  if (known.length + segments.size > 0) {
    const given = givenIn(query, known);
    for (const [name, { scalar, required }] of Object.entries(endpoint.query)) {
      const texts = given.values.get(name) ?? [];
      if (texts.length > 1) faults.push({ path: name, problem: 'is given more than once' });
      else if (texts[0] !== undefined) put(values, name, texts[0], scalar);
      else if (required) faults.push({ path: name, problem: 'is required' });
    }
    faults.push(...given.faults);
  }
  const headers: Record<string, unknown> = {};
  for (const [name, { scalar, required }] of Object.entries(endpoint.headers)) {
    const text = lines[name];
    const value = text === undefined ? undefined : scalar.read(String(text));
    if (value === null) faults.push({ path: name, problem: `must be ${scalar.expected}` });
    else if (value !== undefined) headers[name] = value;
    else if (required) faults.push({ path: name, problem: 'is required' });
  }
  return { path, query: values, headers, faults: faults.slice(0, MAX_FAULTS) };
};
