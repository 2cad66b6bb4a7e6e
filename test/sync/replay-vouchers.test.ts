/** Rewards that devices gave without the server (Decisions 13): each against a voucher of the card, or a person looks at it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at } from '../../src/platform/store/db.ts';
import { postEntry } from '../../src/loyalty/store/ledger.ts';
import type { SaleEventData } from '../../src/sales/contract/events.ts';
import { newId } from '../support/database/ids.ts';
import {
  aMember,
  aProgramme,
  balanceOf,
  entriesOfSales,
  type MemberGuest,
} from '../support/people/reward-members.ts';
import {
  aStaffedShop,
  pairedTill,
  setCredentials,
  signInAs,
  type SignedIn,
} from '../support/people/staff.ts';
import { altered, claimsOf, signedVoucher, voucherOfCard } from '../support/people/vouchers.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, shopId, thingId } from '../support/shops/cafe.ts';
import {
  eventsOf,
  outcomesOf,
  paid,
  recordedCoffees,
  recordedLine,
  replayed,
  type DeviceEvent,
} from '../support/sync/device-events.ts';
import { expectWords, reviewsBy } from '../support/sync/reviews.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let owner: SignedIn;
let device: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aStaffedShop(undefined, { loyalty: aProgramme({ offline_limit: 30 }) }));
  await setCredentials(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.now += 24 * HOUR;
  owner = await signInAs(world, 'owner');
  [device, other] = [(await pairedTill(world)).device, (await pairedTill(world)).device];
});

const COFFEE = thingId('reward', 'coffee');

/** Coffees that the card pays for with 10 points each, five minutes ago. */
const aFreeSale = (
  { cardId }: Pick<MemberGuest, 'cardId'>,
  voucher: string | undefined,
  units = 1,
  at = world.now - 5 * MINUTE,
  more: Partial<SaleEventData['sale']> = {},
): DeviceEvent =>
  eventsOf(world, 'manager')(
    'sale',
    {
      ...{ sale_id: newId(), items: recordedCoffees(units), total: 0, payments: [], member_id: cardId },
      rewards: [{ reward_id: COFFEE, line_index: 0, units }],
      ...(voucher === undefined ? {} : { voucher }),
      ...more,
    },
    at,
  );

const sent = (event: DeviceEvent, by = device) => replayed(world, by, [event]);
const reviewOf = async ({ id }: Pick<DeviceEvent, 'id'>) =>
  (await reviewsBy(world, owner)).find((one) => one.id === id);
/** The codes of the review; none: it was recorded as it should be. */
const reasonsOf = async (event: DeviceEvent, by = device): Promise<readonly string[]> => {
  const [result] = await sent(event, by);
  if (result?.outcome === 'applied') return [];
  expect(result?.outcome).toBe('review');
  const review = await reviewOf(event);
  if (review === undefined) throw new Error('it is not listed');
  expectWords(review);
  return review.reasons.map(({ code }) => code);
};
const spend = (cardId: string, points: number) =>
  postEntry(
    world.db.kysely,
    { orgId: shopId(), id: newId(), cardId, mode: 'points', reason: 'adjusted', wanted: -points },
    world.now,
  );
/** The guest gets it a minute before the sale. */
const voucherAMinuteBefore = async (member: MemberGuest) => {
  world.now -= 6 * MINUTE;
  try {
    return await voucherOfCard(world, member);
  } finally {
    world.now += 6 * MINUTE;
  }
};
const aMemberWithVoucher = async (balance = 100) => {
  const member = await aMember(world, balance);
  return { member, voucher: (await voucherAMinuteBefore(member)).voucher };
};
const storedData = async ({ id }: DeviceEvent): Promise<string> =>
  JSON.stringify(
    await world.db.kysely.selectFrom('replay_event').select('data').where('id', '=', id).executeTakeFirst(),
  );

describe('a reward against a voucher of the card', () => {
  test('is paid for by the card, and nobody need look at it', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    expect(await reasonsOf(aFreeSale(member, voucher, 3))).toEqual([]);
    expect(await balanceOf(world, member.cardId)).toBe(70);
    expect(await entriesOfSales(world, member.cardId)).toMatchObject([{ kind: 'redeem', amount: -30 }]);
  });

  test('counts once, however often it is told, from two devices', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const sale = aFreeSale(member, voucher, 3);
    expect(outcomesOf(await sent(sale))).toEqual(['applied']);
    for (const by of [device, other]) expect(outcomesOf(await sent(sale, by))).toEqual(['already']);
    expect(outcomesOf(await sent({ ...sale, id: newId() }, other))).toEqual(['already']);
    expect(await balanceOf(world, member.cardId)).toBe(70);
  });

  test('is beyond its limit where two devices spent it, whose sales both stand', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const [first, second] = [aFreeSale(member, voucher, 2), aFreeSale(member, voucher, 2)];
    expect(await reasonsOf(first)).toEqual([]);
    expect(await reasonsOf(second, other)).toEqual(['voucher_overspent']);
    expect((await reviewOf(second))?.reasons[0]).toMatchObject({ vars: { spent: 40, limit: 30 } });
    expect(await balanceOf(world, member.cardId)).toBe(60);
  });

  test('is beyond its limit on one of two that come at the same time', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const sales = [aFreeSale(member, voucher, 2), aFreeSale(member, voucher, 2)] as const;
    const results = await Promise.all([sent(sales[0]), sent(sales[1], other)]);
    expect(outcomesOf(results.flat()).toSorted()).toEqual(['applied', 'review: voucher_overspent']);
  });

  test('is spent together with another voucher of the same half hour', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const again = (await voucherAMinuteBefore(member)).voucher;
    expect(again).not.toBe(voucher);
    expect(await reasonsOf(aFreeSale(member, voucher, 2))).toEqual([]);
    expect(await reasonsOf(aFreeSale(member, again, 2))).toEqual(['voucher_overspent']);
  });

  test('is one of the card also after that was combined with another', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const survivor = await aMember(world, 40);
    await sql`
      update loyalty_card set merged_into = ${survivor.cardId}, merged_at = ${at(world.now)}, points = 0
      where id = ${member.cardId}`.execute(world.db.kysely);
    expect(await reasonsOf(aFreeSale(survivor, voucher))).toEqual([]);
    expect(await balanceOf(world, survivor.cardId)).toBe(30);
  });
});

describe('a reward is recorded, and a person looks at it,', () => {
  test('without a voucher', async () => {
    const member = await aMember(world, 100);
    expect(await reasonsOf(aFreeSale(member, undefined))).toEqual(['voucher_missing']);
    expect(await balanceOf(world, member.cardId)).toBe(90);
  });

  const mode = { mode: 'visits' } as const;
  test.each<[string, string, (member: MemberGuest) => Promise<string>]>([
    ['that was changed', 'voucher_invalid', async (m) => altered((await voucherOfCard(world, m)).voucher)],
    ['that is no voucher', 'voucher_invalid', () => Promise.resolve('قسيمة')],
    ['of another shop', 'voucher_invalid', (m) => signedVoucher(world, m.cardId, { orgId: newId() })],
    ['that counts in another mode', 'voucher_invalid', (m) => signedVoucher(world, m.cardId, mode)],
    [
      'of another card',
      'voucher_of_other_card',
      async () => (await voucherOfCard(world, await aMember(world, 50))).voucher,
    ],
    ['of a card that is none', 'voucher_of_other_card', () => signedVoucher(world, newId())],
  ])('with a voucher %s', async (_, code, voucherFor) => {
    const member = await aMember(world, 100);
    expect(await reasonsOf(aFreeSale(member, await voucherFor(member)))).toEqual([code]);
    expect(await balanceOf(world, member.cardId)).toBe(90);
  });

  test('with a voucher signed by a key that is none of ours', async () => {
    const member = await aMember(world, 100);
    const stranger = await makeWorld({ secretKeys: ['a key of somebody else'] });
    const forged = await signedVoucher(stranger, member.cardId).finally(() => stranger.close());
    expect(await reasonsOf(aFreeSale(member, forged))).toEqual(['voucher_invalid']);
  });

  test('with a voucher that had expired by the corrected clock of the device', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const { expiresAt } = claimsOf(voucher);
    world.now = expiresAt + HOUR;
    device = (await pairedTill(world)).device;
    owner = await signInAs(world, 'owner');
    // Its clock is two hours behind.
    const ahead = -2 * HOUR;
    const [before, after] = [expiresAt - 1, expiresAt].map((moment) =>
      aFreeSale(member, voucher, 1, moment + ahead),
    );
    expect(outcomesOf(await replayed(world, device, [before], { ahead }))).toEqual(['applied']);
    expect(outcomesOf(await replayed(world, device, [after], { ahead }))).toEqual([
      'review: voucher_expired',
    ]);
    expect((await reviewOf(after ?? { id: '' }))?.reasons[0]).toMatchObject({
      vars: { until: new Date(expiresAt).toISOString() },
    });
    expect(await balanceOf(world, member.cardId)).toBe(80);
  });

  test('where the guest has spent the balance elsewhere meanwhile', async () => {
    const { member, voucher } = await aMemberWithVoucher(30);
    await spend(member.cardId, 25);
    expect(await reasonsOf(aFreeSale(member, voucher, 2))).toEqual(['balance_too_small']);
    expect(await balanceOf(world, member.cardId)).toBe(5);
  });

  test('where the card did not pay: the next voucher is for no more than the card has', async () => {
    const { member, voucher } = await aMemberWithVoucher(30);
    await spend(member.cardId, 20);
    expect(await reasonsOf(aFreeSale(member, voucher, 2))).toEqual(['balance_too_small']);
    expect((await voucherAMinuteBefore(member)).limit).toBe(10);
  });
});

test('a sale without rewards needs no voucher', async () => {
  const member = await aMember(world, 100);
  const plain = { rewards: [], total: 4_500, payments: paid(4_500, 'card') };
  expect(await reasonsOf(aFreeSale(member, undefined, 1, undefined, plain))).toEqual([]);
  expect(await reasonsOf(aFreeSale(member, 'x', 1, undefined, plain))).toEqual([]);
});

test('a voucher of more than 1 KB is malformed', async () => {
  const member = await aMember(world, 100);
  const [result] = await sent(aFreeSale(member, 'x'.repeat(1_025)));
  expect(result).toMatchObject({ outcome: 'refused', code: 'INVALID_INPUT' });
});

describe('of a voucher', () => {
  test('its id alone is kept with an event in review', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const sale = aFreeSale(member, voucher, 4);
    expect(await reasonsOf(sale)).toEqual(['voucher_overspent']);
    const { id } = claimsOf(voucher);
    expect((await reviewOf(sale))?.data).toMatchObject({ voucher_id: id, total: 0 });
    expect(await storedData(sale)).not.toContain(voucher);
  });

  test('its id alone is told of an event that waits, and it counts when that is recorded', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const till = newId();
    const sale = aFreeSale(member, voucher, 1, undefined, { till_id: till });
    expect(outcomesOf(await sent(sale))).toEqual(['waiting']);
    expect(JSON.stringify(await reviewOf(sale))).not.toContain(voucher);
    expect((await reviewOf(sale))?.data).toMatchObject({ voucher_id: claimsOf(voucher).id });
    const opening = eventsOf(world, 'manager')(
      'till_open',
      { till_id: till, opening_float: 0 },
      world.now - HOUR,
    );
    await sent(opening);
    expect(await reviewOf(sale)).toBeUndefined();
    expect(await balanceOf(world, member.cardId)).toBe(90);
    const closing = { till_id: till, counted: { cash: 0, card: 0 } };
    await sent(eventsOf(world, 'manager')('till_close', closing, world.now));
  });

  test('its id alone is kept with an event whose parent has not come for a day', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    // One id for its ticket and its till: what waits for its till alone is looked at after a day.
    const [id, data] = [newId(), { sale_id: newId(), total: 0, payments: [], member_id: member.cardId }];
    const settle = eventsOf(world, 'manager')('ticket_settle', {
      ...{ ...data, ticket_id: id, till_id: id, voucher },
    });
    expect(outcomesOf(await sent(settle))).toEqual(['waiting']);
    world.now += 25 * HOUR;
    await sent(aFreeSale(member, undefined));
    owner = await signInAs(world, 'owner');
    expect(await reviewOf(settle)).toMatchObject({
      outcome: 'review',
      reasons: [{ code: 'parent_missing' }],
    });
    expect(await storedData(settle)).not.toContain(voucher);
    expect((await reviewOf(settle))?.data).toMatchObject({ voucher_id: claimsOf(voucher).id });
  });

  test('nothing is in the log', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    await sent(aFreeSale(member, voucher));
    await sent(aFreeSale(member, altered(voucher)));
    expect(world.logged.join('\n')).not.toContain(voucher.split('.')[1]);
  });
});

describe('a ticket that a device settled with rewards', () => {
  const aTicket = (member: MemberGuest, voucher: string | undefined) => {
    const event = eventsOf(world, 'manager', world.now - 5 * MINUTE);
    const [ticket_id, sale_id, line] = [newId(), newId(), newId()];
    const round = (item_id: string) =>
      event('round', { ticket_id, round_id: newId(), items: [recordedLine(1, item_id)] });
    return {
      sale_id,
      open: event('ticket_open', { ticket_id }),
      first: round(line),
      second: round(newId()),
      settle: (total: number) =>
        event('ticket_settle', {
          ...{ ticket_id, sale_id, total, payments: total === 0 ? [] : paid(total, 'card') },
          ...{ member_id: member.cardId, rewards: [{ reward_id: COFFEE, item_id: line, units: 1 }] },
          ...(voucher === undefined ? {} : { voucher }),
        }),
    };
  };

  test('has its voucher, and is in review without one', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const [good, bare] = [aTicket(member, voucher), aTicket(member, undefined)];
    expect(outcomesOf(await replayed(world, device, [good.open, good.first, good.settle(0)]))).toEqual(
      Array.from({ length: 3 }, () => 'applied'),
    );
    const settle = bare.settle(0);
    await replayed(world, device, [bare.open, bare.first]);
    expect(await reasonsOf(settle)).toEqual(['voucher_missing']);
    expect(await balanceOf(world, member.cardId)).toBe(80);
  });

  test('that was free spends its voucher when the line that a reward paid for has come', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    const ticket = aTicket(member, voucher);
    const settle = ticket.settle(0);
    await replayed(world, device, [ticket.open]);
    expect(await reasonsOf(settle)).toEqual(['reward_unknown']);
    expect(outcomesOf(await sent(ticket.first))).toEqual(['applied']);
    expect(await reviewOf(settle)).toBeUndefined();
    expect(await balanceOf(world, member.cardId)).toBe(90);
  });

  test('spends its voucher when its last line has come, beyond the limit in review', async () => {
    const { member, voucher } = await aMemberWithVoucher();
    expect(await reasonsOf(aFreeSale(member, voucher, 3))).toEqual([]);
    const ticket = aTicket(member, voucher);
    const settle = ticket.settle(4_500);
    await replayed(world, device, [ticket.open, ticket.first]);
    expect(await reasonsOf(settle)).toEqual(['total_differs']);
    expect(await storedData(settle)).not.toContain(voucher);
    expect(outcomesOf(await sent(ticket.second))).toEqual(['applied']);
    expect((await reviewOf(settle))?.reasons.map(({ code }) => code)).toEqual(['voucher_overspent']);
    expect(await balanceOf(world, member.cardId)).toBe(60 + 45);
    const sale = done('getSale', await world.get(`/staff/sales/${ticket.sale_id}`, { ...owner }));
    expect(sale).toMatchObject({ total: 4_500, reward_discount: 4_500, recorded_difference: 0 });
    const { paid: bill } = await world.db.kysely
      .selectFrom('ticket')
      .select('paid')
      .where('sale_id', '=', ticket.sale_id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(bill)).not.toContain(voucher);
  });
});
