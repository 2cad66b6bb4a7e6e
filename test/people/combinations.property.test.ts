/** Random histories of members, orders and combinations: nothing is lost and nothing doubles. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import { orderOn, placed, proveOn } from '../support/people/guests.ts';
import { aMemberWith, askIdentity, proofsOf, type CardMember } from '../support/people/identity.ts';
import { aStaffedShop, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const DAY = 24 * 3_600_000;
const PLACES = ['١ شارع طه حسين', '٢ شارع البرازيل', '٣ شارع شجرة الدر'];

type Step =
  | { readonly kind: 'join'; readonly points: number; readonly visits: number }
  | { readonly kind: 'order'; readonly who: number; readonly place: number }
  | { readonly kind: 'combine' | 'merge'; readonly who: number; readonly other: number };

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), points: fc.nat(500), visits: fc.nat(9) }),
  fc.record({ kind: fc.constant('order' as const), who: fc.nat(20), place: fc.nat(2) }),
  fc.record({
    kind: fc.constantFrom('combine' as const, 'merge' as const),
    who: fc.nat(20),
    other: fc.nat(20),
  }),
);

/** A guest of the history. */
interface Known {
  readonly member: CardMember;
  /** The phone that was proven last. */
  readonly device: string;
}

let combined = 0;
let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop());
  owner = await setPasswordAndSignIn(world, 'owner');
});
afterAll(() => world.close());

/** Of everything in the shop; a merge changes none of it. */
const sums = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select (select sum(points) from loyalty_card)::int as points, (select sum(visits) from loyalty_card)::int as visits,
           (select count(*) from delivery_order)::int as orders,
           (select sum(use_count) from customer_address)::int as uses
  `.execute(world.db.kysely);
  return rows[0];
};

/** Rows that contradict the rules: each query must find none. */
const contradictions = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    select 'balance' as what, c.id from loyalty_card c
    where c.points <> coalesce((select sum(amount) from loyalty_entry e where e.org_id = c.org_id and e.card_id = c.id and e.mode = 'points'), 0)
       or c.visits <> coalesce((select sum(amount) from loyalty_entry e where e.org_id = c.org_id and e.card_id = c.id and e.mode = 'visits'), 0)
    union all
    select 'combined card with a balance', id from loyalty_card where merged_into is not null and points + visits > 0
    union all
    select 'chain', l.id from loyalty_card l join loyalty_card m on m.org_id = l.org_id and m.id = l.merged_into where m.merged_into is not null
    union all
    select 'chain of customers', l.id from customer l join customer m on m.org_id = l.org_id and m.id = l.merged_into where m.merged_into is not null
    union all
    select 'combined customer with a name', id from customer where merged_into is not null and (phone is not null or name <> '')
    union all
    select 'order of a combined customer', o.id from delivery_order o join customer c on c.org_id = o.org_id and c.id = o.customer_id
    where c.merged_into is not null
    union all
    select 'address of a combined customer', a.id from customer_address a join customer c on c.org_id = a.org_id and c.id = a.customer_id
    where c.merged_into is not null
    union all
    select 'order to an address of somebody else', o.id from delivery_order o
    left join customer_address a on a.org_id = o.org_id and a.id = o.address_id
    where o.address_id is not null and a.customer_id is distinct from o.customer_id
  `.execute(world.db.kysely);
  return rows;
};

/** A new device token for the phone: the clock has moved on. */
const proven = async ({ member }: Known): Promise<Known> => {
  world.now += DAY;
  return { member, device: await proveOn(world, member) };
};

const take = async (people: Known[], step: Step): Promise<void> => {
  if (step.kind === 'join') {
    const member = await aMemberWith(world, { points: step.points, visits: step.visits });
    people.push({ member, device: member.device });
    return;
  }
  const who = people[step.who % people.length];
  if (who === undefined) return;
  const fresh = await proven(who);
  if (step.kind === 'order') {
    const order = orderOn('outside', {
      ...{ customer_phone: who.member.typed, device_token: fresh.device },
      address_line: PLACES[step.place] ?? '',
    });
    await placed(world, order);
    return;
  }
  const other = people[step.other % people.length];
  if (other === undefined || other === who) return;
  const before = await sums();
  const [mine, theirs] = [fresh, await proven(other)];
  const reply =
    step.kind === 'merge'
      ? await post(
          world,
          `/staff/customers/${who.member.customerId}/merge`,
          { customer_id: other.member.customerId },
          owner,
        )
      : await askIdentity(
          world,
          'combine',
          who.member.token,
          proofsOf({ ...who.member, device: mine.device }, { ...other.member, device: theirs.device }),
        );
  expect([200, 401, 404, 409]).toContain(reply.status);
  if (reply.status === 200) combined += 1;
  expect(await sums()).toEqual(before);
};

test('balances, orders and uses of addresses are conserved by combinations of any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 14 }), async (steps) => {
      const people: Known[] = [];
      await take(people, { kind: 'join', points: 10, visits: 1 });
      await take(people, { kind: 'join', points: 20, visits: 2 });
      for (const step of steps) await take(people, step);
      expect(await contradictions()).toEqual([]);
    }),
    { numRuns: 12 },
  );
  expect(combined).toBeGreaterThan(0);
}, 120_000);
