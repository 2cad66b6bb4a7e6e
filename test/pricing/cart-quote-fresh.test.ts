/** Quotes include every change committed before the request, and reuse cached price books. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPriceBooks, type PriceBooks } from '../../src/pricing/app/pricebooks.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { branchScope } from '../../src/kernel/change.ts';
import { recordChanges } from '../../src/platform/store/change-log.ts';
import { insertBooking, insertOrder, publishOrderChange } from '../support/database/orders-and-bookings.ts';
import { aTable, branchId, openShops, shopId, tableId } from '../support/shops/cafe.ts';
import { openProxy, type DatabaseProxy as DatabaseLine } from '../support/database/proxy.ts';
import { freshDatabase } from '../support/database/test-database.ts';
import {
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  atTable,
  item,
  line,
  quoteOf,
  cartRefusal,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const EVENING = '2026-11-20T18:00:00Z';
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse(EVENING);
  await openShops(world, aQuotingShop());
});
afterAll(() => world.close());

type ItemFile = NonNullable<ShopFile['menu']['items']>[number];

/** The shop with another Turkish coffee. */
const withCoffee = (change: Partial<ItemFile>, overrides: Partial<ShopFile> = {}): ShopFile => {
  const menu = aQuotingMenu();
  const items = (menu.items ?? []).map((one) => (one.key === 'turkish' ? { ...one, ...change } : one));
  return aQuotingShop({ menu: { ...menu, items }, ...overrides });
};
/** As `ahwa import --state` in another process: the server is not notified. */
const importQuietly = (file: ShopFile): Promise<unknown> =>
  importShops(world.app, [{ name: 'shop.json', text: JSON.stringify(file) }], { state: true });

const coffee = [line('turkish')];
const total = async (address = atBranch()): Promise<number> =>
  (await quoteOf(world, coffee, { address })).total;
const codeOf = async (address = atBranch()): Promise<string | null> => {
  const { body } = await post(world, address, { items: coffee });
  return (body as { code?: string }).code ?? null;
};
const statusAt = async (address = atBranch()): Promise<number> =>
  (await post(world, address, { items: coffee })).status;

describe('the next quote after a change', () => {
  test('has the new price, at the branch and at its table', async () => {
    for (const price of [4500, 5100, 4900]) {
      await importQuietly(withCoffee({ price }));
      expect([await total(), await total(atTable())]).toEqual([price, Math.round(price * 1.12)]);
    }
  });

  test('refuses an item switched off, sold out or snoozed, and prices it once it is back', async () => {
    const states: Partial<ItemFile>[] = [
      { active: false },
      { availability: [{ branch: 'zamalek', on: false }] },
      { availability: [{ branch: 'zamalek', stock: 0 }] },
      { availability: [{ branch: 'zamalek', sold_out_until: '2026-11-21T18:00:00Z' }] },
    ];
    for (const state of states) {
      await importQuietly(withCoffee(state));
      expect([await codeOf(), await codeOf(atTable())]).toEqual(['ITEM_UNAVAILABLE', 'ITEM_UNAVAILABLE']);
      await importQuietly(withCoffee({}));
      expect(await codeOf()).toBeNull();
    }
  });

  test('prices an item that was added', async () => {
    const added = aQuotingMenu();
    added.items?.push({ key: 'mint', name: 'نعناع', price: 1500 });
    expect(await cartRefusal(world, { items: [line('mint')] })).toMatchObject({ code: 'ITEM_NOT_FOUND' });
    await importQuietly(aQuotingShop({ menu: added }));
    expect((await quoteOf(world, [line('mint')])).total).toBe(1500);
  });

  test('applies the new tax and service rates of the branch', async () => {
    expect((await quoteOf(world, coffee)).tax_inclusive).toBe(true);
    const tax = { rate: 0.1, inclusive: false };
    await importQuietly(
      aQuotingShop({ branches: [aQuotingBranch({ tax, service_charge: { rate: 0.2, taxable: true } })] }),
    );
    expect([await total(), await total(atTable())]).toEqual([4950, 5940]);
  });

  test('applies a new deal and a new discount', async () => {
    expect(await total()).toBe(4500);
    const deals = [
      { name: 'واحد', kind: 'n_for_price' as const, qty: 1, price: 4000, pool: [{ item: 'turkish' }] },
    ];
    const discounts = [{ name: 'خصم', percent: 10, on: [{ channel: 'pickup' as const }] }];
    await importQuietly(aQuotingShop({ menu: aQuotingMenu({ deals, discounts }) }));
    expect([await total(), await total(atTable())]).toEqual([3600, 4480]);
  });

  test('answers 404 for a removed channel, branch, table or shop, and 200 once it is back', async () => {
    const gone: readonly (readonly [ShopFile, branch: number, table: number])[] = [
      [aQuotingShop({ branches: [aQuotingBranch({ channels: { outside: {} } })] }), 404, 200],
      [aQuotingShop({ branches: [aQuotingBranch({ tables: [] })] }), 200, 404],
      [aQuotingShop({ branches: [aQuotingBranch({ active: false })] }), 404, 404],
      [aQuotingShop({ active: false }), 404, 404],
    ];
    for (const [file, branch, table] of gone) {
      expect([await statusAt(), await statusAt(atTable())]).toEqual([200, 200]);
      await importQuietly(file);
      expect([await statusAt(), await statusAt(atTable())]).toEqual([branch, table]);
      await importQuietly(aQuotingShop());
    }
    expect([await statusAt(), await statusAt(atTable())]).toEqual([200, 200]);
  });

  test('includes a change committed by another process', async () => {
    const other = await makeWorld({ database: world.database });
    try {
      expect(await total()).toBe(4500);
      await openShops(other, withCoffee({ price: 7700 }));
      expect(await total()).toBe(7700);
    } finally {
      await other.close();
    }
  });
});

test('a quote reads counted stock from the database, also without an entry in the change log', async () => {
  await importQuietly(withCoffee({ availability: [{ branch: 'zamalek', stock: 5 }] }));
  const quoteFor = (quantity: number) => post(world, atBranch(), { items: [line('turkish', { quantity })] });
  expect((await quoteFor(5)).status).toBe(200);
  await world.db.kysely
    .updateTable('availability')
    .set({ stock: 2 })
    .where('org_id', '=', shopId())
    .where('subject_id', '=', item('turkish'))
    .execute();
  expect((await quoteFor(2)).status).toBe(200);
  expect(await quoteFor(3)).toMatchObject({ status: 409, body: { vars: { available: 2 } } });
});

describe('changes by the clock', () => {
  const soldAt = async (moment: string): Promise<boolean> => {
    world.now = Date.parse(moment);
    return (await codeOf()) === null;
  };

  test('a sale window opens and closes to the millisecond', async () => {
    await importQuietly(withCoffee({ windows: [{ from: '21:00', to: '22:00' }] }));
    for (const [moment, isSold] of [
      ['2026-11-20T18:59:59.999Z', false],
      ['2026-11-20T19:00:00.000Z', true],
      ['2026-11-20T19:59:59.999Z', true],
      ['2026-11-20T20:00:00.000Z', false],
      // The clock is set back.
      ['2026-11-20T19:30:00.000Z', true],
    ] as const)
      expect([moment, await soldAt(moment)]).toEqual([moment, isSold]);
  });

  test('a snooze ends to the millisecond', async () => {
    await importQuietly(
      withCoffee({ availability: [{ branch: 'zamalek', sold_out_until: '2026-11-20T19:00:00Z' }] }),
    );
    expect(await soldAt('2026-11-20T18:59:59.999Z')).toBe(false);
    expect(await soldAt('2026-11-20T19:00:00.000Z')).toBe(true);
  });

  test('a discount begins at the branch’s midnight', async () => {
    const discounts = [
      { name: 'خصم', percent: 10, valid_from: '2026-11-21', on: [{ channel: 'pickup' as const }] },
    ];
    await importQuietly(aQuotingShop({ menu: aQuotingMenu({ discounts }) }));
    world.now = Date.parse('2026-11-20T21:59:59.999Z');
    expect(await total()).toBe(4500);
    world.now += 1;
    expect(await total()).toBe(4050);
  });
});

describe('concurrent quotes', () => {
  test('have the old or the new price during a change, and only the new price after it', async () => {
    for (let price = 4600; price <= 5200; price += 100) {
      const meanwhile = Promise.all(Array.from({ length: 8 }, () => total()));
      await importQuietly(withCoffee({ price }));
      const after = await Promise.all(Array.from({ length: 8 }, () => total()));
      expect(new Set(after)).toEqual(new Set([price]));
      for (const duringChange of await meanwhile) expect([price - 100, price]).toContain(duringChange);
    }
  });
});

/** A promise that the test resolves. */
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

describe('a price book', () => {
  /** Price books with a count of builds; `afterwards` runs after each read, before the book is used. */
  const counted = (most?: number, afterwards: (made: number) => Promise<void> = () => Promise.resolve()) => {
    const counter = { made: 0 };
    const { app } = world;
    const snapshot: typeof app.db.snapshot = async (work) => {
      const made = (counter.made += 1);
      try {
        return await app.db.snapshot(work);
      } finally {
        await afterwards(made);
      }
    };
    const books = createPriceBooks({ ...app, db: { ...app.db, snapshot } }, most);
    return { counter, books };
  };
  const priceIn = async (books: PriceBooks, channel: 'pickup' | 'outside' = 'pickup') => {
    const { book } = await books.saleOf(branchId(), channel, []);
    const entry = book.entries.get(item('turkish'));
    return entry?.price;
  };

  test('is built once per channel, however many quotes need it', async () => {
    const { counter, books } = counted();
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => priceIn(books))))).toEqual(
      new Set([4500]),
    );
    await priceIn(books);
    expect(counter.made).toBe(1);
    await priceIn(books, 'outside');
    expect(counter.made).toBe(2);
  });

  test('is reused after orders, bookings and changes at other branches and shops', async () => {
    const { counter, books } = counted();
    await priceIn(books);
    await publishOrderChange(world, await insertOrder(world));
    await insertBooking(world, {
      serviceDate: '2026-11-21',
      startsAt: '2026-11-21T18:00:00Z',
      endsAt: '2026-11-21T19:00:00Z',
      tables: [tableId('t1')],
    });
    const elsewhere = {
      scope: branchScope(tableId('t1')),
      type: 'table',
      id: shopId(),
      op: 'upsert',
    } as const;
    await world.db.tx((tx) => recordChanges(tx, shopId(), [elsewhere], world.now));
    await openShops(world, aQuotingShop({ slug: 'kashk' }));
    await priceIn(books);
    expect(counter.made).toBe(1);
    await importQuietly(aQuotingShop({ branches: [aQuotingBranch({ tables: [aTable('t2', 2)] })] }));
    await priceIn(books);
    expect(counter.made).toBe(2);
  });

  test('read before a change is not used after it, not even by quotes that waited for it', async () => {
    const [read, changed] = [gate(), gate()];
    const { books } = counted(undefined, async (made) => {
      if (made > 1) return;
      read.open();
      await changed.opened;
    });
    const early = priceIn(books);
    await read.opened;
    await importQuietly(withCoffee({ price: 9900 }));
    const late = priceIn(books);
    changed.open();
    expect([await early, await late]).toEqual([9900, 9900]);
  });

  test('refused before a change is built for a quote that arrives after the change', async () => {
    await importQuietly(aQuotingShop({ branches: [aQuotingBranch({ channels: { outside: {} } })] }));
    const [read, changed] = [gate(), gate()];
    const { books } = counted(undefined, async (made) => {
      if (made > 1) return;
      read.open();
      await changed.opened;
    });
    const early = priceIn(books).catch((thrown: unknown) => thrown);
    await read.opened;
    await importQuietly(aQuotingShop());
    const late = priceIn(books);
    changed.open();
    expect(await early).toMatchObject({ refusal: 'CHANNEL_NOT_OFFERED' });
    expect(await late).toBe(4500);
  });

  test('refused while quotes wait is read once more for all of them, not once for each', async () => {
    await importQuietly(aQuotingShop({ branches: [aQuotingBranch({ channels: { outside: {} } })] }));
    const [read, waiting] = [gate(), gate()];
    const { counter, books } = counted(undefined, async (made) => {
      if (made > 1) return;
      read.open();
      await waiting.opened;
    });
    const refusal = () => priceIn(books).catch((thrown: unknown) => thrown);
    const early = refusal();
    await read.opened;
    const late = Array.from({ length: 20 }, refusal);
    waiting.open();
    for (const refused of await Promise.all([early, ...late]))
      expect(refused).toMatchObject({ refusal: 'CHANNEL_NOT_OFFERED' });
    expect(counter.made).toBe(2);
  });

  test('is evicted when the cache is full, and built again', async () => {
    const { counter, books } = counted(1);
    for (const channel of ['pickup', 'outside', 'pickup', 'pickup'] as const)
      expect(await priceIn(books, channel)).toBe(4500);
    expect(counter.made).toBe(3);
  });

  test('is refused with UNAVAILABLE when every read is followed by another change', async () => {
    const { books } = counted(undefined, async (made) => {
      await importQuietly(withCoffee({ price: 4500 + made }));
    });
    await expect(priceIn(books)).rejects.toMatchObject({ refusal: 'UNAVAILABLE' });
  });
});

describe('a quote without the database', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let cable: DatabaseLine;
  let alone: World;

  beforeEach(async () => {
    database = await freshDatabase();
    cable = await openProxy(database.connection);
    alone = await makeWorld({ database, connection: cable.connection });
    await openShops(alone, aQuotingShop());
  });
  afterEach(async () => {
    cable.restore();
    await alone.close();
    await cable.close();
    await database.release();
  });

  test('answers 503 with Retry-After while the database is unreachable, then 200 again', async () => {
    const status = async (): Promise<number> => (await post(alone, atBranch(), { items: coffee })).status;
    expect(await status()).toBe(200);
    cable.cut();
    const { status: without, headers } = await post(alone, atBranch(), { items: coffee });
    expect([without, Number(headers['retry-after']) > 0]).toEqual([503, true]);
    cable.restore();
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
  });
});
