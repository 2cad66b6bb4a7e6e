/** The kitchen's board (Decisions 12, Kitchen). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { kitchenBy, type KitchenTicket } from '../support/people/kitchen.ts';
import { aStaffedShop, setCredentials, signInAs, type SignedIn } from '../support/people/staff.ts';
import { coffees, ticketsBy, type Ticket } from '../support/people/tickets.ts';
import { openBoard } from '../support/server/board-client.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import { aKitchenShop, MEAL, meals } from '../support/shops/kitchen-shop.ts';

let world: World;
let waiter: SignedIn;
let cook: SignedIn;
let owner: SignedIn;
let floor: ReturnType<typeof ticketsBy>;
let kitchen: ReturnType<typeof kitchenBy>;

beforeAll(async () => {
  world = await makeWorld({ limitScale: 0 });
  await openShops(world, aKitchenShop(), aStaffedShop('kashk'));
  await setCredentials(world);
  [waiter, cook, owner] = [
    await signInAs(world, 'waiter'),
    await signInAs(world, 'kitchen'),
    await signInAs(world, 'owner'),
  ];
  floor = ticketsBy(world, owner);
  kitchen = kitchenBy(world, cook);
});
afterAll(() => world.close());

const burgers = (quantity: number, more: object = {}) => ({
  ...{ menu_item_id: thingId('item', 'burger'), quantity, ...more },
});
const dishesAt = (tickets: readonly KitchenTicket[], station: string) =>
  tickets
    .filter((ticket) => ticket.station.name === station)
    .flatMap(({ items }) => items.map(({ name, quantity, combo }) => [name, quantity, combo]));
const idsOf = (tickets: readonly KitchenTicket[]): string[] => tickets.map(({ id }) => id).toSorted();
const lineOf = ({ items }: Ticket, name: string): Ticket['items'][number] => {
  const found = items.find(({ line, voided }) => line.name === name && !voided);
  if (found === undefined) throw new Error(`the ticket has a live line of ${name}`);
  return found;
};
const bumpAll = async (sourceId: string): Promise<void> => {
  for (const { id } of await kitchen.of(sourceId)) await kitchen.bump(id);
};

describe('a round', () => {
  test('is fired to the station of each dish, a combo dish by dish, in one step with the round', async () => {
    const items = [...coffees(2), burgers(1, { notes: 'بدون بصل' }), meals(3)];
    const ticket = await floor.open({
      items,
      customer_name: 'منى',
      notes: 'حساسية فول',
      table_id: tableId('t1'),
    });
    const fired = await kitchen.of(ticket.id);
    expect(fired.map(({ station }) => station.name)).toEqual(expect.arrayContaining(['البار', 'الشواية']));
    expect(fired).toHaveLength(2);
    expect(fired[0]).toMatchObject({
      ...{ source: 'ticket', round: 1, reference: ticket.ticket_ref, name: 'منى', notes: 'حساسية فول' },
      ...{ fired_at: ticket.opened_at, promised_at: null, done_at: null },
    });
    expect(dishesAt(fired, 'البار')).toEqual([
      ['قهوة تركي', 2, null],
      ['قهوة تركي', 3, MEAL],
    ]);
    expect(dishesAt(fired, 'الشواية')).toEqual([
      ['برجر', 1, null],
      ['برجر', 3, MEAL],
    ]);
    const [, grill] = fired.toSorted((a, b) => a.station.name.localeCompare(b.station.name, 'ar'));
    expect(grill?.items[0]).toMatchObject({ notes: 'بدون بصل', tables: ['T1'], voided: 0, bumped_at: null });
    expect((await floor.get(ticket.id)).items.map(({ sent_to: stations }) => stations.length)).toEqual([
      1, 1, 2,
    ]);
    await floor.void(await floor.get(ticket.id));
  });

  test('is fired once, however many people fire at once', async () => {
    const ticket = await floor.open();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        floor.ask(
          ticket.id,
          'fireTicketRound',
          { items: coffees(1) },
          { 'idempotency-key': `round-${n >> 1}` },
        ),
      ),
    );
    const rounds = (await kitchen.of(ticket.id)).map(({ round }) => round);
    expect(rounds.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, n) => n + 1));
  });

  test('that is refused reaches no kitchen', async () => {
    const before = idsOf((await kitchen.board()).tickets);
    expect((await floor.asksOpen({ branch_id: branchId(), items: burgers(0) })).status).toBe(400);
    expect(idsOf((await kitchen.board()).tickets)).toEqual(before);
  });

  test('goes to the one kitchen of a branch without stations', async () => {
    const elsewhere = branchId('maadi');
    const ticket = await floor.open({ branch_id: elsewhere });
    const reply = done('getKitchen', await world.get(`/staff/kitchen?branch_id=${elsewhere}`, owner));
    expect(reply.stations).toEqual([]);
    expect(reply.tickets).toMatchObject([{ source_id: ticket.id, station: { id: null, name: 'المطبخ' } }]);
  });
});

describe('what was fired is never fired again', () => {
  test('by a split, a merge or a move; the board says where it goes', async () => {
    const ticket = await floor.open({ items: [...coffees(3), burgers(1)], table_id: tableId('t1') });
    const before = await kitchen.of(ticket.id);
    const tables = async (name: string) =>
      (await kitchen.of(ticket.id)).flatMap(({ items }) =>
        items.filter((item) => item.name === name).flatMap((item) => item.tables),
      );
    const coffee = lineOf(ticket, 'قهوة تركي');
    const part = await floor.split(ticket, [{ item_id: coffee.id, units: 1 }], { table_id: tableId('t2') });
    expect(await tables('قهوة تركي')).toEqual(['T1', 'T2']);
    expect(await tables('برجر')).toEqual(['T1']);
    const moved = await floor.change(part, { table_id: null });
    expect(await tables('قهوة تركي')).toEqual(['T1']);
    const merged = await floor.merge(await floor.get(ticket.id), moved.id);
    await floor.change(merged, { table_id: tableId('t2') });
    expect([...(await tables('قهوة تركي')), ...(await tables('برجر'))]).toEqual(['T2', 'T2']);
    expect(idsOf(await kitchen.of(ticket.id))).toEqual(idsOf(before));
    expect(await kitchen.of(part.id)).toEqual([]);
    await floor.void(await floor.get(ticket.id));
  });

  test('by a merge of two tickets that were opened apart: each keeps its kitchen tickets, items and bumps', async () => {
    const ticket = await floor.open({ items: [...coffees(2), meals(1)], table_id: tableId('t3') });
    const other = await floor.open({ items: [burgers(2), ...coffees(1)], table_id: tableId('t4') });
    const bar = (await kitchen.of(ticket.id)).find(({ station }) => station.name === 'البار');
    await kitchen.bump(bar?.id ?? '', [bar?.items[0]?.id ?? '']);
    const fired = async () =>
      [...(await kitchen.of(ticket.id)), ...(await kitchen.of(other.id))].map(({ id, items, ...more }) => ({
        ...{ id, round: more.round, source: more.source_id, station: more.station, firedAt: more.fired_at },
        items: items.map((item) => ({ ...item, tables: null })),
      }));
    const before = await fired();
    expect(before).toHaveLength(4);
    const merged = await floor.merge(ticket, other.id);
    expect(await fired()).toEqual(before);
    expect(merged.items.map(({ sent_to: stations }) => stations.length)).toEqual([1, 2, 1, 1]);
    const part = await floor.split(merged, [{ item_id: lineOf(merged, 'برجر').id, units: 1 }]);
    await floor.change(part, { table_id: tableId('t4') });
    expect(await fired()).toEqual(before);
    for (const id of [ticket.id, part.id]) await floor.void(await floor.get(id));
  });
});

describe('a void', () => {
  test('shows on the board with its reason until it is bumped', async () => {
    const ticket = await floor.open({ items: [...coffees(3)] });
    const { id } = lineOf(ticket, 'قهوة تركي');
    await floor.asksVoid(ticket, id, { units: 2, reason: 'guest_changed' });
    const [shown] = await kitchen.of(ticket.id);
    expect(shown?.items).toMatchObject([{ quantity: 3, voided: 2, void_reason: 'guest_changed' }]);
    await floor.void(await floor.get(ticket.id), { reason: 'quality' });
    const [all] = await kitchen.of(ticket.id);
    expect(all?.items).toMatchObject([{ quantity: 3, voided: 3, void_reason: 'quality' }]);
    expect(await kitchen.bump(all?.id ?? '')).toMatchObject({ done_at: expect.any(String) as string });
    expect(await kitchen.of(ticket.id)).toEqual([]);
  });

  test('of a combo is one of each of its dishes, of a part that was split off one of the line', async () => {
    const ticket = await floor.open({ items: [meals(2), ...coffees(4)] });
    const part = await floor.split(ticket, [{ item_id: lineOf(ticket, 'قهوة تركي').id, units: 2 }]);
    await floor.asksVoid(part, lineOf(part, 'قهوة تركي').id, { units: 1 });
    const rest = await floor.get(ticket.id);
    await floor.asksVoid(rest, lineOf(rest, MEAL).id);
    const voided = (await kitchen.of(ticket.id)).flatMap(({ items }) =>
      items.map((item) => [item.name, item.combo, item.voided]),
    );
    expect(voided).toHaveLength(3);
    expect(voided).toEqual(
      expect.arrayContaining([
        ['برجر', MEAL, 2],
        ['قهوة تركي', MEAL, 2],
        ['قهوة تركي', null, 1],
      ]),
    );
  });
});

describe('a ticket', () => {
  test('is ready when every live line is bumped, since the last of them', async () => {
    const ticket = await floor.open({ items: [...coffees(1), burgers(1)] });
    const [first, second] = await kitchen.of(ticket.id);
    await kitchen.bump(first?.id ?? '');
    expect(await floor.get(ticket.id)).toMatchObject({ ready: false, ready_at: null });
    world.now += 60_000;
    const { done_at: doneAt } = await kitchen.bump(second?.id ?? '');
    const ready = await floor.get(ticket.id);
    expect(ready).toMatchObject({ ready: true, ready_at: doneAt });
    expect(ready.items.map(({ ready_at: at }) => at)).toContain(doneAt);
    const again = await floor.fire(ready, coffees(1));
    expect(again).toMatchObject({ ready: false, ready_at: null });
    await floor.asksVoid(again, lineOf({ ...again, items: again.items.slice(2) }, 'قهوة تركي').id);
    expect(await floor.get(ticket.id)).toMatchObject({ ready: true, ready_at: doneAt });
    await kitchen.recall(first?.id ?? '');
    expect(await floor.get(ticket.id)).toMatchObject({ ready: false });
  });

  test('without a live line is not ready', async () => {
    const ticket = await floor.open({ items: coffees(1) });
    await bumpAll(ticket.id);
    await floor.asksVoid(ticket, lineOf(ticket, 'قهوة تركي').id);
    expect(await floor.get(ticket.id)).toMatchObject({ ready: false, ready_at: null });
  });

  test('that is split is ready by its own lines', async () => {
    const ticket = await floor.open({ items: [...coffees(1), burgers(1)] });
    const part = await floor.split(ticket, [{ item_id: lineOf(ticket, 'برجر').id }]);
    const grill = (await kitchen.of(ticket.id)).find(({ station }) => station.name === 'الشواية');
    await kitchen.bump(grill?.id ?? '');
    expect([(await floor.get(part.id)).ready, (await floor.get(ticket.id)).ready]).toEqual([true, false]);
  });
});

describe('a bump', () => {
  test('of items leaves the others on the board, a recall brings them back', async () => {
    const ticket = await floor.open({ items: [...coffees(1), ...coffees(2)] });
    const [shown] = await kitchen.of(ticket.id);
    const [one, two] = (shown?.items ?? []).map(({ id }) => id);
    const half = await kitchen.bump(shown?.id ?? '', [one?.toUpperCase() ?? '']);
    expect(half).toMatchObject({
      done_at: null,
      items: [{ bumped_at: expect.any(String) as string }, { bumped_at: null }],
    });
    world.now += 60_000;
    const whole = await kitchen.bump(half.id);
    expect(whole.done_at).not.toBeNull();
    expect(whole.items[0]?.bumped_at).toBe(half.items[0]?.bumped_at);
    const done = await kitchen.board('&status=done');
    expect(done.tickets[0]?.id).toBe(whole.id);
    const back = await kitchen.recall(half.id, [two ?? '']);
    expect(back).toMatchObject({
      done_at: null,
      items: [{ bumped_at: half.items[0]?.bumped_at }, { bumped_at: null }],
    });
    expect(await kitchen.of(ticket.id)).toEqual([back]);
  });

  test('of twenty screens at once is one bump', async () => {
    const ticket = await floor.open();
    const [shown] = await kitchen.of(ticket.id);
    const id = shown?.id ?? '';
    const replies = await Promise.all(Array.from({ length: 20 }, () => kitchen.ask(id, 'bump', {})));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const audited = await world.db.kysely
      .selectFrom('audit')
      .select('id')
      .where('subject_id', '=', id)
      .where('action', '=', 'kitchen.bumped')
      .execute();
    expect(audited).toHaveLength(1);
  });

  test('is refused for an item of another ticket, and for a kitchen ticket of another branch or shop', async () => {
    const [mine, other] = [await floor.open(), await floor.open()];
    const [[own], [foreign]] = [await kitchen.of(mine.id), await kitchen.of(other.id)];
    const refused = refusalOf(
      await kitchen.ask(own?.id ?? '', 'bump', { item_ids: [foreign?.items[0]?.id] }),
    );
    expect(refused).toMatchObject({ status: 400, fields: [{ path: 'item_ids[0]' }] });
    const ramy = kitchenBy(world, await signInAs(world, 'ramy'));
    expect((await ramy.ask(own?.id ?? '', 'bump', {})).status).toBe(404);
    const waiting = await post(world, `/staff/kitchen/${own?.id}/bump`, {}, waiter);
    expect(refusalOf(waiting)).toMatchObject({ status: 403, code: 'NOT_PERMITTED' });
    expect(await kitchen.of(mine.id)).toEqual([own]);
  });
});

describe('the board', () => {
  test('says when it was read, and counts what is to be made', async () => {
    for (const { id } of (await kitchen.board()).tickets) await kitchen.bump(id);
    const ticket = await floor.open({ items: [...coffees(2), meals(1), burgers(2)] });
    await floor.asksVoid(ticket, lineOf(ticket, 'برجر').id, { units: 1 });
    await floor.open({ items: coffees(4) });
    const board = await kitchen.board();
    expect(board.as_of).toBe(new Date(world.now).toISOString());
    expect(board.stations.map(({ name }) => name)).toEqual(['البار', 'الشواية']);
    expect(board.totals).toHaveLength(2);
    expect(board.totals).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'قهوة تركي', quantity: 7 }) as object,
        expect.objectContaining({ name: 'برجر', quantity: 2 }) as object,
      ]),
    );
    const [bar] = board.stations;
    const atBar = await kitchen.board(`&station=${bar?.id}`);
    expect(new Set(atBar.tickets.map(({ station }) => station.name))).toEqual(new Set(['البار']));
    expect(atBar.totals).toEqual([expect.objectContaining({ quantity: 7 }) as object]);
  });

  test('is read in pages, those to make and those that are made', async () => {
    await Promise.all(Array.from({ length: 3 }, () => floor.open()));
    const read = async (status: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let page = await kitchen.board(`&status=${status}&limit=2`); page.tickets.length > 0;) {
        ids.push(...page.tickets.map(({ id }) => id));
        page = await kitchen.board(`&status=${status}&limit=2&after=${ids.at(-1)}`);
      }
      return ids;
    };
    const whole = async (status: string) =>
      (await kitchen.board(`&status=${status}`)).tickets.map(({ id }) => id);
    expect(await read('open')).toEqual(await whole('open'));
    expect(await read('done')).toEqual(await whole('done'));
    const nowhere = await world.get(`/staff/kitchen?branch_id=${branchId()}&after=${branchId()}`, cook);
    expect(refusalOf(nowhere)).toMatchObject({ status: 400, fields: [{ path: 'after' }] });
  });

  test('refuses a station of another branch', async () => {
    const { stations } = await kitchen.board();
    const elsewhere = `/staff/kitchen?branch_id=${branchId('maadi')}&station=${stations[0]?.id}`;
    expect(refusalOf(await world.get(elsewhere, owner))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'station' }] },
    });
  });

  test('hears of what is fired and made on the event stream', async () => {
    const stream = await openBoard(world.port, `/staff/events?branch_id=${branchId()}`, { ...cook });
    const ticket = await floor.open();
    const told = new Set([(await stream.next()).data.type, (await stream.next()).data.type]);
    expect(told).toEqual(new Set(['kitchen_ticket', 'ticket']));
    const [shown] = await kitchen.of(ticket.id);
    await kitchen.bump(shown?.id ?? '');
    const events = [(await stream.next()).data, (await stream.next()).data];
    expect(events.map(({ type, id }) => [type, id]).toSorted()).toEqual([
      ['kitchen_ticket', shown?.id],
      ['ticket', ticket.id],
    ]);
    stream.close();
  });
});

describe('stations in the shop file', () => {
  const withStations = (stations: NonNullable<ShopFile['branches'][number]['stations']>): ShopFile => {
    const file = aKitchenShop();
    const [first, ...others] = file.branches;
    return first === undefined ? file : { ...file, branches: [{ ...first, stations }, ...others] };
  };

  test('refuse a category that two of them make', async () => {
    const twice = withStations([
      { name: 'البار', categories: ['coffee'] },
      { name: 'الشواية', categories: ['food', 'coffee'] },
    ]);
    await expect(openShops(world, twice)).rejects.toThrow(/stations\[1\]/);
  });

  test('that go leave what was fired to them on the board', async () => {
    const ticket = await floor.open({ items: [burgers(1)] });
    await openShops(world, withStations([{ key: 'bar', name: 'البار', categories: ['coffee'] }]));
    expect((await kitchen.of(ticket.id)).map(({ station }) => station.name)).toEqual(['الشواية']);
    const next = await floor.open({ items: [burgers(1)] });
    expect((await kitchen.of(next.id)).map(({ station }) => station.name)).toEqual(['البار']);
    await openShops(world, aKitchenShop());
  });
});
