/** A device sells without the server, and its queue tells it afterwards: the till of both comes to the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BranchCopy } from '../../src/client/till/branch-copy.ts';
import { createDeviceClient, type DeviceClient } from '../../src/client/till/device-client.ts';
import { TillQuotes } from '../../src/client/till/quote.ts';
import type { QueuedEvent } from '../../src/client/till/queue/event.ts';
import type { SendEvents } from '../../src/client/till/queue/event-queue.ts';
import { isoInstant } from '../../src/kernel/time.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedWorld, pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import { done } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId, thingId } from '../support/shops/cafe.ts';
import { eventsOf } from '../support/sync/device-events.ts';
import { aPath, aQueue, networkFault } from '../support/sync/till-queue.ts';

let world: World;
let owner: SignedIn;
let server: DeviceClient;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 0 });
  owner = await signInAs(world, 'owner');
  const { device } = await pairedTill(world);
  const token = device.authorization.replace('Bearer ', '');
  server = createDeviceClient({ baseUrl: world.baseUrl, fetch, token });
});
afterAll(() => world.close());

const copyOfBranch = async (): Promise<BranchCopy> => {
  const copy = new BranchCopy(branchId());
  do copy.apply(await server.pull({ branch_id: branchId(), ...copy.next() }));
  while (!copy.isCurrent);
  return copy;
};

/** The network loses every second answer, after the server has read the events. */
const losingAnswers = (): SendEvents => {
  let sent = 0;
  return async (events, signal) => {
    const body = { branch_id: branchId(), device_time: isoInstant(world.now), events: [...events] };
    const { results } = await server.replay(body, signal);
    sent += 1;
    if (sent % 2 === 1) throw networkFault();
    return results.map(({ id, outcome, code = null, vars = {} }) => ({ id, outcome, code, vars }));
  };
};

test('every sale of a shift is in the Z of the server once, although answers were lost and the device was killed', async () => {
  const rows = (await copyOfBranch()).tillRows();
  if (rows === null) throw new Error('a copy has settings of its branch');
  const quotes = new TillQuotes(rows);
  const event = eventsOf(world, 'teller', world.now - 60 * 60_000);
  const till = newId();
  let taken = 50_000;
  const shift: QueuedEvent[] = [
    {
      ...event('till_open', { till_id: till, opening_float: taken }),
      data: { till_id: till, opening_float: taken },
    },
  ];
  for (let sold = 1; sold <= 12; sold += 1) {
    const quantity = 1 + (sold % 3);
    const items = [{ menu_item_id: thingId('item', 'turkish'), quantity }];
    const priced = quotes.quote(items, world.now);
    if (!('quote' in priced)) throw new Error('the coffee is on sale');
    const { lines, bill } = priced.quote;
    taken += bill.total;
    const data = {
      ...{ sale_id: newId(), till_id: till, total: bill.total },
      items: items.map((item, place) => ({ ...item, unit_price: lines[place]?.unitPrice ?? 0 })),
      payments: [{ method: 'cash', amount: bill.total }],
    };
    shift.push({ ...event('sale', data), data });
  }
  const path = aPath();
  const before = await aQueue(() => Promise.reject(networkFault()), { path });
  for (const one of shift.slice(0, 7)) await before.queue.add(one);
  await before.queue.close();
  await before.store.close();

  const { queue, passWait } = await aQueue(losingAnswers(), { path });
  for (const one of shift.slice(7)) await queue.add(one);
  const close = { till_id: till, counted: { cash: taken } };
  await queue.add({ ...event('till_close', close), data: close });
  await queue.settled();
  while (await queue.hasWaiting()) await passWait();

  const report = done('getTillReport', await world.get(`/staff/tills/${till}/report`, owner));
  expect(report).toMatchObject({
    kind: 'Z',
    z_number: 1,
    late: [],
    figures: { sales_count: 12, total: taken - 50_000 },
  });
  expect(report.figures?.methods[0]).toMatchObject({
    method: 'cash',
    expected: taken,
    counted: taken,
    difference: 0,
  });
  expect(await queue.refused()).toEqual([]);
});
