/**
 * Strict reading of path, query and header parameters; every fault is named (Decisions 5). Node's `querystring` and
 * `URLSearchParams` accept repeated names and invalid escapes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isPage, type Endpoint } from '../../platform/contract/endpoint.ts';
import type { Scalar } from '../../platform/contract/scalars.ts';
import { mustBe, mustBeOneOf, NUL_CHARACTER, REQUIRED } from '../../kernel/problems.ts';
import type { Fault, Problem } from '../../kernel/refusal.ts';

/** Longer addresses are refused (414). */
export const MAX_ADDRESS = 4096;

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

/** Null where the escapes are no valid UTF-8. The HTTP parser refuses raw non-ASCII bytes. */
export const decoded = (text: string): string | null => {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return null;
  }
};

const STAFF_FOLDERS = ['staff', 'sync'];

/** Whether a path is of the API of staff and their devices, which is closed to other origins (Decisions 12, 15). */
export const isStaffPath = (path: string): boolean =>
  STAFF_FOLDERS.includes(decoded(path.split('/', 2)[1] ?? '') ?? '');

const NOT_UTF8: Problem = {
  problem: 'is not valid percent-encoded UTF-8',
  arabic: 'الترميز بعلامات % ليس UTF-8 صحيحًا',
};
const UNKNOWN: Problem = {
  problem: 'is not a parameter of this address',
  arabic: 'هذا العنوان لا يقبل هذا المعامل',
};
const REPEATED: Problem = { problem: 'is given more than once', arabic: 'مذكور أكثر من مرة' };

const refusedText = (text: string, { words, expected }: Scalar<unknown>): Problem =>
  words === undefined ? mustBe(expected) : mustBeOneOf(words, text);

/** The value of a parameter, or its problem. */
const readText = (raw: string, scalar: Scalar<unknown>): { value: unknown } | Problem => {
  const text = decoded(raw);
  if (text === null || text.includes('\0')) {
    if (scalar.unreadable !== undefined) return { value: scalar.unreadable };
    return text === null ? NOT_UTF8 : NUL_CHARACTER;
  }
  const value = scalar.read(text);
  return value === null ? refusedText(text, scalar) : { value };
};

/** A client's parameter name, made short and printable. */
const printable = (name: string): string => name.replace(/[^\x20-\x7e\u0600-\u06ff]/g, '?').slice(0, 64);

interface QueryValues {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly faults: readonly Fault[];
}

/** The raw values by name, and a fault for each unknown name. */
const readQuery = (query: string, known: readonly string[]): QueryValues => {
  const values = new Map<string, string[]>();
  const faults = new Map<string, Fault>();
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(piece.replaceAll('+', ' ')) ?? [];
    const name = decoded(rawName);
    if (name !== null && known.includes(name)) values.set(name, [...(values.get(name) ?? []), rawValue]);
    else if (faults.size < MAX_FAULTS) {
      const path = printable(name ?? rawName);
      faults.set(path, { path: path === '' ? 'query' : path, ...(name === null ? NOT_UTF8 : UNKNOWN) });
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
 * Reads the parameters of an operation by their scalars. `segments`: the raw path parameters. The query of an operation
 * without parameters is ignored, and so are undeclared header lines.
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
    if ('problem' in outcome) faults.push({ path: name, ...outcome });
    else into[name] = outcome.value;
  };
  for (const [name, { scalar }] of Object.entries(endpoint.params))
    put(path, name, segments.get(name) ?? '', scalar);
  const known = Object.keys(endpoint.query);
  if (known.length + segments.size > 0) {
    const queryValues = readQuery(query, known);
    for (const [name, { scalar, required }] of Object.entries(endpoint.query)) {
      const texts = queryValues.values.get(name) ?? [];
      if (texts.length > 1) faults.push({ path: name, ...REPEATED });
      else if (texts[0] !== undefined) put(values, name, texts[0], scalar);
      else if (required) faults.push({ path: name, ...REQUIRED });
    }
    faults.push(...queryValues.faults);
  }
  const headers: Record<string, unknown> = {};
  for (const [name, { scalar, required }] of Object.entries(endpoint.headers)) {
    const text = lines[name];
    const value = text === undefined ? undefined : scalar.read(String(text));
    if (value === null) faults.push({ path: name, ...mustBe(scalar.expected) });
    else if (value !== undefined) headers[name] = value;
    else if (required) faults.push({ path: name, ...REQUIRED });
  }
  // The address of a page is shared, and others add parameters of their own to it.
  const refused = isPage(endpoint) ? [] : faults.slice(0, MAX_FAULTS);
  return { path, query: values, headers, faults: refused };
};
