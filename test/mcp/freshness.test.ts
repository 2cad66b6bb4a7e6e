/**
 * A change between the reads of one answer: the answer mixes old and new and must not be cached as current
 * (Decisions 15; `combineAnswers` in src/platform/app/answer.ts).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { ToolName } from '../../src/service/contract/tools.ts';
import {
  aBranch,
  aMenu,
  aShopFile,
  aTable,
  branchId,
  daily,
  openShops,
  SLUG,
} from '../support/shops/cafe.ts';
import { callTool } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const OLD = 'بيت البن';
const NEW = 'قهوة الندى';

const aShop = (name: string, overrides: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({
    name: { ar: name },
    branches: [
      aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true, hours: daily('18:00', '22:00') } }),
    ],
    ...overrides,
  });

let world: World;
beforeEach(async () => {
  world = await makeWorld({ now: '2026-12-02T10:00:00Z' });
  await openShops(world, aShop(OLD));
});
afterEach(() => world.close());

/** Delays the `nth` database read from now until `meanwhile` is done. */
const beforeRead = (nth: number, meanwhile: () => Promise<void>): { readonly reads: () => number } => {
  const { db } = world.app;
  const snapshot = db.snapshot.bind(db);
  let reads = 0;
  db.snapshot = async (work) => {
    reads += 1;
    if (reads === nth) {
      db.snapshot = snapshot;
      await meanwhile();
    }
    return snapshot(work);
  };
  return { reads: () => reads };
};

type Call = readonly [tool: ToolName, args: object];
const SHOP: Call = ['get_shop', { shop: SLUG }];
const MENU: Call = ['get_menu', { shop: SLUG, branch_id: branchId() }];
const SLOTS: Call = ['get_booking_slots', { branch_id: branchId(), date: '2026-12-04', party_size: 2 }];

const textOf = async ([tool, args]: Call): Promise<string> => {
  const { text, isError } = await callTool(world, tool, args);
  expect(isError, text).toBe(false);
  return text;
};

/** Changes the name and a price in one transaction, then polls. */
const rename = (): Promise<void> => {
  const [turkish] = aMenu().items ?? [];
  if (turkish === undefined) throw new Error('there is no coffee');
  return openShops(world, aShop(NEW, { menu: { ...aMenu(), items: [{ ...turkish, price: 5100 }] } }));
};

describe.each([
  ['of which the server has no answer yet', []],
  ['of which another answer is kept', [SHOP]],
])('a shop %s', (_, cachedCalls) => {
  beforeEach(async () => {
    for (const call of cachedCalls) await textOf(call);
  });

  test.each([
    ['after its links page', 2],
    ['after its branches', 3],
  ])('changes while its menu is read, %s: the next call shows the whole change', async (__, nth) => {
    const { reads } = beforeRead(nth, rename);
    const mixed = await textOf(MENU);
    // The change came in between: the name was read before it, the price after it.
    expect([reads(), mixed.includes(OLD), mixed.includes('51.00 EGP')]).toEqual([nth, true, true]);
    await world.hearOfChanges();
    const next = await textOf(MENU);
    expect(next).toContain(NEW);
    expect(next).not.toContain(OLD);
  });

  test('changes before its booking times are read: the answer has the whole change', async () => {
    const { reads } = beforeRead(1, rename);
    expect(await textOf(SLOTS)).toContain(NEW);
    expect(reads()).toBe(1);
  });
});

test('a fully booked day is read again with the week after it, in one snapshot', async () => {
  const closed = { dated_hours: [{ from: '2026-12-04', to: '2026-12-09', hours: [] }] };
  const booking = { enabled: true, hours: daily('18:00', '22:00'), ...closed };
  const branches = [aBranch({ tables: [aTable('t1', 4)], booking })];
  await openShops(world, aShop(OLD, { branches }));
  const { reads } = beforeRead(2, () => openShops(world, aShop(NEW, { branches })));
  const text = await textOf(SLOTS);
  expect(text).toContain('The next date with a free time for 2 is Thursday 10 December 2026');
  expect([reads(), text.includes(NEW), text.includes(OLD)]).toEqual([2, true, false]);
});
