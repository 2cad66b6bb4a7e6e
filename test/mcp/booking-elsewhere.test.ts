/** get_booking_slots where nothing is free: which other branch, which other date. */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools, type BookingTimes } from '../../src/contract/tools.ts';
import { book } from '../support/activity.ts';
import {
  aBranch,
  aShopFile,
  aTable,
  branchId,
  daily,
  openShops,
  tableId,
  type BranchFile,
} from '../support/cafe.ts';
import { ask, refusalOf } from '../support/mcp.ts';
import { makeWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-12-04T10:00:00Z' });
});
afterAll(() => world.close());

const FRIDAY = '2026-12-04';
const ASKED = { branch_id: branchId(), date: FRIDAY, party_size: 4 };

/** One table for four, every evening from six to ten. */
const open = async (booking: BranchFile['booking']): Promise<void> => {
  const settings = { enabled: true, hours: daily('18:00', '22:00'), ...booking };
  await openShops(
    world,
    aShopFile({ branches: [aBranch({ tables: [aTable('t1', 4)], booking: settings })] }),
  );
};
const times = async (party_size = 4): Promise<{ text: string; times: BookingTimes }> => {
  const { text, structured } = await ask(world, 'get_booking_slots', { ...ASKED, party_size });
  const shape = tools.get_booking_slots.result;
  if (!Value.Check(shape, structured)) throw new Error(text);
  return { text, times: structured };
};

test('a branch that takes no bookings names those of the shop that do, with the ids that the next call needs', async () => {
  const names = ['المعادي', 'الدقي', 'المقطم'];
  const others = names.map((name, index) =>
    aBranch({
      key: `other-${index}`,
      code: `O${index}`,
      name: { ar: name },
      booking: { enabled: index !== 1 },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...others] }));
  expect(await refusalOf(world, 'get_booking_slots', ASKED)).toContain(
    `Branches of the shop that take them, with their ids: المعادي ${branchId('other-0')}, المقطم ${branchId('other-2')}. `,
  );
  const many = Array.from({ length: 23 }, (_, index) =>
    aBranch({
      key: `many-${index}`,
      code: `M${index}`,
      name: { ar: `فرع ${100 + index}` },
      booking: { enabled: true },
    }),
  );
  await openShops(world, aShopFile({ branches: [aBranch(), ...many] }));
  expect(await refusalOf(world, 'get_booking_slots', ASKED)).toMatch(/فرع 119 [0-9a-f-]{36} and 3 more\./);
});

test('with nothing free the next date that has a time is named, a week ahead at most', async () => {
  const closed = (to: string) => ({ dated_hours: [{ from: FRIDAY, to, hours: [] }] });
  const next = async () => {
    const { text, times: told } = await times();
    const [, named] = /^The next date with a free time for 4 is .* \((.*)\)\.$/m.exec(text) ?? [];
    expect(named).toBe(told.next_free_date);
    if (named === undefined) expect(text).toContain('\nA later date may have times.\n');
    return named;
  };
  await open(closed('2026-12-10'));
  expect(await next()).toBe('2026-12-11');
  await open(closed('2026-12-11'));
  expect(await next()).toBeUndefined();
  await open({ ...closed('2026-12-05'), horizon_days: 1 });
  expect(await next()).toBeUndefined();
});

test('and a booking that takes that date’s last time is heard of', async () => {
  await open({ dated_hours: [{ from: FRIDAY, hours: [] }], hours: daily('18:00', '19:30') });
  expect((await times()).times.next_free_date).toBe('2026-12-05');
  await book(world, {
    serviceDate: '2026-12-05',
    startsAt: '2026-12-05T16:00:00.000Z',
    endsAt: '2026-12-05T17:30:00.000Z',
    tables: [tableId('t1')],
  });
  expect((await times()).times.next_free_date).toBe('2026-12-06');
});

test('a party that no table seats hears that, and not that tables are taken', async () => {
  await open({ hours: daily('18:00', '19:30') });
  const { text, times: told } = await times(7);
  expect([told.party_fits, told.next_free_date]).toEqual([false, undefined]);
  expect(text)
    .toBe(`No free times for 7 on Friday 4 December 2026 at بيت البن (Beit El Bunn), الزمالك (Zamalek); no tables there seat 7, whatever the time.
A smaller party may find times.
Times are on the branch's clock (Africa/Cairo), each with its UTC start in brackets.
Not for 7:
- 18:00 (2026-12-04T16:00:00.000Z)
Nothing is booked here. To book, the person opens https://ahwa.example/beit-el-bunn/book
shop: beit-el-bunn, date: 2026-12-04, branch_id: ${branchId()}`);
});
