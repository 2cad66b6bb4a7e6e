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
};

test('every refusal is one of an operation or of a door, and none of a door is an operation’s', () => {
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
  INVALID_INPUT: ['test/http/input.test.ts', 'every fault is listed at once'],
  ORIGIN_NOT_ALLOWED: [
    'test/mcp/door.test.ts',
    'of this machine, while the service’s own address is of this machine',
  ],
  HOST_NOT_ALLOWED: [
    'test/mcp/door.test.ts',
    'must lead to this machine while the service’s address does: no page can point its own name here',
  ],
  REPORT_NOT_SIGNED: ['test/messaging/reports.test.ts', 'a report %s is refused and changes nothing'],
  NOT_FOUND: ['test/http/errors.test.ts', 'that nobody knows are the one 404'],
  METHOD_NOT_ALLOWED: [
    'test/http/errors.test.ts',
    'that an address does not take get 405, which names those it does',
  ],
  NOT_ACCEPTABLE: ['test/mcp/door.test.ts', '%s does not: 406'],
  REQUEST_TIMEOUT: ['test/http/connections.test.ts', 'one that takes too long to send its request: 408'],
  BODY_TOO_LARGE: ['test/http/input.test.ts', 'another type is 415, too much is 413'],
  ADDRESS_TOO_LONG: ['test/http/input.test.ts', 'an address of more than 4,096 characters is 414'],
  NOT_JSON: ['test/http/input.test.ts', 'another type is 415, too much is 413'],
  BODY_COMPRESSED: [
    'test/http/input.test.ts',
    'a compressed body is 415, whatever its type, and told what is taken',
  ],
  HEADERS_TOO_LARGE: ['test/http/connections.test.ts', 'headers over 16 KB'],
  INTERNAL: ['test/http/input.test.ts', 'an unexpected fault says nothing but the request id'],
  CODES_SPENT: [
    'test/messaging/message-budgets.test.ts',
    'codes are 503 until enough of the hour has rolled on',
  ],
  CODE_COUNTRY_NOT_SERVED: [
    'test/messaging/message-budgets.test.ts',
    'to a country without a budget nothing is sent',
  ],
  CODE_NOT_SENT: ['test/identity/otp.test.ts', 'that could not be sent may be asked for again %s'],
  UNAVAILABLE: ['test/http/unavailable.test.ts', 'reads that need it get 503 with the error body and a wait'],
};

test.each(Object.entries(HELD_BY))('%s is provoked where it is said to be', (_, [file, title]) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
});

const overHttp = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'))
  .filter((code) =>
    /from '\.\.\/support\/server\/(world|http-server|http-client|requests|mcp-client)\.ts'/.test(code),
  );

test('every refusal with a code is named by a test that speaks HTTP', () => {
  const codes = names.flatMap((name) => REFUSALS[name].code ?? []);
  const unnamed = codes.filter((code) => !overHttp.some((text) => new RegExp(`['"]${code}['"]`).test(text)));
  expect(unnamed).toEqual([]);
});
