/** Sessions in a cookie, for pages of our own origins; and CORS for those of a console (Decisions 12, 15). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBoard } from '../support/server/board-client.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import {
  aStaffedShop,
  emailOf,
  pairedTill,
  PASSWORD,
  personId,
  PIN,
  setCredentials,
  signInAs,
} from '../support/people/staff.ts';
import { placed } from '../support/people/guests.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const HERE = 'https://ahwa.example';
const CONSOLE = 'https://console.ahwa.example';
const ELSEWHERE = 'https://elsewhere.example';
const CLEARED = '__Host-staff=; Path=/; Max-Age=0; SameSite=Strict; HttpOnly; Secure';
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

let world: World;
let plain: World;
beforeAll(async () => {
  world = await makeWorld({ baseUrl: `${HERE}/api`, consoleOrigins: [CONSOLE] });
  plain = await makeWorld({ baseUrl: 'http://localhost:8080', database: world.database });
  await openShops(world, aStaffedShop());
  await setCredentials(world);
});
afterAll(async () => {
  await plain.close();
  await world.close();
});

const signIn = (at: World, session?: string, lines = {}): Promise<Reply> =>
  post(at, '/staff/sign-in', { email: emailOf('owner'), password: PASSWORD, session }, lines);

const cookieLine = ({ headers }: Reply): string => headers['set-cookie']?.join() ?? '';

/** As a browser sends it back. */
const cookieIn = (reply: Reply): string => cookieLine(reply).split(';')[0] ?? '';

const cookieOfOwner = async (at = world): Promise<string> => cookieIn(await signIn(at, 'cookie'));

const orders = `/staff/orders?branch_id=${branchId()}`;

const corsOf = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

describe('a sign-in with `session: cookie`', () => {
  test('sets a cookie that no script can read, and answers without the token', async () => {
    const reply = await signIn(world, 'cookie');
    expect(done('staffSignIn', reply)).toMatchObject({ token: null, staff: { id: personId('owner') } });
    expect(cookieLine(reply)).toMatch(
      /^__Host-staff=stf_[0-9a-f]{10}_[\w-]{43}; Path=\/; Max-Age=43200; SameSite=Strict; HttpOnly; Secure$/,
    );
  });

  test('by PIN sets one too', async () => {
    const { device } = await pairedTill(world);
    const pin = { staff_id: personId('teller'), pin: PIN, session: 'cookie' };
    const reply = await post(world, '/staff/pin', pin, device);
    expect(done('pinSignIn', reply).token).toBeNull();
    const cookie = cookieIn(reply);
    expect((await world.get(orders, { cookie, ...SAME_ORIGIN })).status).toBe(200);
  });

  test('behind http sets one without `Secure` and the prefix that needs it', async () => {
    const reply = await signIn(plain, 'cookie');
    expect(cookieLine(reply)).toMatch(
      /^staff=stf_[0-9a-f]{10}_[\w-]{43}; Path=\/; Max-Age=43200; SameSite=Strict; HttpOnly$/,
    );
    const lines = { cookie: cookieIn(reply), origin: 'http://localhost:8080' };
    expect((await plain.get(orders, lines)).status).toBe(200);
  });

  test('behind http of another machine is refused with the field, before anything is tried', async () => {
    const far = await makeWorld({ baseUrl: 'http://till.example:8080', database: world.database });
    onTestFinished(() => far.close());
    const { device } = await pairedTill(world);
    const pin = { staff_id: personId('teller'), pin: PIN };
    for (const [address, body, lines] of [
      ['/staff/sign-in', { email: emailOf('owner'), password: PASSWORD }, {}],
      ['/staff/sign-in', { email: emailOf('owner'), password: 'another' }, {}],
      ['/staff/pin', pin, device],
    ] as const) {
      const reply = await post(far, address, { ...body, session: 'cookie' }, lines);
      expect(refusalOf(reply)).toMatchObject({
        status: 400,
        fields: [{ path: 'session', problem: expect.stringContaining('BASE_URL is http') as string }],
      });
      expect(cookieLine(reply)).toBe('');
    }
    const arabic = await post(
      far,
      '/staff/pin',
      { ...pin, session: 'cookie' },
      { ...device, 'accept-language': 'ar' },
    );
    expect(arabic.text).toContain('اجعله عنوان https للخدمة');
    expect(done('pinSignIn', await post(far, '/staff/pin', pin, device)).token).toMatch(/^stf_/);
  });

  test.each([undefined, 'token'])(
    'is none with `session` %s: the token is in the answer',
    async (session) => {
      const reply = await signIn(world, session);
      expect(done('staffSignIn', reply).token).toMatch(/^stf_/);
      expect(cookieLine(reply)).toBe('');
    },
  );

  test('of another kind is refused with the field', async () => {
    expect(refusalOf(await signIn(world, 'header'))).toMatchObject({
      status: 400,
      fields: [{ path: 'session' }],
    });
  });

  test('leaves no token in the log', async () => {
    const token = (await cookieOfOwner()).split('=')[1] ?? '';
    await world.get(orders, { cookie: `__Host-staff=${token}`, origin: ELSEWHERE });
    expect(world.logged.join('\n')).not.toContain(token);
    const rows = await world.db.kysely.selectFrom('staff_session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('the cookie', () => {
  test.each<[string, object]>([
    ['of the service', { origin: HERE }],
    ['of a console', { origin: CONSOLE }],
    ['whose browser names the same origin, without `Origin`', SAME_ORIGIN],
    ['beside other cookies', { origin: HERE, before: 'a=1; __Host-lang=ar; ' }],
  ])('signs in a page %s', async (_, { before = '', ...lines }: { before?: string }) => {
    const cookie = `${before}${await cookieOfOwner()}; z=2`;
    expect((await world.get(orders, { cookie, ...lines })).status).toBe(200);
  });

  test.each<[string, object]>([
    ['of another origin', { origin: ELSEWHERE }],
    ['of another origin that claims to be the same', { origin: ELSEWHERE, ...SAME_ORIGIN }],
    ['of the same host by http', { origin: HERE.replace('https', 'http') }],
    ['of another port', { origin: `${HERE}:8443` }],
    ['without an origin, as in a frame', { origin: 'null' }],
    ['of a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['that another site leads to', { 'sec-fetch-site': 'cross-site' }],
    ['that was opened by hand', { 'sec-fetch-site': 'none' }],
    ['of an older browser, which names no origin', {}],
    ['that sends another `Authorization` too', { origin: HERE, authorization: 'Basic b3duZXI6YWh3YQ==' }],
  ])('is ignored for a request %s', async (_, lines) => {
    const cookie = await cookieOfOwner();
    const read = await world.get(orders, { cookie, ...lines });
    expect(refusalOf(read)).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
    const left = await world.send('POST', '/staff/sign-out', { cookie, ...lines });
    expect(refusalOf(left)).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
    expect((await world.get(orders, { cookie, origin: HERE })).status).toBe(200);
  });

  test('of http is none behind https', async () => {
    const cookie = (await cookieOfOwner()).replace('__Host-', '');
    expect((await world.get(orders, { cookie, origin: HERE })).status).toBe(401);
  });

  test('is no device', async () => {
    const { device } = await pairedTill(world);
    const cookie = `__Host-staff=${device.authorization.slice('Bearer '.length)}`;
    for (const address of ['/staff/pin', orders])
      expect(refusalOf(await world.get(address, { cookie, origin: HERE }))).toMatchObject({
        status: 401,
        code: 'SIGN_IN_REQUIRED',
      });
  });

  test('yields to the token of another person', async () => {
    const cookie = await cookieOfOwner();
    const teller = await signInAs(world, 'teller');
    const reply = await world.get('/staff/audit', { cookie, origin: HERE, ...teller });
    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
  });

  test('is cleared by the sign-out, after which it is a session that has ended', async () => {
    const lines = { cookie: await cookieOfOwner(), origin: HERE };
    const reply = await world.send('POST', '/staff/sign-out', lines);
    expect(done('staffSignOut', reply)).toEqual({ signed_out: true });
    expect(cookieLine(reply)).toBe(CLEARED);
    expect(refusalOf(await world.get(orders, lines))).toMatchObject({ status: 401, code: 'SESSION_ENDED' });
  });

  test('of a session that has ended is cleared by the next request, whatever it is', async () => {
    const lines = { cookie: await cookieOfOwner(), origin: CONSOLE };
    await world.send('POST', '/staff/sign-out', lines);
    const stream = `/staff/events?branch_id=${branchId()}`;
    for (const [method, address] of [
      ['GET', orders],
      ['POST', '/staff/sign-out'],
      ['GET', stream],
    ] as const) {
      const reply = await world.send(method, address, lines);
      expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'SESSION_ENDED' });
      expect(cookieLine(reply)).toBe(CLEARED);
    }
  });

  test('stays after any other refusal, and after one of a token that has ended', async () => {
    const lines = { cookie: await cookieOfOwner(), origin: HERE };
    const ended = `Bearer stf_${'a'.repeat(43)}`;
    const replies = [
      await world.get('/staff/orders', lines),
      await world.get(orders, { ...lines, origin: ELSEWHERE }),
      await world.get(orders, { ...lines, authorization: ended }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 401, 401]);
    expect(replies.map(cookieLine)).toEqual(['', '', '']);
  });

  test('of a browser stays when another session signs out by its token', async () => {
    const [cookie, owner] = [await cookieOfOwner(), await signInAs(world, 'owner')];
    const reply = await world.send('POST', '/staff/sign-out', { cookie, origin: HERE, ...owner });
    expect(cookieLine(reply)).toBe('');
    expect((await world.get(orders, { cookie, origin: HERE })).status).toBe(200);
  });

  test('opens a stream of events, which ends with the session', async () => {
    const cookie = await cookieOfOwner();
    const address = `/staff/events?branch_id=${branchId()}`;
    const board = await openBoard(world.port, address, { cookie, ...SAME_ORIGIN }, ['kitchen_ticket']);
    expect(board.status).toBe(200);
    const { id } = await placed(world);
    expect((await board.next()).data.id).toBe(id);
    const before = Number(board.lastId()) - 1;
    const resumed = await openBoard(world.port, `${address}&last_event_id=${before}`, {
      cookie,
      ...SAME_ORIGIN,
    });
    expect((await resumed.next()).data.id).toBe(id);
    await world.send('POST', '/staff/sign-out', { cookie, origin: HERE });
    await Promise.all([board.ended, resumed.ended]);
  });
});

describe('CORS', () => {
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const ALLOWED = {
    'access-control-allow-origin': CONSOLE,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After',
  };

  test('lets a console read the staff API with credentials, refusals and streams too', async () => {
    const page = { cookie: await cookieOfOwner(), origin: CONSOLE };
    const replies = [
      await signIn(world, 'cookie', { origin: CONSOLE }),
      await world.get(orders, page),
      await world.get('/staff/orders', page),
      await world.get(orders, { origin: CONSOLE }),
      await world.get('/staff/nothing', page),
      await world.send('DELETE', orders, page),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 405]);
    for (const reply of replies) {
      expect(corsOf(reply)).toEqual(ALLOWED);
      expect(reply.headers.vary?.split(', ')).toContain('Origin');
    }
    const board = await openBoard(world.port, `/staff/events?branch_id=${branchId()}`, page);
    expect(board.headers).toMatchObject(ALLOWED);
    board.close();
    await board.ended;
  });

  test.each(['/staff/sign-in', '/sync/pull', '/sync/replay'])(
    'answers the preflight of a console, or of a till in the browser, at %s',
    async (path) => {
      const reply = await world.send('OPTIONS', path, { ...asks, origin: CONSOLE });
      expect(reply.status).toBe(204);
      expect(corsOf(reply)).toEqual({
        ...ALLOWED,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'content-type, accept, accept-language, authorization, idempotency-key, x-known-device, last-event-id',
        'access-control-max-age': '86400',
      });
    },
  );

  test.each([ELSEWHERE, HERE, 'null', `${CONSOLE}.elsewhere.example`, CONSOLE.replace('https', 'http')])(
    'is nothing for %s',
    async (origin) => {
      const cookie = await cookieOfOwner();
      const replies = [
        await world.send('OPTIONS', '/staff/sign-in', { ...asks, origin }),
        await world.send('OPTIONS', '/sync/pull', { ...asks, origin }),
        await world.get(orders, { cookie, origin }),
      ];
      for (const reply of replies) expect(corsOf(reply)).toEqual({});
    },
  );

  test('gives no credentials of a console to the public API', async () => {
    const reply = await world.get('/openapi-staff.json', { origin: CONSOLE });
    expect(corsOf(reply)).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(corsOf(reply)).not.toHaveProperty('access-control-allow-credentials');
  });
});
