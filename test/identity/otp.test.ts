import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { later, never } from '../../src/messaging/domain/outbox.ts';
import { KARIM, MONA, proveOn } from '../support/people/guests.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
beforeAll(async () => {
  // No limits, and a clock that the test moves.
  world = await makeWorld({ limitScale: 0 });
});
beforeEach(async () => {
  await sql`delete from otp_phone`.execute(world.db.kysely);
  await sql`delete from device_token`.execute(world.db.kysely);
  world.phones.codes.length = 0;
  world.phones.outcome = null;
  world.phones.isReady = true;
});
afterAll(() => world.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ask = (phone = MONA.typed): Promise<Reply> => post(world, '/public/otp/request', { phone });
const verify = (code: string, phone = MONA.typed): Promise<Reply> =>
  post(world, '/public/otp/verify', { phone, code });
const codeOf = (phone = MONA.phone): string => world.phones.codeOf(phone);
const wrong = (code: string): string => (code === '000000' ? '111111' : '000000');

describe('a one-time code', () => {
  test('a code is sent to a phone in any notation and is exchanged for a device token', async () => {
    expect((await ask('+20 100 123 4567')).body).toEqual({ sent: true, resend_after_seconds: 60 });
    expect(world.phones.codes).toHaveLength(1);
    expect(codeOf()).toMatch(/^\d{6}$/);
    const answer = await verify(codeOf(), '٠١٠٠١٢٣٤٥٦٧');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ device_token: expect.stringMatching(/^dev_[\w-]{43}$/) as string });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('a code is accepted in Arabic digits and with spaces', async () => {
    await ask();
    const arabic = Array.from(codeOf(), (digit) => String.fromCodePoint(0x660 + Number(digit))).join('');
    expect((await verify(` ${arabic.slice(0, 3)} ${arabic.slice(3)} `)).status).toBe(200);
  });

  test('a code is accepted once', async () => {
    await ask();
    expect((await verify(codeOf())).status).toBe(200);
    expect(refusalOf(await verify(codeOf()))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
  });

  test('a code of one phone does not prove another phone', async () => {
    await ask();
    await ask(KARIM.typed);
    expect(refusalOf(await verify(codeOf(KARIM.phone)))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
  });

  test('a code expires after five minutes', async () => {
    await ask();
    world.now += 5 * MINUTE;
    expect(refusalOf(await verify(codeOf()))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
  });

  test('after five wrong tries the right code is refused with OTP_INVALID', async () => {
    await ask();
    for (let tried = 0; tried < 5; tried += 1)
      expect(refusalOf(await verify(wrong(codeOf())))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
    expect(refusalOf(await verify(codeOf()))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
  });

  test('a second code within a minute is 429; the first code still works', async () => {
    await ask();
    world.now += 20_000;
    const again = await ask();
    expect(refusalOf(again)).toMatchObject({ status: 429, code: 'RATE_LIMITED', retry_after_seconds: 40 });
    expect(again.headers['retry-after']).toBe('40');
    expect(world.phones.codes).toHaveLength(1);
    expect((await verify(codeOf())).status).toBe(200);
  });

  test('a newly sent code replaces the earlier one', async () => {
    await ask();
    const first = codeOf();
    world.now += MINUTE;
    await ask();
    if (codeOf() !== first)
      expect(refusalOf(await verify(first))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
    expect((await verify(codeOf())).status).toBe(200);
  });

  test('a code that could not be sent is 503 and leaves the earlier code valid', async () => {
    await ask();
    world.now += MINUTE;
    world.phones.outcome = { sent: false, again: 'later', waitMs: null, reason: 'down' };
    expect(refusalOf(await ask())).toMatchObject({ status: 503 });
    expect((await verify(codeOf())).status).toBe(200);
    world.phones.outcome = null;
    expect((await ask()).status).toBe(200);
  });

  test.each([
    ['at once, where nothing is said of a wait', later('WhatsApp error 2'), '2'],
    ['after the wait that the provider asks for', later('WhatsApp error 130429', 6_001), '7'],
    ['never, where another try would be refused as well', never('WhatsApp error 131026'), undefined],
  ])('a code that could not be sent may be requested again %s', async (_, outcome, retryAfter) => {
    world.phones.outcome = outcome;
    const answer = await ask();
    expect(refusalOf(answer)).toMatchObject({ status: 503 });
    expect(answer.text.includes('A code cannot be sent to this phone.')).toBe(retryAfter === undefined);
    expect(answer.headers['retry-after']).toBe(retryAfter);
  });

  test('the reason of a failed code is logged once and not returned', async () => {
    world.elapsed += 2_000;
    world.phones.outcome = never('WhatsApp error 132001: the template does not exist');
    const answer = await ask();
    expect(answer.text).not.toContain('132001');
    const lines = world.logged.filter((line) => line.includes('132001'));
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toMatch(/1001234567/);
  });

  test('a code is 503 without Retry-After where no sender is set up', async () => {
    world.phones.isReady = false;
    const answer = await ask();
    expect(refusalOf(answer)).toMatchObject({ status: 503 });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(answer.body).not.toHaveProperty('sent');
  });

  test('a phone gets at most ten codes a day', async () => {
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await ask()).status).toBe(200);
      world.now += MINUTE;
    }
    expect(refusalOf(await ask())).toMatchObject({
      status: 429,
      retry_after_seconds: (DAY - 10 * MINUTE) / 1000,
    });
    expect((await verify(codeOf())).status).toBe(200);
    world.now += DAY - 10 * MINUTE;
    expect((await ask()).status).toBe(200);
  });

  test('ten wrong codes in a day block requests and codes; a resend does not reset them', async () => {
    for (let round = 0; round < 2; round += 1) {
      await ask();
      for (let tried = 0; tried < 5; tried += 1) await verify(wrong(codeOf()));
      world.now += MINUTE;
    }
    expect(refusalOf(await ask())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(refusalOf(await verify(codeOf()))).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  test('a code that was never requested is OTP_INVALID and does not count as wrong', async () => {
    for (let tried = 0; tried < 12; tried += 1)
      expect(refusalOf(await verify('123456'))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
    expect((await ask()).status).toBe(200);
    expect((await verify(codeOf())).status).toBe(200);
  });
});

test('a wrong code is counted and is a security event with the client address', async () => {
  await ask();
  await verify(wrong(codeOf()));
  expect(world.app.security.counts.code_wrong).toBeGreaterThan(0);
  const lines = world.logged.filter((line) => line.includes('"security":"code_wrong"'));
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ client: '127.0.0.1' }),
  );
});

describe('concurrent requests', () => {
  test('20 concurrent requests for one phone send one code', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19);
    expect(world.phones.codes).toHaveLength(1);
  });

  test('20 concurrent wrong codes count as five', async () => {
    await ask();
    const guesses = Array.from({ length: 20 }, (_, n) => String(n).padStart(6, '9'));
    await Promise.all(guesses.filter((guess) => guess !== codeOf()).map((guess) => verify(guess)));
    expect(refusalOf(await verify(codeOf()))).toMatchObject({ status: 400, code: 'OTP_INVALID' });
    world.now += MINUTE;
    await ask();
    expect((await verify(codeOf())).status).toBe(200);
  });

  test('of 20 devices that send the right code concurrently one is accepted', async () => {
    await ask();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(codeOf())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

test.each([
  ['', 'must have at least 1 character'],
  ['hello', 'must be a mobile phone number, of Egypt or of a country that is served'],
  ['012', 'must be a mobile phone number, of Egypt or of a country that is served'],
  ['02 2735 1234', 'must be a mobile phone number, of Egypt or of a country that is served'],
  ['+44 7400 123456', 'must be a mobile phone number, of Egypt or of a country that is served'],
  ['0'.repeat(33), 'must have at most 32 characters'],
])('the phone %j is refused with the field phone', async (phone, problem) => {
  const refusal = refusalOf(await ask(phone));
  expect(refusal).toMatchObject({ status: 400, fields: [{ path: 'phone', problem }] });
  expect(world.phones.codes).toEqual([]);
});

test('a foreign mobile number of a served country is accepted', async () => {
  expect((await ask('+966 50 123 4567')).status).toBe(200);
  expect(codeOf('966501234567')).toMatch(/^\d{6}$/);
});

test('code and device token are not stored in clear text; logs have no token or phone', async () => {
  const token = await proveOn(world);
  const row = await world.db.kysely.selectFrom('otp_phone').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(codeOf());
  expect(row.code_hash).toBeNull();
  const device = await world.db.kysely.selectFrom('device_token').selectAll().executeTakeFirstOrThrow();
  expect(device.token_hash.toString('utf8')).not.toContain(token);
  expect(world.logged.join('\n')).not.toMatch(new RegExp(`${token}|${MONA.phone}|1001234567`));
});

test('codes are counted by what became of them', async () => {
  const before = { ...world.app.codeCounts.counts };
  const since = () =>
    Object.fromEntries(
      Object.entries(world.app.codeCounts.counts).map(([outcome, count]) => [
        outcome,
        count - before[outcome as keyof typeof before],
      ]),
    );
  await ask();
  // A second one within the minute is over the limit of the phone.
  expect((await ask()).status).toBe(429);
  world.phones.outcome = later('down');
  expect((await ask(KARIM.typed)).status).toBe(503);
  world.phones.outcome = null;
  expect((await verify(wrong(codeOf()))).status).toBe(400);
  expect((await verify(codeOf())).status).toBe(200);
  expect((await ask('not a phone')).status).toBe(400);
  expect(since()).toEqual({ asked: 3, sent: 1, failed: 1, verified: 1, refused: 1 });
});
