/**
 * Every operation, public and of the staff, with faulty bodies, headers, tokens and addresses: never an internal
 * error or an undocumented response, and a refused request changes no data.
 */
import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../src/platform/contract/error.ts';
import { allEndpoints } from '../../src/service/contract/endpoints.ts';
import { openCalls, type Call, type OpenCalls } from '../support/operations/all-calls.ts';
import { hostileBody, type HostileBody } from '../support/operations/hostile-bodies.ts';
import { watchWrites } from '../support/database/written-tables.ts';
import { aWalletOne } from '../support/people/wallets.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let open: OpenCalls;
/** The tables written to since it was last called. */
let written: () => Promise<readonly string[]>;

beforeAll(async () => {
  world = await makeWorld({ walletOne: aWalletOne() });
  open = await openCalls(world);
  written = await watchWrites(world.database, world.db);
});
afterAll(() => world.close());

// ── Tables that a refused request may not change ───────────────────────────────────────────────────────

/** Tables that a refused request may write, with the reason. */
const WRITTEN_BY_REFUSALS: Readonly<Record<string, string>> = {
  otp_phone: 'a wrong code counts as a failure of its phone',
  sign_in_failure: 'a wrong password counts',
  account_failure: 'a wrong password counts over all addresses',
  staff_device: 'a wrong PIN makes its device wait',
  staff_pin_failure: 'a wrong PIN counts',
  wrong_tries: 'wrong attempts are reported to the owner',
  staff_challenge: 'a challenge is used up by any answer',
  road_distance: 'a measured distance is stored even if the order is refused',
};

/** Of the audit log: wrong PINs and passwords. */
const isWrittenByRefusals = (written: string): boolean =>
  written in WRITTEN_BY_REFUSALS || /^audit .*_(wrong|tries)$/.test(written);

// ── Requests ───────────────────────────────────────────────────────────────────────────────

interface SentRequest {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Hostile text for a header or a part of an address. */
const ODD = [
  '',
  '%00',
  '%ED%A0%80',
  '%FF',
  '%',
  '..',
  '%2F',
  ':id',
  '__proto__',
  'null',
  '-0',
  '1e3',
  '0x1',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  '2026-02-30',
  '9999-12-31',
  'true',
  'pickup',
  'dine_in',
  'received',
  '\u00ff',
  'x'.repeat(255),
  'x'.repeat(300),
];

const headerLines = ({ authorizations, tokens, ids }: OpenCalls) => {
  const odd = fc.constantFrom(...ODD, ...ids.slice(0, 4));
  const bearer = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...authorizations) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'Bearer',
        'Bearer ',
        `bearer  ${authorizations[0]?.slice(7) ?? ''}`,
        `Bearer stf_${'x'.repeat(43)}`,
        `Bearer ${'x'.repeat(1_000)}`,
        'Basic b3duZXI6YWh3YS1kZW1v',
        'Bearer \u00ff',
        'Bearer a, Bearer b',
      ),
    },
  );
  return fc.record(
    {
      authorization: bearer,
      'idempotency-key': fc.oneof(fc.constantFrom('one', 'two', 'k'.repeat(255)), odd),
      'x-device-token': fc.oneof(fc.constantFrom(...tokens), odd),
      'last-event-id': fc.oneof(fc.constantFrom('0', '1', '2147483647'), odd),
      'content-type': fc.constantFrom(
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'APPLICATION/JSON',
        'application/merge-patch+json',
        'text/plain',
        'multipart/form-data; boundary=x',
        '',
      ),
      'content-encoding': fc.constantFrom('identity', 'gzip', 'x'),
      'accept-language': fc.constantFrom('ar', 'en', 'ar;q=0', '*', ',,;q='),
      accept: fc.constantFrom('text/event-stream', 'text/html', '*/*;q=0', 'application/json'),
      origin: fc.constantFrom('https://elsewhere.example', 'null', ''),
    },
    { requiredKeys: [] },
  );
};

/** A fault in an address: a part of its path or query is replaced. */
const addressFault = fc.record({
  where: fc.nat(),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ODD.map((text) => encodeURI(text).replaceAll('%25', '%'))) },
    { weight: 2, arbitrary: fc.nat().map((index) => ({ index })) },
  ),
});
type AddressFault = typeof addressFault extends fc.Arbitrary<infer T> ? T : never;

const withAddressFault = (address: string, { where, what }: AddressFault): string => {
  const { ids } = open;
  const text = typeof what === 'string' ? what : (ids[what.index % ids.length] ?? '').toUpperCase();
  const [path = '', query] = address.split('?');
  const parts = path.split('/');
  const pairs = query?.split('&') ?? [];
  const at = where % (parts.length - 1 + pairs.length + 1);
  if (at < parts.length - 1) parts[at + 1] = text;
  else if (at - parts.length + 1 < pairs.length) {
    const [name = ''] = (pairs[at - parts.length + 1] ?? '').split('=');
    pairs[at - parts.length + 1] = `${name}=${text}`;
  } else pairs.push(`${text}=${text}`);
  return `${parts.join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
};

interface Mutation {
  readonly headers: Readonly<Record<string, string>>;
  readonly address: AddressFault | null;
  readonly body: HostileBody | null;
}

const anyMutation = ({ body }: Endpoint): fc.Arbitrary<Mutation> =>
  fc.record({
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: headerLines(open) }),
    address: fc.oneof(
      { weight: body === undefined ? 1 : 5, arbitrary: fc.constant(null) },
      { weight: body === undefined ? 3 : 1, arbitrary: addressFault },
    ),
    body: body === undefined ? fc.constant(null) : hostileBody(body, open.ids),
  });

const mutated = (
  endpoint: Endpoint,
  { address, headers = {}, body }: Call,
  mutation: Mutation,
): SentRequest => ({
  method: endpoint.method,
  address: mutation.address === null ? address : withAddressFault(address, mutation.address),
  headers: {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...mutation.headers,
  },
  body: body === undefined ? undefined : (mutation.body?.from(body) ?? JSON.stringify(body)),
});

// ── Sending ──────────────────────────────────────────────────────────────────────────────────────

/** The status of a stream, which is closed at once; null when the response is no stream. */
const streamStatus = ({ address, headers }: SentRequest): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const streamRequest = httpRequest(
      { host: '127.0.0.1', port: world.port, path: address, headers, agent: false },
      ({ statusCode = 0, headers: { 'content-type': type = '' } }) => {
        resolve(type.startsWith('text/event-stream') ? statusCode : null);
        streamRequest.destroy();
      },
    );
    streamRequest.on('error', reject);
    streamRequest.end();
  });

/** The status; the response is checked against the OpenAPI document. */
const sendRequest = async (endpoint: Endpoint, sent: SentRequest): Promise<number> => {
  const stream = endpoint.answers === 'events' ? await streamStatus(sent) : null;
  if (stream !== null) return stream;
  const reply = await world.send(sent.method, sent.address, { ...sent.headers }, sent.body);
  // An unknown address is a page to a browser.
  const isPage = String(reply.headers['content-type']).startsWith('text/html');
  if (reply.status >= 400 && !isPage) {
    const { error } = reply.body as { error: unknown };
    expect(typeof error === 'string' && error.length > 0 && error.length < 500).toBe(true);
  }
  return reply.status;
};

/** Wrong passwords count for a quarter of an hour, during which that name cannot sign in. */
const letTimePass = ({ id }: Endpoint): void => {
  if (id === 'staffSignIn') world.now += 16 * 60_000;
};

describe.each(Object.keys(allEndpoints))('%s', (id) => {
  const callOf = () => {
    const found = open.calls.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no call of ${id}`);
    return found;
  };

  test('answers a valid request with its documented status', async () => {
    const { endpoint, call } = callOf();
    const plain = { headers: {}, address: null, body: null };
    expect(await sendRequest(endpoint, mutated(endpoint, await call(), plain))).toBe(endpoint.status);
  });

  test('answers or refuses any hostile request, and a refused request changes no row', async () => {
    const { endpoint, call } = callOf();
    const since = world.now;
    const statuses = new Set<number>();
    const freshCall = async (): Promise<Call> => {
      const made = await call();
      await written();
      return made;
    };
    let unused: Call | null = null;
    await fc.assert(
      fc.asyncProperty(anyMutation(endpoint), async (mutation) => {
        const valid = unused ?? (await freshCall());
        const status = await sendRequest(endpoint, mutated(endpoint, valid, mutation));
        letTimePass(endpoint);
        statuses.add(status);
        expect(status).toBeLessThan(500);
        const tables = await written();
        if (status >= 400) expect(tables.filter((name) => !isWrittenByRefusals(name))).toEqual([]);
        // A refusal that wrote nothing has not used up the subject of the call.
        unused = status >= 400 && tables.length === 0 ? valid : null;
      }),
      { numRuns: endpoint.body === undefined ? 6 : 20 },
    );
    world.now = since;
    // The generator found refusals.
    expect([...statuses].some((status) => status >= 400)).toBe(true);
  });
});

/** Each operation that has no body, and its reply to one. */
const toBodiless = async (type: string, body: string): Promise<[Endpoint, Reply][]> => {
  const answers: [Endpoint, Reply][] = [];
  for (const { endpoint, call } of open.calls) {
    if (endpoint.method === 'GET' || endpoint.body !== undefined) continue;
    const { address, headers } = await call();
    const lines = { ...headers, 'content-type': type };
    answers.push([endpoint, await world.send(endpoint.method, address, lines, body)]);
  }
  expect(answers).not.toEqual([]);
  return answers;
};

test.each([
  ['no fields', 'application/json', '{}'],
  ['nothing', 'application/json', ''],
  ['an empty form', 'application/x-www-form-urlencoded', ''],
  ['nothing, of no type', '', ''],
  ['nothing, of a type that is none', 'nonsense', ''],
  ['nothing, in letters that are not read', 'text/plain; charset=ISO-8859-1', ''],
])('an operation without a body accepts an empty one: %s', async (_, type, body) => {
  for (const [{ id, status: done }, { status }] of await toBodiless(type, body))
    expect([id, status]).toEqual([id, done]);
});

test.each([
  ['an unknown field', 'application/json', '{"x":1}', 400, 'x'],
  ['a list', 'application/json', '[]', 400, 'body'],
  ['bad JSON', 'application/json', '{"a":', 400, 'body'],
  ['a form', 'application/x-www-form-urlencoded', 'a=b', 415, undefined],
  ['what has no type', 'nonsense', '\u0000\u0001', 415, undefined],
  ['too much', 'application/json', `{"x":"${'x'.repeat(200_000)}"}`, 413, undefined],
])('an operation without a body refuses an invalid one: %s', async (_, type, body, no, path) => {
  for (const [{ id }, reply] of await toBodiless(type, body))
    expect([id, reply.status, (reply.body as ErrorBody).fields?.[0]?.path]).toEqual([id, no, path]);
});

test('no request of these tests logged a fault', () => {
  // Wrong PINs and passwords are log lines too.
  expect(world.logged.filter((line) => !line.includes('"security":'))).toEqual([]);
});
