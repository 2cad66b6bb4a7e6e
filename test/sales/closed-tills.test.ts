/** Closed tills: their reports never change, and what comes later is beside the figures (Decisions 12, 13). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { bookedCoffee, refundedCoffee, tillEventsOn } from '../support/people/device-tills.ts';
import { aStaffedWorld, pairedTill, personId, type SignedIn, type Till } from '../support/people/staff.ts';
import { withoutTills } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';

let world: World;
let device: Till;
let teller: SignedIn;
let events: ReturnType<typeof tillEventsOn>;

beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  device = await pairedTill(world);
  teller = await device.signIn('teller');
  events = tillEventsOn(world, { deviceId: device.id });
});
afterAll(() => world.close());
beforeEach(() => withoutTills(world, 'teller'));

/** It is open. */
const aTill = async (): Promise<string> => {
  const id = newId();
  await events.open(id);
  return id;
};
const closing = (id: string) =>
  post(world, `/staff/tills/${id}/close`, { counted: { cash: 0 } }, { ...teller });
const reading = (id: string) => world.get(`/staff/tills/${id}/report`, { ...teller });
const reportOf = async (id: string) => done('getTillReport', await reading(id));

describe('a closed till', () => {
  test('has the names of then: its report is the same text after each of them has changed', async () => {
    const id = await aTill();
    await events.moveCash(id);
    const first = await closing(id);
    const rename = async (name: string | null) => {
      for (const [table, column, one, before] of [
        ['branch', 'name', branchId(), 'zamalek'],
        ['staff', 'name', personId('teller'), 'teller'],
        ['staff_device', 'label', device.id, 'الكاشير'],
      ] as const)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${name ?? before} where id = ${one}`.execute(
          world.db.kysely,
        );
    };
    const text = async () => (await reading(id)).text;
    await rename('اسم آخر');
    expect(await text()).toBe(first.text);
    expect((await closing(id)).text).toBe(first.text);
    // Closed before names were kept.
    await sql`update till set z_figures = z_figures - 'names' where id = ${id}`.execute(world.db.kysely);
    expect(await reportOf(id)).toMatchObject({
      ...{ branch_name: 'اسم آخر', teller_name: 'اسم آخر', device_label: 'اسم آخر' },
    });
    await rename(null);
    expect(await text()).toBe(first.text);
  });
});

describe('what comes for it after its close', () => {
  const PAID = { method: 'cash', amount: 4_500, tip: 0, tendered: null, change: null } as const;

  /** One that was closed with a sale in it, and its report. */
  const aClosedTill = async () => {
    const id = await aTill();
    const sale = await bookedCoffee(world, id);
    return { id, sale, report: done('closeTill', await closing(id)) };
  };

  test('is listed beside its figures, which stay as they were', async () => {
    const { id, sale, report } = await aClosedTill();
    expect(report.late).toEqual([]);
    const iso = new Date(world.now).toISOString();
    const payments = [
      { ...PAID, amount: 3_000, tip: 250, tillId: id, isLate: true },
      { ...PAID, method: 'card', amount: 1_000, tillId: id, isLate: true },
      // Into no till.
      { ...PAID, amount: 500, tillId: null },
    ];
    const late = await bookedCoffee(world, id, { isLate: true, payments });
    const refund = newId();
    await refundedCoffee(world, sale.id, id, { id: refund, isLate: true });
    expect(await events.moveCash(id, world.now, { movement: 'pay_in' })).toEqual({
      reasons: [{ code: 'till_closed', figures: { till_id: id } }],
    });
    const { late: entries, ...rest } = await reportOf(id);
    expect({ ...rest, late: [] }).toEqual(report);
    const none = { kind: null, reason: null, payments: [] };
    const [cash] = entries.filter(({ type }) => type === 'cash');
    const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
    expect(entries).toEqual(
      [
        {
          ...{ type: 'sale', id: late.id, at: iso, sale_ref: late.reference, amount: 4_500, method: null },
          ...{ ...none, tip: 250 },
          payments: [
            { method: 'cash', amount: 3_000, tip: 250 },
            { method: 'card', amount: 1_000, tip: 0 },
          ],
        },
        {
          ...{ type: 'refund', id: refund, at: iso, sale_ref: sale.reference, amount: 4_500 },
          ...{ ...none, method: 'cash', tip: 0, reason: 'quality' },
        },
        {
          ...{ type: 'cash', id: cash?.id ?? '', at: iso, sale_ref: null, amount: 1_000, method: 'cash' },
          ...{ ...none, tip: 0, kind: 'pay_in', reason: 'إلى الخزنة' },
        },
      ].sort(byId),
    );
  });

  test('is a payment alone where its sale is in other figures', async () => {
    const { id } = await aClosedTill();
    const open = newId();
    await events.open(open);
    const payments = [
      { ...PAID, tillId: open },
      { ...PAID, method: 'card', tip: 100, beyond: 4_500, tillId: id, isLate: true },
    ];
    const twice = await bookedCoffee(world, open, { payments });
    expect((await reportOf(id)).late).toMatchObject([
      { type: 'payment', id: twice.id, sale_ref: twice.reference, amount: 4_500, method: 'card', tip: 100 },
    ]);
    const { figures, late } = done('closeTill', await closing(open));
    expect([figures?.total, figures?.beyond, late]).toEqual([4_500, 0, []]);
  });

  test('is on its sale, as the staff and the devices read it', async () => {
    const { id } = await aClosedTill();
    const payments = [{ ...PAID, amount: 4_000, beyond: -500, tillId: id, isLate: true }];
    const late = await bookedCoffee(world, id, { isLate: true, payments });
    const told = {
      ...{ late: true, recorded_difference: 0, total: 4_500 },
      payments: [{ amount: 4_000, beyond: -500, late: true }],
    };
    expect(done('getSale', await world.get(`/staff/sales/${late.id}`, { ...teller }))).toMatchObject(told);
    const pull = { branch_id: branchId(), types: ['sale', 'till'] };
    const { changes } = done('pullChanges', await post(world, '/sync/pull', pull, device.device));
    expect(changes.find((change) => change.id === late.id)?.data).toMatchObject(told);
    expect(changes.find((change) => change.id === id)?.data).toMatchObject({
      ...{ figures: { sales_count: 1 }, cash_movements: [] },
      late: [{ type: 'sale', id: late.id }],
    });
  });
});
