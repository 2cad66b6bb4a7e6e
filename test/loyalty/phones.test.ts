/** The web service of wallet one: phones register, are pushed to, ask what has changed and load it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endCards, eraseCustomer } from '../../src/people/store/people.ts';
import type { WalletOne } from '../../src/ports.ts';
import { aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { aCard, aGuest, placed, anOrder, proveOn } from '../support/people/guests.ts';
import { aShopWithCards, joined, tokenIn } from '../support/people/members.ts';
import { earn, aWalletOne, WalletPhone } from '../support/people/wallets.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openPushServer, type PushServer } from '../support/stand-ins/push-server.ts';
import { PASS_TYPE } from '../support/stand-ins/wallet-certificates.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
const MINUTE = 60_000;

/** Shop that asks for no code. */
const OPEN = 'open-cafe';

let push: PushServer;
let walletOne: WalletOne;
let world: World;
let phones = 0;

const aPhone = (): WalletPhone => new WalletPhone(world, (phones += 1));

/** A phone that holds the pass of a new card. */
const aHolder = async (name?: string, slug?: string) => {
  const phone = aPhone();
  const token = await aCard(world, aGuest(), name, slug);
  await phone.add(token);
  const serial = [...phone.passes.keys()].at(-1) ?? '';
  await phone.update();
  await sendMessages(world);
  push.pushed.length = 0;
  return { phone, serial, token };
};

beforeAll(async () => {
  push = await openPushServer();
  walletOne = aWalletOne(push.url, { ca: push.ca });
  world = await makeWorld({ walletOne });
  await openShops(world, aShopFile(), aShopFile({ slug: 'kashk' }), aShopWithCards({}, { slug: OPEN }));
});
beforeEach(() => {
  world.now = START + (phones + 1) * MINUTE;
  push.instead = null;
});
afterAll(async () => {
  walletOne.close();
  await world.close();
  await push.stop();
});

test('a day of a phone: added, pushed to, updated, asked again, removed', async () => {
  const phone = aPhone();
  const token = await aCard(world, aGuest());
  expect(await phone.add(token)).toBe(201);
  const [serial = ''] = phone.passes.keys();
  // A push after the registration: the card may have changed since the pass was loaded.
  await sendMessages(world);
  expect(push.pushed).toEqual([phone.pushToken]);
  world.now += MINUTE;
  expect(await phone.update()).toEqual([200]);
  expect(await phone.changed()).toEqual([]);
  expect(await phone.load(serial)).toBe(304);

  world.now += 2 * 60 * MINUTE;
  await earn(world, serial, 13);
  await sendMessages(world);
  expect(push.pushed).toEqual([phone.pushToken, phone.pushToken]);
  world.now += MINUTE;
  expect(await phone.update()).toEqual([200]);
  expect(phone.balance(serial)).toBe(13);
  expect(await phone.load(serial)).toBe(304);

  // The phone starts anew and registers again with the same token.
  expect((await phone.register(phone.passes.get(serial) ?? { serial, token: '' })).status).toBe(200);
  await sendMessages(world);
  expect(push.pushed).toHaveLength(2);

  expect((await phone.remove(serial)).status).toBe(200);
  await earn(world, serial, 1);
  await sendMessages(world);
  expect(push.pushed).toHaveLength(2);
  expect(await phone.changed()).toEqual([]);
});

test('two changes within one second are both seen', async () => {
  const { phone, serial } = await aHolder();
  await earn(world, serial, 1);
  expect(await phone.update()).toEqual([200]);
  world.now += 400;
  await earn(world, serial, 1);
  expect(await phone.update()).toEqual([200]);
  expect(phone.balance(serial)).toBe(2);
});

test('a phone with cards of two shops is told of the one that changed', async () => {
  const { phone, serial: first } = await aHolder();
  await phone.add(await aCard(world, aGuest(), 'منى', 'kashk'));
  const second = [...phone.passes.keys()].at(-1) ?? '';
  expect(await phone.changed()).toEqual([second]);
  world.now += MINUTE;
  await earn(world, second, 5, shopId('kashk'));
  expect(await phone.changed()).toEqual([second]);
  await earn(world, first, 5);
  expect(await phone.changed()).toEqual([first]);
  expect(await phone.changed()).toEqual([]);
});

test('one push goes to each phone of a card for many changes, and each phone has the last balance', async () => {
  const { phone, serial, token } = await aHolder();
  const tablet = aPhone();
  await tablet.add(token);
  for (let change = 0; change < 5; change += 1) await earn(world, serial, 1);
  await sendMessages(world);
  expect(push.pushed.toSorted()).toEqual([phone.pushToken, tablet.pushToken].toSorted());
  for (const each of [phone, tablet]) {
    await each.update();
    expect(each.balance(serial)).toBe(5);
  }
});

test('a phone that no longer has the pass is unregistered at its next push', async () => {
  const { phone, serial } = await aHolder();
  push.unregistered.add(phone.pushToken);
  await earn(world, serial, 1);
  await sendMessages(world);
  expect(await phone.changed()).toEqual([]);
  const asked = push.requests;
  await earn(world, serial, 1);
  await sendMessages(world);
  expect(push.requests).toBe(asked);
});

test('a push server that is down delays the push, and blocks neither the change nor the pass', async () => {
  const { phone, serial } = await aHolder();
  push.instead = { status: 503, reason: 'Shutdown' };
  await earn(world, serial, 7);
  await sendMessages(world);
  expect(push.pushed).toEqual([]);
  // The phone asks by itself meanwhile.
  expect(await phone.load(serial)).toBe(200);
  expect(phone.balance(serial)).toBe(7);
  push.instead = null;
  world.now += MINUTE;
  await sendMessages(world);
  expect(push.pushed).toEqual([phone.pushToken]);
});

test('a phone keeps the token that it knows when the secret key is replaced', async () => {
  const { phone, serial, token } = await aHolder();
  const before = phone.passes.get(serial)?.token;
  const other = await makeWorld({
    ...{ walletOne, database: world.database, now: '2026-11-21T18:00:00Z' },
    secretKeys: ['a new key', 'a key of the tests'],
  });
  const again = new WalletPhone(other, 0);
  again.passes.set(
    serial,
    phone.passes.get(serial) ?? { serial, token: '', json: null as never, lastModified: undefined },
  );
  await earn(other, serial, 3);
  expect(await again.load(serial)).toBe(200);
  expect(again.passes.get(serial)?.token).toBe(before);
  // A new download has a token under the new key.
  await again.add(token);
  expect(again.passes.get(serial)?.token).not.toBe(before);
  await other.close();
});

describe('a pass that was loaded before the phone was proven', () => {
  /** Somebody joins with the phone of its owner, and keeps the pass. */
  const aStranger = async () => {
    const owner = aGuest();
    const phone = aPhone();
    const result = await joined(world, { org_id: shopId(OPEN), phone: owner.typed });
    await phone.add(tokenIn(result));
    const [serial = ''] = phone.passes.keys();
    await sendMessages(world);
    push.pushed.length = 0;
    return { owner, phone, serial };
  };

  /** The phone is told once, and finds a pass that tells nothing of the card. */
  const expectVoid = async (phone: WalletPhone, serial: string): Promise<void> => {
    await sendMessages(world);
    expect(push.pushed).toEqual([phone.pushToken]);
    expect(await phone.changed()).toEqual([serial]);
    expect(await phone.load(serial)).toBe(200);
    const pass = phone.passes.get(serial)?.json;
    expect(pass).toMatchObject({ voided: true, barcodes: [] });
    expect(JSON.stringify(pass)).not.toMatch(/منى|\/card\//);
    push.pushed.length = 0;
    await earn(world, serial, 5, shopId(OPEN));
    await sendMessages(world);
    expect(push.pushed).toEqual([]);
    expect(await phone.changed()).toEqual([]);
    await phone.load(serial);
    expect(phone.balance(serial)).toBe(0);
  };

  test('is void once the owner has the next token, takes no phone, and the owner has a pass', async () => {
    const { owner, phone, serial } = await aStranger();
    const known = phone.passes.get(serial) ?? { serial, token: '' };
    const device_token = await proveOn(world, owner);
    const proven = await joined(world, { org_id: shopId(OPEN), phone: owner.typed, device_token });
    await expectVoid(phone, serial);
    expect((await phone.register(known)).status).toBe(401);

    const own = aPhone();
    expect(await own.add(tokenIn(proven))).toBe(201);
    expect(own.balance(serial)).toBe(5);
    await phone.remove(serial);
    expect(await phone.changed()).toEqual([]);
  });

  test('is so with the order that is the first proof, and the phone that loads the next pass has that one', async () => {
    const { owner, phone, serial } = await aStranger();
    const device_token = await proveOn(world, owner);
    const { member_token = '' } = await placed(
      world,
      anOrder({
        ...{ branch_id: branchId('zamalek', OPEN), customer_phone: owner.typed, device_token },
        items: [{ menu_item_id: thingId('item', 'turkish', OPEN), quantity: 1 }],
      }),
    );
    await expectVoid(phone, serial);
    await phone.add(member_token, () => earn(world, serial, 2, shopId(OPEN)));
    expect(phone.balance(serial)).toBe(5);
    // The balance changed between the loading of the pass and the registration.
    await sendMessages(world);
    expect(push.pushed).toEqual([phone.pushToken]);
    push.pushed.length = 0;
    await earn(world, serial, 5, shopId(OPEN));
    await sendMessages(world);
    expect(push.pushed).toContain(phone.pushToken);
    expect(await phone.changed()).toEqual([serial]);
  });

  test('is forgotten when the phone removes the next pass, which it could not register', async () => {
    const { owner, phone, serial } = await aStranger();
    const device_token = await proveOn(world, owner);
    const proven = await joined(world, { org_id: shopId(OPEN), phone: owner.typed, device_token });
    const next = aPhone();
    await next.add(tokenIn(proven));
    for (const pass of next.passes.values()) phone.passes.set(serial, pass);
    expect((await phone.remove(serial)).status).toBe(200);
    const { rows } = await sql`select from wallet_registration where push_token = ${phone.pushToken}`.execute(
      world.db.kysely,
    );
    expect(rows).toEqual([]);
  });

  test('does not remove the phone that has registered the next pass', async () => {
    const { owner, phone, serial } = await aStranger();
    const former = phone.passes.get(serial);
    const device_token = await proveOn(world, owner);
    await phone.add(tokenIn(await joined(world, { org_id: shopId(OPEN), phone: owner.typed, device_token })));
    const next = phone.passes.get(serial);
    if (former === undefined || next === undefined) throw new Error('A phone has the pass that it added.');
    await sendMessages(world);
    push.pushed.length = 0;
    phone.passes.set(serial, former);
    expect((await phone.remove(serial)).status).toBe(200);
    phone.passes.set(serial, next);
    await earn(world, serial, 5, shopId(OPEN));
    await sendMessages(world);
    expect(push.pushed).toEqual([phone.pushToken]);
  });
});

test('the pass of an erased person is void when the phone asks, and the card takes no phone', async () => {
  const guest = aGuest();
  const phone = aPhone();
  await phone.add(await aCard(world, guest));
  const [pass = { serial: '', token: '' }] = phone.passes.values();
  const { id } = await world.db.kysely
    .selectFrom('customer')
    .select('id')
    .where('phone', '=', guest.phone)
    .executeTakeFirstOrThrow();
  world.now += 2_000;
  await eraseCustomer(world.db.kysely, shopId(), id, world.now);
  const ended = { id: pass.serial, tokenHash: Buffer.alloc(32) };
  await endCards(world.db.kysely, shopId(), [ended], id, world.now);
  expect(await phone.load(pass.serial)).toBe(200);
  expect(phone.passes.get(pass.serial)?.json.voided).toBe(true);
  await phone.remove(pass.serial);
  expect((await phone.register(pass)).status).toBe(401);
  expect(await phone.changed()).toEqual([]);
});

describe('a request', () => {
  const authorizations = [
    ['no Authorization', undefined],
    ['another scheme', 'Bearer abcdefghijklmnopqrstuvwxyz'],
    ['a wrong token', `ApplePass ${'A'.repeat(43)}`],
    ['an empty token', 'ApplePass '],
  ] as const;
  test.each(authorizations)('without its token is 401, %s', async (_, authorization) => {
    const { phone, serial } = await aHolder();
    const headers = authorization === undefined ? {} : { authorization };
    const registration = `/wallet/v1/devices/${phone.device}/registrations/${PASS_TYPE}/${serial}`;
    const asked = [
      await world.get(`/wallet/v1/passes/${PASS_TYPE}/${serial}`, headers),
      await world.send('DELETE', registration, headers),
      await world.send(
        ...(['POST', registration, { ...headers, 'content-type': 'application/json' }] as const),
        JSON.stringify({ pushToken: phone.pushToken }),
      ),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await phone.changed()).toEqual([]);
    await earn(world, serial, 1);
    expect(await phone.changed()).toEqual([serial]);
  });

  test('with the token of another card is 401, as for a card that there is not', async () => {
    const [mine, other] = [await aHolder(), await aHolder()];
    const authorization = `ApplePass ${mine.phone.passes.get(mine.serial)?.token}`;
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const serial of [other.serial, unknown, 'x'])
      expect((await world.get(`/wallet/v1/passes/${PASS_TYPE}/${serial}`, { authorization })).status).toBe(
        401,
      );
  });

  test('for another pass type is 404', async () => {
    const { phone, serial } = await aHolder();
    const authorization = `ApplePass ${phone.passes.get(serial)?.token}`;
    expect((await world.get(`/wallet/v1/passes/pass.other/${serial}`, { authorization })).status).toBe(404);
    const list = await world.get(`/wallet/v1/devices/${phone.device}/registrations/pass.other`);
    expect(list.status).toBe(404);
  });

  test.each([
    ['no JSON', '{', 400],
    ['no push token', '{}', 400],
    ['a push token that is none', '{"pushToken":"../../x"}', 400],
    ['a number', '{"pushToken":7}', 400],
    ['a list', '[]', 400],
    ['nothing', '', 415],
  ])('to register with %s is refused with the field named', async (_, body, status) => {
    const { phone, serial } = await aHolder();
    const reply = await world.send(
      'POST',
      `/wallet/v1/devices/${phone.device}/registrations/${PASS_TYPE}/${serial}`,
      {
        authorization: `ApplePass ${phone.passes.get(serial)?.token}`,
        ...(body === ''
          ? { 'content-type': 'text/plain', 'content-length': '1' }
          : { 'content-type': 'application/json' }),
      },
      body === '' ? 'x' : body,
    );
    expect(reply.status).toBe(status);
  });

  test('with a device that is none is 400', async () => {
    const reply = await world.get(`/wallet/v1/devices/%00/registrations/${PASS_TYPE}`);
    expect(reply.status).toBe(400);
  });

  test('of a phone without passes is 204', async () => {
    const { status, bytes } = await world.get(`/wallet/v1/devices/nobody/registrations/${PASS_TYPE}`);
    expect([status, bytes.length]).toEqual([204, 0]);
  });
});

test('what a phone reports is one line of the log, without tokens', async () => {
  world.logged.length = 0;
  const secret = world.app.tokens.keyedHash('x', 'y').toString('base64url');
  const logs = [
    `Web service error: token ${secret}\nforged line`,
    ...Array.from({ length: 50 }, () => 'more'),
  ];
  const reply = await world.send(
    ...(['POST', '/wallet/v1/log', { 'content-type': 'application/json' }] as const),
    JSON.stringify({ logs }),
  );
  expect(reply.status).toBe(200);
  expect(world.logged).toHaveLength(1);
  expect(world.logged[0]).toContain('Web service error: token … forged line');
  expect(world.logged[0]).not.toContain(secret);
});

test('a card has at most twenty phones; the oldest yields', async () => {
  const { phone, serial, token } = await aHolder();
  for (let more = 0; more < 20; more += 1) {
    world.now += 1;
    await aPhone().add(token);
  }
  await earn(world, serial, 1);
  expect(await phone.changed()).toEqual([]);
});

test('without Apple Wallet the web service is 503, and reports are taken', async () => {
  const plain = await makeWorld();
  const list = await plain.get(`/wallet/v1/devices/nobody/registrations/${PASS_TYPE}`);
  expect(list.status).toBe(503);
  const log = await plain.send(
    'POST',
    '/wallet/v1/log',
    { 'content-type': 'application/json' },
    '{"logs":[]}',
  );
  expect(log.status).toBe(200);
  await plain.close();
});
