/** The list of what a person should look at (Decisions 13): it is read, paged and closed with a note. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import {
  aMember,
  aStaffedShop,
  pairedTill,
  personId,
  setCredentials,
  setPasswordAndSignIn,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { anOpenReview, reviewsBy } from '../support/sync/reviews.ts';

let world: World;
let manager: SignedIn;
/** Manages the other branch. */
let hala: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  const shop = aStaffedShop();
  const staff = [...(shop.staff ?? []), aMember('hala', 'manager', { branches: ['maadi'] })];
  await openShops(world, { ...shop, staff });
  await setCredentials(world);
  hala = await setPasswordAndSignIn(world, 'hala');
});
afterAll(() => world.close());
beforeEach(async () => {
  manager = await signInAs(world, 'manager');
});

const closing = (id: string, note: string, who = manager) =>
  post(world, `/staff/reviews/${id}/close`, { note }, { ...who });
const closed = async (...asked: Parameters<typeof closing>) => done('closeReview', await closing(...asked));
const idsOf = async (more?: string) => (await reviewsBy(world, manager, more)).map(({ id }) => id);

/** Closes what other tests have left open. */
const withoutReviews = async (): Promise<void> => {
  for (const id of await idsOf()) await closed(id, 'من اختبار آخر');
};

describe('the list', () => {
  test('has the last received first, in pages', async () => {
    await withoutReviews();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      world.now += 60_000;
      ids.unshift(await anOpenReview(world));
    }
    expect(await idsOf()).toEqual(ids);
    const paged: string[] = [];
    for (let page = await idsOf('&limit=1'); page.length > 0;) {
      expect(page).toHaveLength(1);
      paged.push(...page);
      page = await idsOf(`&limit=1&after=${page[0]}`);
    }
    expect(paged).toEqual(ids);
    const unknown = await world.get(`/staff/reviews?branch_id=${branchId()}&after=${newId()}`, {
      ...manager,
    });
    expect(refusalOf(unknown)).toMatchObject({ status: 400, fields: [{ path: 'after' }] });
  });

  test('has what waits for its parent', async () => {
    const { device } = await pairedTill(world);
    const [till, sale_id] = [newId(), newId()];
    const data = { items: recordedCoffees(1), total: 4_500, payments: paid(4_500), till_id: till };
    const event = eventsOf(world, 'teller', world.now - 60_000)('sale', { sale_id, ...data });
    await replayed(world, device, [event]);
    expect((await reviewsBy(world, manager)).find(({ id }) => id === event.id)).toMatchObject({
      ...{ outcome: 'waiting', reasons: [{ code: 'parent_missing' }], subject_id: sale_id },
      ...{ data: { sale_id, total: 4_500 }, staff_name: 'teller' },
    });
  });
});

/** A ticket that a device settled before its round of two coffees came: `total_differs`. */
const aBillWithoutItsRound = async () => {
  const { device } = await pairedTill(world);
  const event = eventsOf(world, 'manager', world.now - 60_000);
  const [ticket_id, sale_id] = [newId(), newId()];
  const round = event('round', { ticket_id, round_id: newId(), items: [recordedLine(2)] });
  const settle = event('ticket_settle', { ticket_id, sale_id, total: 9_000, payments: paid(9_000, 'card') });
  const send = async (...events: readonly DeviceEvent[]) => outcomesOf(await replayed(world, device, events));
  expect(await send(event('ticket_open', { ticket_id }), settle)).toEqual([
    ...['applied', 'review: total_differs'],
  ]);
  return { round, settle, send };
};

describe('a review', () => {
  test('that was closed, and is resolved by what comes later, stays a closed review', async () => {
    const { round, settle, send } = await aBillWithoutItsRound();
    await closed(settle.id, 'دُفع كله');
    expect(await send(round)).toEqual(['applied']);
    const listed = (await reviewsBy(world, manager, '&status=closed')).find(({ id }) => id === settle.id);
    expect(listed).toMatchObject({ status: 'closed', outcome: 'review', reasons: [], note: 'دُفع كله' });
    expect(await closed(settle.id, 'مرة أخرى')).toEqual(listed);
  });

  test('of a settlement that was told under two events is one, with what was sent', async () => {
    const { round, settle, send } = await aBillWithoutItsRound();
    expect(await send(round, { ...settle, id: newId() })).toEqual(['applied', 'already']);
    await withoutReviews();
    const late = { ...round, id: newId(), data: { ...round.data, round_id: newId() } };
    const items = [recordedLine(1)];
    expect(await send({ ...late, data: { ...late.data, items } })).toEqual(['applied']);
    const open = await reviewsBy(world, manager);
    expect(open).toMatchObject([
      { id: settle.id, reasons: [{ code: 'total_differs' }], data: { total: 9_000 } },
    ]);
  });

  test('is closed with a note, which is kept and audited; what was sent is dropped', async () => {
    const id = await anOpenReview(world);
    const review = await closed(id, ' خصم باتفاق ');
    expect(review).toMatchObject({
      ...{ id, status: 'closed', note: 'خصم باتفاق', closed_by: personId('manager'), data: null },
      ...{ closed_at: new Date(world.now).toISOString(), reasons: [{ code: 'total_differs' }] },
    });
    expect(await auditOf(world, id)).toMatchObject([
      {
        ...{
          action: 'review.closed',
          subject: 'review',
          staff_id: personId('manager'),
          branch_id: branchId(),
        },
        detail: { kind: 'sale', reasons: ['total_differs'], note: 'خصم باتفاق' },
      },
    ]);
    expect(await idsOf()).not.toContain(id);
    expect(await idsOf('&status=closed')).toContain(id);
  });

  test('that is closed is answered as it was closed', async () => {
    const id = await anOpenReview(world);
    const first = await closed(id, 'أول');
    world.now += 60_000;
    expect(await closed(id, 'ثان', await signInAs(world, 'owner'))).toEqual(first);
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test('needs a note that can be read', async () => {
    const id = await anOpenReview(world);
    expect(refusalOf(await closing(id, ' ‏ '))).toMatchObject({ status: 400, fields: [{ path: 'note' }] });
    expect(await idsOf()).toContain(id);
  });

  test('is none of the staff of another branch, and not for tellers', async () => {
    const id = await anOpenReview(world);
    const address = `/staff/reviews?branch_id=${branchId()}`;
    expect(refusalOf(await world.get(address, { ...hala })).status).toBe(404);
    expect(refusalOf(await closing(id, 'خطأ', hala)).status).toBe(404);
    const teller = await signInAs(world, 'teller');
    expect(refusalOf(await world.get(address, { ...teller })).status).toBe(403);
    expect(refusalOf(await closing(id, 'خطأ', teller)).status).toBe(403);
    expect(await idsOf()).toContain(id);
  });
});
