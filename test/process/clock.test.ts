/** CLOCK_START moves the clock of a server and of every command beside it. */
import { expect, test } from 'vitest';
import { aBranch, aMenu, aShopFile, branchId, daily, shopId } from '../support/shops/cafe.ts';
import { useProgram, eventually } from '../support/programs/program.ts';
import type { Server } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');

/** Open from 09:00 to 23:00 in Cairo, in summer time (UTC+3) on the dates of these tests. */
const cafe = aShopFile({
  branches: [aBranch({ online_hours: daily('09:00', '23:00') })],
  menu: {
    ...aMenu(),
    deals: [
      {
        ...{ key: 'pair', kind: 'n_for_price', qty: 2, price: 8000 },
        ...{ name: { ar: 'اتنين بـ٨٠', en: 'Two for 80' }, pool: [{ item: 'turkish' }] },
      },
    ],
  },
});

const isOpen = async (server: Server): Promise<boolean> => {
  const { body } = await server.get(`/public/branches?org_id=${shopId()}`);
  return (body as { pickup_open_now: boolean }[])[0]?.pickup_open_now === true;
};

const importCafe = async (): Promise<void> => {
  const { code } = await bench.ahwa(['import', '-'], {}, JSON.stringify(cafe));
  expect(code).toBe(0);
};

test('opening hours follow CLOCK_START, also while the server runs', async () => {
  const evening = await bench.serve({ CLOCK_START: '2026-06-05T19:00:00Z' });
  await importCafe();
  expect(await isOpen(evening)).toBe(true);
  evening.signal('SIGTERM');
  await evening.ended;

  const morning = await bench.serve({ CLOCK_START: '2026-06-06T05:59:57Z' });
  await eventually(async () => ((await isOpen(morning)) ? true : null), 'the opening');
  morning.signal('SIGTERM');
  await morning.ended;

  const night = await bench.serve({ CLOCK_START: '2026-06-06T02:00:00+03:00' });
  expect(await isOpen(night)).toBe(false);
});

test('commands and a second server use the clock of the first server', async () => {
  await bench.serve({ CLOCK_START: '2026-06-06T02:00:00+03:00' });
  const second = await bench.serve({ CLOCK_START: '2030-01-01T00:00:00Z' });
  expect(second.stderr()).toContain('ahwa: CLOCK_START is left aside');
  await importCafe();
  const { body } = await second.get(`/public/branches/${branchId()}/menu`);
  const [deal] = (body as { deals: { updated_at: string }[] }).deals;
  expect(deal?.updated_at).toMatch(/^2026-06-05T23:0\d:/);
});
