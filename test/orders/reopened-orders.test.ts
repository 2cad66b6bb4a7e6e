/** What a reopened order is to the tills and to the kitchen (Decisions 4, 12). */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anOrder, placed } from '../support/people/guests.ts';
import { kitchenBy } from '../support/people/kitchen.ts';
import { changed, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { anOpenTill } from '../support/people/tills.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop } from '../support/shops/kitchen-shop.ts';

let world: World;
let teller: SignedIn;
let manager: SignedIn;
let kitchen: ReturnType<typeof kitchenBy>;

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aKitchenShop());
  await setCredentials(world);
  [teller, manager] = [await signInAs(world, 'teller'), await signInAs(world, 'manager')];
  kitchen = kitchenBy(world, await signInAs(world, 'kitchen'));
});
afterAll(() => world.close());

const finalized = (id: string, who: SignedIn, payment_method: string, revision: number) =>
  changed(world, who, id, 'finalize', { payment_method, revision });
const reopened = (id: string, handedOver?: boolean) =>
  changed(world, manager, id, 'reopen', { from: 'delivered', handed_over: handedOver });

describe('the till of an order that was reopened', () => {
  let ofTeller: string;
  let ofManager: string;
  beforeEach(async () => {
    [ofTeller, ofManager] = [await anOpenTill(world, 'teller'), await anOpenTill(world, 'manager')];
  });

  /** The teller delivers it by card, and the manager reopens it. */
  const mistaken = async (handedOver?: boolean) => {
    const { id, revision } = await placed(world, anOrder());
    await finalized(id, teller, 'card', revision);
    return reopened(id, handedOver);
  };
  const tillOf = async (id: string) =>
    done('getSale', await world.get(`/staff/sales/${id}`, { ...manager })).till_id;
  const closed = async (till: string, who: SignedIn, cash: number) => {
    const body = { counted: { cash, card: 0 } };
    const { figures } = done('closeTill', await post(world, `/staff/tills/${till}/close`, body, { ...who }));
    return figures?.methods.map(({ method, expected, difference }) => [method, expected, difference]);
  };

  test('the manager reopens and delivers by another method: the sale stays in the teller’s till', async () => {
    const { id, revision, total } = await mistaken();
    await finalized(id, manager, 'cash', revision);
    expect(await tillOf(id)).toBe(ofTeller);
    expect(await closed(ofTeller, teller, total)).toEqual([
      ['cash', total, 0],
      ['card', 0, 0],
    ]);
    expect(await closed(ofManager, manager, 0)).toEqual([
      ['cash', 0, 0],
      ['card', 0, 0],
    ]);
  });

  test('and not handed over is that of who hands it over, and the audit says which', async () => {
    const { id, revision, total } = await mistaken(false);
    await finalized(id, manager, 'cash', revision);
    expect(await tillOf(id)).toBe(ofManager);
    expect(await closed(ofTeller, teller, 0)).toEqual([
      ['cash', 0, 0],
      ['card', 0, 0],
    ]);
    expect((await closed(ofManager, manager, total))?.[0]).toEqual(['cash', total, 0]);
    const { rows } = await sql<{ detail: Record<string, unknown> }>`
      select detail from audit where subject_id = ${id} and action in ('order.delivered', 'order.reopened') order by at, id
    `.execute(world.db.kysely);
    expect(rows.map(({ detail }) => [detail['till'], detail['handed_over']]).toSorted()).toEqual(
      [
        [ofTeller, undefined],
        [ofTeller, false],
        [ofManager, undefined],
      ].toSorted(),
    );
  });

  test('closed before the next delivery, is replaced by that of who delivers', async () => {
    const orders = [await mistaken(), await mistaken()];
    await closed(ofTeller, teller, 0);
    const places: (string | null)[] = [];
    for (const [place, { id, revision }] of orders.entries()) {
      await finalized(id, [manager, teller][place] ?? teller, 'cash', revision);
      places.push(await tillOf(id));
    }
    expect(places).toEqual([ofManager, null]);
    // Reopened again, it stays in the till that it is in now.
    const again = await reopened(orders[0]?.id ?? '');
    await finalized(again.id, teller, 'card', again.revision);
    expect(await tillOf(again.id)).toBe(ofManager);
  });

  test('closes without an order that was cancelled instead', async () => {
    const { id, revision } = await mistaken();
    await changed(world, manager, id, 'cancel', { reason: 'other', revision });
    expect(await closed(ofTeller, teller, 0)).toEqual([
      ['cash', 0, 0],
      ['card', 0, 0],
    ]);
  });
});

describe('the kitchen and an order that was reopened', () => {
  /** A ticket of each station, through these steps to its delivery. */
  const deliveredBy = async (...steps: readonly string[]) => {
    const items = ['turkish', 'burger'].map((key) => ({ menu_item_id: thingId('item', key), quantity: 1 }));
    let order = await placed(world, anOrder({ items }));
    for (const to of steps) order = await moved(order, to);
    return finalized(order.id, teller, 'cash', order.revision);
  };
  const moved = ({ id, revision }: { readonly id: string; readonly revision: number }, to: string) =>
    changed(world, teller, id, 'move', { to, revision });
  /** Stations with something of the order to make. */
  const toMake = async (id: string) => (await kitchen.of(id)).map(({ station }) => station.name).toSorted();
  const BOTH = ['البار', 'الشواية'];

  test('what was handed over stays made, reopened and delivered again', async () => {
    for (const steps of [['confirmed'], ['preparing'], ['preparing', 'ready']]) {
      const { id } = await deliveredBy(...steps);
      const { status, revision } = await reopened(id);
      expect([status, await toMake(id)]).toEqual([steps.at(-1), []]);
      await finalized(id, manager, 'card', revision);
      expect(await toMake(id)).toEqual([]);
    }
  });

  test('what was not handed over is on the board again, fired where it never was', async () => {
    for (const steps of [[], ['confirmed'], ['preparing']]) {
      const { id } = await deliveredBy(...steps);
      const { revision } = await reopened(id, false);
      expect([steps, await toMake(id)]).toEqual([steps, BOTH]);
      await finalized(id, manager, 'card', revision);
      expect(await toMake(id)).toEqual([]);
    }
    const { id } = await deliveredBy('confirmed', 'ready');
    expect([(await reopened(id, false)).status, await toMake(id)]).toEqual(['ready', []]);
  });

  test('reopened to ready, it is on the board again when it is moved back', async () => {
    const { id } = await deliveredBy('confirmed', 'ready');
    await moved(await reopened(id), 'preparing');
    expect(await toMake(id)).toEqual(BOTH);
  });
});
