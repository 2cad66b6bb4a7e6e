/** POST /staff/sales/{id}/award, and what orders earn by the phone of their customer (Decisions 11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../support/database/ids.ts';
import { anOrder, aGuest, placed } from '../support/people/guests.ts';
import { aMemberWith, combinedWith } from '../support/people/identity.ts';
import { aMember, aProgramme, balanceOf, entriesOfSales } from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  changed,
  personId,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, thingId } from '../support/shops/cafe.ts';

const HOUR = 60 * 60_000;
const FREE_COFFEE = { reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 };

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
  await setCredentials(world);
  owner = await signInAs(world, 'owner');
});
afterAll(() => world.close());

const asks = (sale: string, member: string, who = owner) =>
  post(world, `/staff/sales/${sale}/award`, { member_id: member }, { ...who });
const awarded = async (sale: string, member: string) => done('awardSale', await asks(sale, member));
const refusedAward = async (...asked: Parameters<typeof asks>) => refusalOf(await asks(...asked));

const deliver = (id: string) =>
  changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });

/** A delivered order of somebody without a card. */
const aSale = async (): Promise<string> => {
  const { id } = await placed(world, anOrder({ customer_phone: aGuest().typed }));
  await deliver(id);
  return id;
};

describe('a sale without a card', () => {
  test('is given to one, once, however often it is asked', async () => {
    const [sale, { cardId }] = [await aSale(), await aMember(world)];
    const first = await awarded(sale, cardId);
    expect(first).toEqual({ sale_id: sale, member_id: cardId, mode: 'points', earned: 45, balance: 45 });
    expect(await awarded(sale, cardId)).toEqual(first);
    expect(await entriesOfSales(world, cardId)).toHaveLength(1);
    const ledger = await world.get(`/staff/loyalty/members/${cardId}/ledger`, { ...owner });
    expect(done('listMemberEntries', ledger)).toMatchObject([
      { source: 'sale', sale_id: sale, staff_id: personId('owner') },
    ]);
    const tracked = await world.get(`/public/delivery-orders/${sale}/track`);
    expect(tracked.body).toMatchObject({ loyalty: { mode: 'points', earned: 45 } });
    const sold = done('getSale', await world.get(`/staff/sales/${sale}`, { ...owner }));
    expect(sold.member_id).toBe(cardId);
  });

  test('of its own card that earned nothing is answered with the balance', async () => {
    const member = await aMember(world, 30);
    const { id } = await placed(
      world,
      anOrder({
        ...{ customer_phone: member.typed, device_token: member.deviceToken },
        ...{ member_token: member.memberToken, rewards: [FREE_COFFEE] },
      }),
    );
    await deliver(id);
    expect(await awarded(id, member.cardId)).toMatchObject({ earned: 0, balance: 20 });
  });

  test('is that of the card with which its card was combined', async () => {
    const [older, newer] = [await aMemberWith(world), await aMemberWith(world)];
    const [sale, other] = [await aSale(), await aMember(world)];
    await awarded(sale, newer.cardId);
    await combinedWith(world, newer, older);
    const answer = { sale_id: sale, member_id: older.cardId, mode: 'points', earned: 45, balance: 45 };
    expect(await awarded(sale, older.cardId)).toEqual(answer);
    expect(await refusedAward(sale, other.cardId)).toMatchObject({ status: 400, fields: [{ path: 'id' }] });
  });

  test('is answered again after the programme was switched off', async () => {
    const [sale, { cardId }] = [await aSale(), await aMember(world)];
    const first = await awarded(sale, cardId);
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ enabled: false }) }));
    expect(await awarded(sale, cardId)).toEqual(first);
    expect(await refusedAward(await aSale(), cardId)).toMatchObject({ status: 409, code: 'LOYALTY_OFF' });
    await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme() }));
  });

  test('goes to one card when two are named at once', async () => {
    const [sale, ...members] = [await aSale(), await aMember(world), await aMember(world)] as const;
    const replies = await Promise.all(members.map(({ cardId }) => asks(sale, cardId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const balances = await Promise.all(members.map(({ cardId }) => balanceOf(world, cardId)));
    expect(balances.sort((a, b) => a - b)).toEqual([0, 45]);
  });

  test('is refused by name once it has another card, and after 24 hours', async () => {
    const [sale, member, other] = [await aSale(), await aMember(world), await aMember(world)];
    await awarded(sale, member.cardId);
    expect(await refusedAward(sale, other.cardId)).toMatchObject({ status: 400, fields: [{ path: 'id' }] });
    const late = await aSale();
    world.now += 24 * HOUR + 1;
    const again = await signInAs(world, 'owner');
    expect(await refusedAward(late, other.cardId, again)).toMatchObject({
      status: 400,
      fields: [{ path: 'id' }],
    });
    owner = again;
  });

  test('is 404 while it is under way, unknown, or of another branch, and a card that is unknown is named', async () => {
    const { cardId } = await aMember(world);
    const { id } = await placed(world, anOrder({ customer_phone: aGuest().typed }));
    expect(await refusedAward(id, cardId)).toMatchObject({ status: 404 });
    expect(await refusedAward(newId(), cardId)).toMatchObject({ status: 404 });
    const sale = await aSale();
    const elsewhere = await signInAs(world, 'ramy');
    expect(await refusedAward(sale, cardId, elsewhere)).toMatchObject({ status: 404 });
    expect(await refusedAward(sale, newId())).toMatchObject({ status: 400, fields: [{ path: 'member_id' }] });
  });
});

describe('an order without a card', () => {
  test('earns for the card of its customer where the phone was proven', async () => {
    const member = await aMember(world);
    const order = { customer_phone: member.typed };
    const proven = await placed(world, anOrder({ ...order, device_token: member.deviceToken }));
    await deliver(proven.id);
    expect(await balanceOf(world, member.cardId)).toBe(45);
    const unproven = await placed(world, anOrder(order));
    await deliver(unproven.id);
    expect(await balanceOf(world, member.cardId)).toBe(45);
  });
});

test('nothing is earned while the programme is off, and no card is given a sale', async () => {
  const off = await makeWorld();
  try {
    await openShops(off, aStaffedShop(undefined, { loyalty: aProgramme({ enabled: false }) }));
    await setCredentials(off);
    const who = await signInAs(off, 'owner');
    const member = await aMember(off, 10);
    const body = anOrder({
      ...{ customer_phone: member.typed, member_token: member.memberToken, device_token: member.deviceToken },
    });
    const { id } = await placed(off, body);
    await changed(off, who, id, 'finalize', { payment_method: 'cash', from: 'received' });
    expect(await balanceOf(off, member.cardId)).toBe(10);
    const other = await placed(off, anOrder({ customer_phone: aGuest().typed }));
    await changed(off, who, other.id, 'finalize', { payment_method: 'cash', from: 'received' });
    const address = `/staff/sales/${other.id}/award`;
    const reply = await post(off, address, { member_id: member.cardId }, { ...who });
    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'LOYALTY_OFF' });
  } finally {
    await off.close();
  }
});

test('an order that was placed in points and delivered in visits tells both figures in visits', async () => {
  const member = await aMember(world);
  const { id } = await placed(
    world,
    anOrder({
      customer_phone: member.typed,
      member_token: member.memberToken,
      device_token: member.deviceToken,
    }),
  );
  const tracked = async () =>
    done('trackOrder', await world.get(`/public/delivery-orders/${id}/track`)).loyalty;
  expect(await tracked()).toEqual({ mode: 'points', earns: 45, earned: null });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ mode: 'visits' }) }));
  await deliver(id);
  expect(await tracked()).toEqual({ mode: 'visits', earns: 1, earned: 1 });
});
