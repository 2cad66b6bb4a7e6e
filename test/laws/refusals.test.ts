/** Every refusal belongs to an operation, and a test provokes it over HTTP. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { refusalsOf, type Endpoint } from '../../src/platform/contract/endpoint.ts';
import { allEndpoints } from '../../src/service/contract/endpoints.ts';
import { REFUSALS, type RefusalName } from '../../src/kernel/refusal.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const names = Object.keys(REFUSALS) as RefusalName[];
const operations: readonly Endpoint[] = Object.values(allEndpoints);

/** Refused before an operation is found. */
const DOORS: Readonly<Partial<Record<RefusalName, string>>> = {
  METHOD_NOT_ALLOWED: 'any address',
  HEADERS_TOO_LARGE: 'any connection',
  REQUEST_TIMEOUT: 'any connection',
  ORIGIN_NOT_ALLOWED: 'the tool server',
  HOST_NOT_ALLOWED: 'the tool server',
  NOT_ACCEPTABLE: 'the tool server',
  REPORT_NOT_SIGNED: 'the reports of messages',
  PASS_TOKEN_WRONG: 'the web service of passes',
};

test('every refusal belongs to an operation or to a door, not to both', () => {
  const ofOperations = new Set(operations.flatMap(refusalsOf));
  const ofDoors = new Set(Object.keys(DOORS));
  expect(names.filter((name) => !ofOperations.has(name) && !ofDoors.has(name))).toEqual([]);
  expect(names.filter((name) => ofOperations.has(name) && ofDoors.has(name))).toEqual([]);
});

type Codeless = {
  [Name in RefusalName]: (typeof REFUSALS)[Name]['code'] extends null ? Name : never;
}[RefusalName];

/** Refusals without a code, recognized by status: file and title of their tests. */
const HELD_BY: Readonly<Record<Codeless, readonly [file: string, title: string]>> = {
  INVALID_INPUT: ['test/http/input.test.ts', 'all faults are listed together'],
  ORIGIN_NOT_ALLOWED: [
    'test/mcp/door.test.ts',
    'a local origin is accepted only while the service’s own address is local',
  ],
  HOST_NOT_ALLOWED: [
    'test/mcp/door.test.ts',
    'only a local host is accepted while the service’s address is local',
  ],
  REPORT_NOT_SIGNED: ['test/messaging/reports.test.ts', 'a report %s is 403 and changes nothing'],
  PASS_TOKEN_WRONG: ['test/loyalty/phones.test.ts', 'without its token is 401, %s'],
  PASS_NOT_AVAILABLE: ['test/loyalty/pass.test.ts', 'a pass without signing material is 503'],
  NOT_FOUND: ['test/http/errors.test.ts', 'that is unknown is 404 with one fixed body'],
  METHOD_NOT_ALLOWED: [
    'test/http/errors.test.ts',
    'that an address does not allow is 405 with `Allow: GET, HEAD`',
  ],
  NOT_ACCEPTABLE: ['test/mcp/door.test.ts', '%s excludes JSON and is 406'],
  REQUEST_TIMEOUT: ['test/http/connections.test.ts', 'a request that arrives too slowly is refused with 408'],
  BODY_TOO_LARGE: ['test/http/input.test.ts', 'another content type is 415, a body over the limit 413'],
  ADDRESS_TOO_LONG: ['test/http/input.test.ts', 'an address of more than 4,096 characters is 414'],
  NOT_JSON: ['test/http/input.test.ts', 'another content type is 415, a body over the limit 413'],
  BODY_COMPRESSED: ['test/http/input.test.ts', 'a compressed body is 415 with `Accept-Encoding: identity`'],
  HEADERS_TOO_LARGE: ['test/http/connections.test.ts', 'headers over 16 KB'],
  INTERNAL: ['test/http/input.test.ts', 'an unexpected fault is 500 with only a request id'],
  CODES_SPENT: [
    'test/messaging/message-budgets.test.ts',
    'in all, once spent, makes codes 503 until enough of the hour has passed',
  ],
  CODE_COUNTRY_NOT_SERVED: [
    'test/messaging/message-budgets.test.ts',
    'that a country lacks makes its codes 503 and its orders go without messages',
  ],
  CODE_NOT_SENT: ['test/identity/otp.test.ts', 'a code that could not be sent may be requested again %s'],
  UNAVAILABLE: ['test/http/unavailable.test.ts', 'reads without a cached answer are 503 with Retry-After'],
};

test.each(Object.entries(HELD_BY))('%s has its test in the named file', (_, [file, title]) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
});

const overHttp = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'))
  .filter((code) =>
    /from '\.\.\/support\/server\/(world|http-server|http-client|requests|mcp-client)\.ts'/.test(code),
  );

test('every refusal code is named in a test that uses HTTP', () => {
  const codes = names.flatMap((name) => REFUSALS[name].code ?? []);
  const unnamed = codes.filter((code) => !overHttp.some((text) => new RegExp(`['"]${code}['"]`).test(text)));
  expect(unnamed).toEqual([]);
});
