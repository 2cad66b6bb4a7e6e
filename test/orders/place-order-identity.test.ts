/**
 * The customer of an order: with a card, every cell of the table in docs/spec/order.md; without one, by
 * phone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../src/platform/store/db.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import {
  aCard,
  aGuest,
  anOrder,
  orderOn,
  place,
  placed,
  proveOn,
  refused,
  refusedAndNothing,
  type Guest,
  type Order,
  type OrderInput,
} from '../support/people/guests.ts';
import { aQuotingBranch, aQuotingShop } from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
  const channels = { pickup: {}, umbrella: {}, outside: {} };
  const location = { lat: 30.06, lng: 31.22 };
  const branches = [
    aQuotingBranch({ key: 'open', code: 'OPN', otp_required: false, channels, location }),
    aQuotingBranch({ key: 'asking', code: 'ASK', otp_required: true, channels, location }),
  ];
  await openShops(world, aQuotingShop({ branches }), aQuotingShop({ slug: 'kashk', branches }));
});
afterAll(() => world.close());

/** Null: no customer. */
const profileOf = async ({ phone }: Guest, slug?: string) =>
  (await world.db.kysely
    .selectFrom('customer')
    .selectAll()
    .where('org_id', '=', shopId(slug))
    .where('phone', '=', phone)
    .executeTakeFirst()) ?? null;
const nameOf = async (guest: Guest): Promise<string | undefined> => (await profileOf(guest))?.name;
const addressesOf = (customerId: string) =>
  world.db.kysely.selectFrom('customer_address').selectAll().where('customer_id', '=', customerId).execute();
const ownerOf = async ({ id }: Order): Promise<string | null> =>
  (
    await world.db.kysely
      .selectFrom('delivery_order')
      .select('customer_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).customer_id;

describe('with a card', () => {
  const NAME = 'Mona El-Sayed';
  const holder = aGuest();
  const other = aGuest();
  const proofs = { holder: '', other: '' };
  let member_token = '';

  beforeAll(async () => {
    member_token = await aCard(world, holder, NAME);
    proofs.holder = await proveOn(world, holder);
    proofs.other = await proveOn(world, other);
  });
  beforeEach(async () => {
    await world.db.kysely.deleteFrom('customer_address').execute();
    await world.db.kysely
      .updateTable('customer')
      .set({ name: NAME, phone_proven_at: at(world.now), updated_at: at(world.now) })
      .where('phone', '=', holder.phone)
      .execute();
  });

  type Outcome = 'ordinary' | 'corrected' | 'one time' | '409';
  /** Columns: no choice, one_time, update_name proven, update_name not proven. */
  const TABLE: Readonly<Record<string, readonly [Outcome, Outcome, Outcome, Outcome]>> = {
    'the card’s phone, the card’s name': ['ordinary', 'one time', 'corrected', 'ordinary'],
    'the card’s phone, another name': ['one time', 'one time', 'corrected', 'one time'],
    'another phone, the card’s name': ['409', 'one time', '409', '409'],
    'another phone, another name': ['409', 'one time', '409', '409'],
  };
  const CHOICES = [null, 'one_time', 'update_name'] as const;

  const cells = Object.entries(TABLE).flatMap(([typed, outcomes]) =>
    CHOICES.flatMap((identity_change, column) =>
      [true, false].flatMap((isProven) =>
        [true, false].flatMap((isContactProven) =>
          (['open', 'asking'] as const).map((branch) => ({
            ...{ typed, identity_change, isProven, isContactProven, branch },
            outcome: outcomes[column === 2 && !isProven ? 3 : column] ?? '409',
          })),
        ),
      ),
    ),
  );

  test.each(cells)(
    '$branch branch: $typed, $identity_change, card proven $isProven, contact proven $isContactProven: $outcome',
    async ({ typed, identity_change, isProven, isContactProven, branch, outcome }) => {
      const isOtherPhone = typed.startsWith('another');
      // Equal to the card's name after normalization.
      const customer_name = typed.endsWith('another name') ? 'كريم' : ' mona  EL-SAYED';
      const order: OrderInput = orderOn('outside', {
        ...{ branch_id: branchId(branch), customer_name, member_token, identity_change },
        customer_phone: isOtherPhone ? other.typed : holder.typed,
        device_token: isProven ? proofs.holder : '',
        contact_device_token: isContactProven ? proofs.other : null,
      });
      const card = await profileOf(holder);
      const { status, body } = await place(world, order);

      const isUnproven = branch === 'asking' && !isProven;
      const isContactAsked = branch === 'asking' && isOtherPhone && !isContactProven;
      const refusal = isUnproven
        ? { status: 401, code: 'PHONE_NOT_VERIFIED' }
        : outcome === '409'
          ? { status: 409, code: 'IDENTITY_CHOICE_REQUIRED', kind: 'phone' }
          : isContactAsked
            ? { status: 401, code: 'CONTACT_VERIFICATION_REQUIRED' }
            : null;
      if (refusal !== null) {
        expect({ status, ...(body as object) }).toMatchObject(refusal);
        expect(await profileOf(holder)).toEqual(card);
        expect(JSON.stringify(body)).not.toMatch(/Mona|100000/);
        return;
      }
      const kept = customer_name.trim().replace('  ', ' ');
      expect(status).toBe(201);
      expect(body).toMatchObject({
        ...{ customer_name: kept, customer_phone: isOtherPhone ? other.phone : holder.phone },
        ...{ contact_override: outcome === 'one time', otp_verified: isProven },
        customer_id: isProven ? card?.id : null,
      });
      expect(await ownerOf(body as Order)).toBe(card?.id);
      expect(await nameOf(holder)).toBe(outcome === 'corrected' ? kept : NAME);
      const saved = await addressesOf(card?.id ?? '');
      expect(saved).toHaveLength(isProven && outcome !== 'one time' ? 1 : 0);
      expect((body as Order).address_id).toBe(saved[0]?.id ?? null);
    },
  );

  test('an order for another phone neither creates nor changes that phone’s customer', async () => {
    const stranger = aGuest();
    const order = anOrder({
      ...{
        branch_id: branchId('open'),
        customer_phone: stranger.typed,
        member_token,
        identity_change: 'one_time',
      },
    });
    await placed(world, order);
    expect(await profileOf(stranger)).toBeNull();
    await placed(world, { ...anOrder({ branch_id: branchId('open'), customer_phone: stranger.typed }) });
    const before = await profileOf(stranger);
    await placed(world, { ...order, customer_name: 'حد تاني' });
    expect(await profileOf(stranger)).toEqual(before);
  });

  test('a one-time order saves its address only with save_address true, for the card’s customer', async () => {
    const order = orderOn('outside', {
      ...{
        branch_id: branchId('open'),
        customer_phone: other.typed,
        member_token,
        identity_change: 'one_time',
      },
      ...{ device_token: proofs.holder, contact_device_token: proofs.other },
    });
    const owner = (await profileOf(holder))?.id ?? '';
    for (const save_address of [null, false]) await placed(world, { ...order, save_address });
    expect(await addressesOf(owner)).toEqual([]);
    const { address_id, customer_id } = await placed(world, { ...order, save_address: true });
    expect(customer_id).toBe(owner);
    expect((await addressesOf(owner)).map(({ id }) => id)).toEqual([address_id]);
  });

  test('an order without proof of the card’s phone shows, saves and changes no customer data', async () => {
    const before = await profileOf(holder);
    const order = orderOn('outside', {
      ...{ branch_id: branchId('open'), customer_phone: holder.typed, member_token },
      ...{ save_address: true, identity_change: 'update_name', customer_name: 'كريم' },
    });
    for (const device_token of [undefined, '', 'x', proofs.other]) {
      const made = await placed(world, { ...order, ...(device_token === undefined ? {} : { device_token }) });
      expect(made).toMatchObject({
        otp_verified: false,
        customer_id: null,
        address_id: null,
        customer_name: 'كريم',
      });
      expect(JSON.stringify(made)).not.toContain('Mona');
    }
    expect(await profileOf(holder)).toEqual(before);
    expect(await addressesOf(before?.id ?? '')).toEqual([]);
  });

  test('a card of another shop is 404, also with a proven phone', async () => {
    const kashk = await aCard(world, holder, NAME, 'kashk');
    const order = anOrder({
      branch_id: branchId('asking'),
      customer_phone: holder.typed,
      device_token: proofs.holder,
    });
    expect(await refusedAndNothing(world, { ...order, member_token: kashk })).toEqual({
      status: 404,
      error: 'Not found.',
    });
  });

  test('an empty member token counts as no card', async () => {
    const order = anOrder({ branch_id: branchId('open'), customer_phone: aGuest().typed, member_token: '' });
    expect((await placed(world, order)).status).toBe('received');
  });
});

describe('without a card', () => {
  const ordered = (guest: Guest, customer_name: string, device_token = '', more: Partial<OrderInput> = {}) =>
    placed(
      world,
      orderOn('outside', {
        branch_id: branchId('open'),
        customer_phone: guest.typed,
        customer_name,
        device_token,
        ...more,
      }),
    );

  test('the first order creates a customer, with a proven phone or without', async () => {
    for (const isProven of [false, true]) {
      const guest = aGuest();
      const order = await ordered(guest, 'سلمى', isProven ? await proveOn(world, guest) : '');
      const profile = await profileOf(guest);
      expect(profile).toMatchObject({ name: 'سلمى', phone_proven_at: isProven ? world.now : null });
      expect(await ownerOf(order)).toBe(profile?.id);
      expect(order.customer_id).toBe(isProven ? profile?.id : null);
    }
  });

  test('an unproven phone links the order to its customer without changing or showing customer data', async () => {
    const guest = aGuest();
    const token = await proveOn(world, guest);
    await ordered(guest, 'سلمى', token);
    const before = await profileOf(guest);
    const saved = await addressesOf(before?.id ?? '');
    world.now += 60_000;
    for (const identity_change of [null, 'one_time', 'update_name'] as const) {
      const order = await ordered(guest, 'كريم', '', { identity_change, save_address: true });
      expect(order).toMatchObject({
        customer_name: 'كريم',
        customer_id: null,
        address_id: null,
        contact_override: false,
      });
      expect(await ownerOf(order)).toBe(before?.id);
    }
    expect(await profileOf(guest)).toEqual(before);
    expect(await addressesOf(before?.id ?? '')).toEqual(saved);
  });

  test('the first proven order sets the customer’s name, and later orders do not', async () => {
    const guest = aGuest();
    await ordered(guest, 'حد غريب');
    const first = await profileOf(guest);
    world.now += 60_000;
    const token = await proveOn(world, guest);
    await ordered(guest, 'سلمى', token);
    expect(await profileOf(guest)).toMatchObject({ id: first?.id, name: 'سلمى', phone_proven_at: world.now });
    const proven = await profileOf(guest);
    // Later orders leave the profile unchanged.
    await ordered(guest, 'كريم', token, { identity_change: 'update_name' });
    expect(await profileOf(guest)).toEqual(proven);
  });

  test('a phone with a customer at one shop has none at another', async () => {
    const guest = aGuest();
    await ordered(guest, 'سلمى');
    expect(await profileOf(guest, 'kashk')).toBeNull();
  });

  test.each([true, false])(
    'twenty concurrent first orders of one phone create one customer (proven: %s)',
    async (isProven) => {
      const guest = aGuest();
      const token = isProven ? await proveOn(world, guest) : '';
      const orders = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ordered(guest, `سلمى ${index}`, token)),
      );
      const profile = await profileOf(guest);
      expect(new Set(await Promise.all(orders.map(ownerOf)))).toEqual(new Set([profile?.id]));
      expect(profile?.phone_proven_at).toBe(isProven ? world.now : null);
      expect((await addressesOf(profile?.id ?? '')).map(({ use_count }) => use_count)).toEqual(
        isProven ? [20] : [],
      );
    },
  );

  test('a contact_device_token does not prove the phone', async () => {
    const guest = aGuest();
    const contact_device_token = await proveOn(world, guest);
    const order = anOrder({
      branch_id: branchId('asking'),
      customer_phone: guest.typed,
      contact_device_token,
    });
    expect(await refused(world, order)).toMatchObject({ status: 401, code: 'PHONE_NOT_VERIFIED' });
  });
});
