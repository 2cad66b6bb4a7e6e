/** Bills that were paid in parts and change by what devices recorded meanwhile (Decisions 13): a person looks at them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aMenu, openShops, thingId } from '../support/shops/cafe.ts';
import { eventsOf, recordedLine, type DeviceEvent } from '../support/sync/device-events.ts';
import { expectReview } from '../support/sync/reviews.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const friends = { key: 'friends', name: { ar: 'أصحاب', en: 'Friends' }, amount: 1_000 };
  const three = { key: 'three', name: { ar: '٣ بـ ١١٠', en: 'Three for 110' }, qty: 3, price: 11_000 };
  const menu = {
    ...aMenu(),
    discounts: [{ ...friends, on: [{ channel: 'till' as const }] }],
    deals: [{ ...three, kind: 'n_for_price' as const, pool: [{ category: 'coffee' }] }],
  };
  await openShops(world, aStaffedShop(undefined, { menu }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
  floor = ticketsBy(world, owner);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ device } = await pairedTill(world));
});

const reviewed = (event: DeviceEvent, vars: object) =>
  expectReview(world, { device, owner, event }, 'paid_beyond', vars);
const pay = async ({ id, revision }: Ticket, amount: number): Promise<Ticket> => {
  const body = { revision, method: 'card', amount };
  return done('payTicketPart', await post(world, `/staff/tickets/${id}/payments`, body, { ...owner }));
};

/** A table's two bills of a coffee each, 10.00 off both together; of one, 39.00 are paid. */
const twoBills = async () => {
  const opened = await floor.open({ items: [...coffees(1), ...coffees(1)] });
  const whole = await floor.change(opened, { discount_id: thingId('discount', 'friends') });
  const line = whole.items[0]?.id ?? '';
  const own = await floor.split(whole, [{ item_id: whole.items[1]?.id ?? '' }]);
  return { whole, line, paid: await pay(own, 3_900) };
};

test('a line of another bill of the table is void: the discount of both is on the one that was paid', async () => {
  const { line, paid } = await twoBills();
  expect(paid).toMatchObject({ due: 100, bill: { total: 4_000 } });
  const event = eventsOf(world, 'manager', world.now - HOUR);
  await reviewed(event('line_void', { item_id: line, ticket_id: paid.id, reason: 'mistake' }), {
    ...{ paid: 3_900, total: 3_500 },
  });
});

test('another bill of the table is void', async () => {
  const { whole, paid } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  await reviewed(event('ticket_void', { ticket_id: whole.id, reason: 'mistake' }), {
    ...{ paid: 3_900, total: 3_500 },
  });
  expect(await floor.get(paid.id)).toMatchObject({ status: 'open', paid: 3_900 });
});

test('a round on one bill brings a deal of which the other has its share', async () => {
  const { whole } = await twoBills();
  const event = eventsOf(world, 'manager', world.now - HOUR);
  const round = { ticket_id: whole.id, round_id: newId(), items: [recordedLine(1, newId())] };
  await reviewed(event('round', round), { paid: 3_900, total: 3_334 });
});
