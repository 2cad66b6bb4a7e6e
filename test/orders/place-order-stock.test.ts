/** Counted stock: each unit is sold once, and items without stock leave the menu. */
import { storedAvailability } from '../support/database/stored-rows.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branchId, openShops } from '../support/shops/cafe.ts';
import { aMember, setPasswordAndSignIn } from '../support/people/staff.ts';
import { aGuest, anOrder, type Order, place, placed, refusedAndNothing } from '../support/people/guests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  combo,
  item,
  line,
  type Line,
  meal,
  optional,
  pick,
} from '../support/shops/quoting-shop.ts';
import { post, postOk, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
/** Another process on the same database. */
let otherProcess: World;

type Counts = Readonly<Record<string, number>>;
const counted = <T extends { key?: string }>(list: readonly T[] | undefined, counts: Counts) =>
  (list ?? []).map((one) => {
    const stock = counts[one.key ?? ''];
    return stock === undefined ? one : { ...one, availability: [{ branch: 'zamalek', stock }] };
  });

/** Sets the counts; everything else is uncounted. */
const setStock = async (counts: Counts): Promise<void> => {
  const { items, addons, combos, ...rest } = aQuotingMenu();
  await openShops(
    world,
    aQuotingShop({
      branches: [
        aQuotingBranch({ otp_required: false }),
        aQuotingBranch({ key: 'maadi', code: 'MAD', otp_required: false }),
      ],
      menu: {
        ...rest,
        ...{
          items: counted(items, counts),
          addons: counted(addons, counts),
          combos: counted(combos, counts),
        },
      },
      staff: [aMember('teller', 'manager')],
    }),
  );
  await otherProcess.hearOfChanges();
};

beforeAll(async () => {
  world = await makeWorld();
  otherProcess = await makeWorld({ database: world.database });
});
afterAll(async () => {
  await otherProcess.close();
  await world.close();
});

const orderOf = (...items: Line[]) => anOrder({ customer_phone: aGuest().typed, items });

const leftOf = async (id: string): Promise<number | null | undefined> =>
  (await storedAvailability(world, branchId(), id))?.stock;
const takenBy = async ({ id }: Order) =>
  (
    await world.db.kysely
      .selectFrom('delivery_order')
      .select('stock_taken')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).stock_taken;

const menuOf = (at: World, branch?: string) =>
  at.read('getBranchMenu', `/public/branches/${branchId(branch)}/menu?channel=pickup`);
const isOnMenu = async (id: string, at = world, branch?: string): Promise<boolean> =>
  (await menuOf(at, branch)).items.some((one) => one.id === id);

const countOf = (answers: readonly Reply[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('the last unit', () => {
  test.each([
    ['in one process', () => [world]],
    ['in two processes', () => [world, otherProcess]],
  ])('goes to one of twenty concurrent orders; the others get ITEM_UNAVAILABLE (%s)', async (_, doors) => {
    for (let round = 0; round < 3; round += 1) {
      await setStock({ cake: 1 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (__, n) =>
          place(doors()[n % doors().length] ?? world, orderOf(line('turkish'), line('cake'))),
        ),
      );
      expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([1, 19]);
      for (const answer of answers.filter(({ status }) => status === 409))
        expect(refusalOf(answer)).toMatchObject({
          ...{ code: 'ITEM_UNAVAILABLE', vars: { menu_item_id: item('cake'), item: 'كيك', available: 0 } },
          faults: [{ path: expect.stringMatching(/^items\[1\]/) as string }],
        });
      expect(await leftOf(item('cake'))).toBe(0);
    }
  });

  test('of an add-on or a combo goes to one of twenty concurrent orders', async () => {
    await setStock({ oat: 1, breakfast: 1 });
    const withOat = line('latte', { addons: [{ addon_item_id: addon('oat') }] });
    const oats = await Promise.all(Array.from({ length: 20 }, () => place(world, orderOf(withOat))));
    expect([countOf(oats, 201), countOf(oats, 409)]).toEqual([1, 19]);
    expect(oats.map((answer) => (answer.body as { code?: string }).code ?? 'taken').sort()).toEqual([
      ...Array.from({ length: 19 }, () => 'ADDON_UNAVAILABLE'),
      'taken',
    ]);
    const meals = await Promise.all(Array.from({ length: 20 }, () => place(world, orderOf(meal()))));
    expect([countOf(meals, 201), countOf(meals, 409)]).toEqual([1, 19]);
    const lost = meals.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({
      code: 'COMBO_UNAVAILABLE',
      vars: { combo_id: combo(), available: 0 },
    });
  });
});

describe('counted stock', () => {
  test('is never oversold, and only an order for more than is left is refused', async () => {
    await setStock({ cake: 20, turkish: 30 });
    const wants = Array.from({ length: 20 }, (_, n) => (n % 4) + 1);
    const answers = await Promise.all(
      wants.map((quantity, n) => {
        const [cake, coffee] = [line('cake', { quantity }), line('turkish', { quantity })];
        return place(n % 3 ? world : otherProcess, n % 2 ? orderOf(cake, coffee) : orderOf(coffee, cake));
      }),
    );
    const sold = wants
      .filter((_, n) => answers[n]?.status === 201)
      .reduce((sum, quantity) => sum + quantity, 0);
    const left = (await leftOf(item('cake'))) ?? -1;
    expect(countOf(answers, 201) + countOf(answers, 409)).toBe(20);
    expect([left, await leftOf(item('turkish'))]).toEqual([20 - sold, 30 - sold]);
    expect(left).toBeGreaterThanOrEqual(0);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      const { vars } = refusalOf(answer);
      const wanted = wants[answers.indexOf(answer)] ?? 0;
      expect(Number(vars?.['available'])).toBeLessThan(wanted);
      // Refused only if fewer units were left.
      expect(left).toBeLessThan(wanted);
    }
  });

  test('counts lines, combo picks and add-ons together and is stored with the order', async () => {
    await setStock({ cake: 10, oat: 20, breakfast: 5, latte: 9 });
    const oat = { addon_item_id: addon('oat') };
    const order = await placed(
      world,
      orderOf(
        line('cake', { quantity: 2 }),
        meal([pick('drink', 'latte', { addons: [oat] }), pick('sweet', 'cake', { quantity: 2 })], {
          quantity: 3,
        }),
        line('latte', { quantity: 2, addons: [oat], optional_field_ids: [optional('latte', 'ice')] }),
        line('sandwich', { addons: [{ addon_item_id: addon('ketchup') }] }),
      ),
    );
    const left = [item('cake'), addon('oat'), combo(), item('latte'), item('sandwich')].map(leftOf);
    expect(await Promise.all(left)).toEqual([10 - 2 - 6, 20 - 3 - 2, 5 - 3, 9 - 3 - 2, undefined]);
    expect(new Map((await takenBy(order)).map(({ id, units }) => [id, units]))).toEqual(
      new Map([
        [item('cake'), 8],
        [addon('oat'), 5],
        [combo(), 3],
        [item('latte'), 5],
      ]),
    );
  });

  test('stays unchanged for all items when one of them has too few units', async () => {
    await setStock({ cake: 1, turkish: 5 });
    const refusal = await refusedAndNothing(
      world,
      orderOf(line('turkish', { quantity: 5 }), line('cake', { quantity: 2 })),
    );
    expect(refusal).toMatchObject({
      code: 'ITEM_UNAVAILABLE',
      vars: { menu_item_id: item('cake'), available: 1 },
    });
  });

  test('belongs to one branch', async () => {
    await setStock({ cake: 1 });
    await placed(world, { ...orderOf(line('cake', { quantity: 3 })), branch_id: branchId('maadi') });
    expect(await leftOf(item('cake'))).toBe(1);
  });
});

describe('a sold-out item', () => {
  test('leaves the menu with the order of its last unit, in other processes with their next poll', async () => {
    await setStock({ cake: 3 });
    for (const at of [world, otherProcess]) expect(await isOnMenu(item('cake'), at)).toBe(true);
    const address = `/public/branches/${branchId()}/menu?channel=pickup`;
    const etag = async (at: World) => (await at.get(address)).headers.etag;
    const before = [await etag(world), await etag(otherProcess)];
    await placed(world, orderOf(line('cake', { quantity: 2 })));
    await otherProcess.hearOfChanges();
    // Stock that remains does not change the menu.
    expect([await etag(world), await etag(otherProcess)]).toEqual(before);
    await placed(world, orderOf(line('cake')));
    expect(await isOnMenu(item('cake'))).toBe(false);
    // The combo that contains it disappears too.
    expect(await isOnMenu(combo())).toBe(false);
    expect(await isOnMenu(item('cake'), world, 'maadi')).toBe(true);
    // The other process still shows the item, but cannot sell it.
    expect((await post(otherProcess, atBranch(), { items: [line('cake')] })).status).toBe(409);
    await otherProcess.hearOfChanges();
    expect(await isOnMenu(item('cake'), otherProcess)).toBe(false);
  });

  test('returns to the menu when its order is cancelled', async () => {
    await setStock({ cake: 2 });
    const teller = await setPasswordAndSignIn(world, 'teller');
    const order = await placed(world, orderOf(line('cake', { quantity: 2 })));
    expect(await isOnMenu(item('cake'))).toBe(false);
    await postOk(world, teller, `/staff/orders/${order.id}/cancel`, { reason: 'too_busy', from: 'received' });
    expect([await leftOf(item('cake')), await isOnMenu(item('cake'))]).toEqual([2, true]);
    await placed(world, orderOf(line('cake', { quantity: 2 })));
  });

  test('has exact stock after concurrent orders and cancellations', async () => {
    await setStock({ cake: 8, turkish: 8 });
    const teller = await setPasswordAndSignIn(world, 'teller');
    const [cake, coffee] = [line('cake'), line('turkish')];
    const first = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        placed(world, n % 2 ? orderOf(cake, coffee) : orderOf(coffee, cake)),
      ),
    );
    const cancels = first.map((order) =>
      postOk(world, teller, `/staff/orders/${order.id}/cancel`, { reason: 'too_busy', from: 'received' }),
    );
    const buys = Array.from({ length: 8 }, (_, n) =>
      place(n % 2 ? world : otherProcess, n % 2 ? orderOf(cake, coffee) : orderOf(coffee, cake)),
    );
    const [answers] = await Promise.all([Promise.all(buys), Promise.all(cancels)]);
    expect(countOf(answers, 201) + countOf(answers, 409)).toBe(8);
    const left = 8 - countOf(answers, 201);
    expect([await leftOf(item('cake')), await leftOf(item('turkish'))]).toEqual([left, left]);
    expect(await isOnMenu(item('cake'))).toBe(left > 0);
  });

  test('stays in its group as unavailable when it is an add-on', async () => {
    await setStock({ syrup: 2 });
    await placed(world, orderOf(line('latte', { addons: [{ addon_item_id: addon('syrup'), quantity: 2 }] })));
    const { addons } = await menuOf(world);
    expect(addons.find(({ addon_item_id: id }) => id === addon('syrup'))?.is_available).toBe(false);
  });
});
