/** A device prices carts with its rows as the server does (Decisions 7, 13): in this process, and bundled in a browser. */
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import fc from 'fast-check';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TillQuotes, type TillRows } from '../../src/client/till/quote.ts';
import type { BodyOf } from '../../src/platform/contract/endpoint.ts';
import type { QuoteResult } from '../../src/pricing/domain/quote.ts';
import { DEMO_PASSWORD, type DemoContents } from '../../src/service/app/demo.ts';
import type { EndpointOf } from '../../src/service/contract/endpoints.ts';
import { launchBrowser, type Browser } from '../support/browser/launch.ts';
import { bearer, deviceAt, type SignedIn } from '../support/people/staff.ts';
import { done, post, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { freshReplica, type Replica } from '../support/sync/replica.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Till {
  readonly branchId: string;
  readonly owner: SignedIn;
  readonly rows: TillRows;
}

let world: World;
let tills: readonly Till[];
let browser: Browser;
beforeAll(async () => {
  const { world: made, demo } = await makeDemo({ limitScale: 100_000 });
  world = made;
  tills = [];
  for (const shop of demo.shops) tills = [...tills, ...(await tillsOf(shop))];
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** Rows of the feed are checked against their schemas by the replica. */
const rowsIn = (replica: Replica): TillRows => {
  const [branch_settings] = replica.of('branch_settings');
  const types = ['category', 'addon', 'modifier_group', 'menu_item', 'deal'] as const;
  const rows = Object.fromEntries(types.map((type) => [type, replica.of(type)]));
  return { ...rows, branch_settings } as unknown as TillRows;
};

/** One for each branch of a demo shop. */
const tillsOf = async ({ slug, branches }: DemoContents['shops'][number]): Promise<readonly Till[]> => {
  const signIn = { email: `owner@${slug}.example`, password: DEMO_PASSWORD };
  const owner = bearer(done('staffSignIn', await post(world, '/staff/sign-in', signIn)).token);
  const made: Till[] = [];
  for (const { id: branchId } of branches) {
    const { device } = await deviceAt(world, owner, branchId);
    made.push({ branchId, owner, rows: rowsIn(await freshReplica(world, { branchId, device })) });
  }
  return made;
};

// ── Carts ───────────────────────────────────────────────────────────────────────────────────────

type Item = TillRows['menu_item'][number];
type Cart = (BodyOf<EndpointOf<'quoteCounterSale'>>['items'][number] & { menu_item_id: string })[];

const quantity = fc.integer({ min: 1, max: 4 });

const comboLine = (item: Extract<Item, { kind: 'combo' }>): fc.Arbitrary<Cart[number]> => {
  const picks = item.slots.map((slot) =>
    fc.record({
      slot_id: fc.constant(slot.id),
      menu_item_id: fc.constantFrom(...slot.choices.map((choice) => choice.menu_item_id)),
      quantity: fc.constant(Math.max(1, slot.min)),
    }),
  );
  const combo = fc.tuple(...picks).map((picked) => ({ picks: picked }));
  return fc.record({ menu_item_id: fc.constant(item.id), quantity, combo });
};

/** Of each group that needs an option as many as it needs; now and then something that the item does not take. */
const plainLine = (
  item: Extract<Item, { kind: 'item' }>,
  { modifier_group: groups, addon }: TillRows,
): fc.Arbitrary<Cart[number]> => {
  const own = groups.filter(({ id }) => item.modifier_group_ids.includes(id));
  const needed = own.map(({ addon_ids: ids, is_required: isRequired, min_selections: min }) =>
    fc
      .shuffledSubarray(ids, { minLength: 0 })
      .map((some) => some.slice(0, isRequired ? Math.max(1, min) : min)),
  );
  const odd = fc.constantFrom(...addon.map(({ id }) => id)).map((id) => [id]);
  const extra = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: odd });
  const sizes = item.sizes.length === 0 ? [null] : item.sizes.map(({ label }) => label);
  return fc.constantFrom(...sizes).chain((size) =>
    fc.record({
      ...{ menu_item_id: fc.constant(item.id), quantity, size_label: fc.constant(size) },
      optional_field_ids: fc.subarray(
        item.optionals
          .filter(({ size_label: label }) => label === null || label === size)
          .map(({ id }) => id),
      ),
      addons: fc
        .tuple(extra, ...needed)
        .map((chosen) => chosen.flat().map((id) => ({ addon_item_id: id, quantity: 1 }))),
    }),
  );
};

const lineOf = (item: Item, rows: TillRows): fc.Arbitrary<Cart[number]> =>
  item.kind === 'combo' ? comboLine(item) : plainLine(item, rows);

const cartAt = ({ rows }: Till): fc.Arbitrary<Cart> =>
  fc.array(
    fc.constantFrom(...rows.menu_item).chain((item) => lineOf(item, rows)),
    { minLength: 1, maxLength: 8 },
  );

const tillAndCart = (): fc.Arbitrary<readonly [Till, Cart]> =>
  fc.constantFrom(...tills).chain((till) => cartAt(till).map((cart) => [till, cart] as const));

/** What a till shows, or why not: the faulty places. */
interface Shown {
  readonly total?: number;
  readonly tax?: number;
  readonly lines?: readonly (readonly number[])[];
  readonly deals?: readonly (readonly [string, number, number])[];
  readonly faults?: readonly string[];
}

const fromServer = async ({ branchId, owner }: Till, items: Cart): Promise<Shown> => {
  const reply = await post(world, '/staff/cart-quote', { branch_id: branchId, items }, owner);
  if (reply.status !== 200) {
    const { fields = [], faults = [], error } = refusalOf(reply);
    const paths = [...fields, ...faults].map(({ path }) => path);
    return { faults: [...new Set(paths.length > 0 ? paths : [error])].sort() };
  }
  const quote = done('quoteCounterSale', reply);
  return {
    ...{ total: quote.total, tax: quote.tax_amount },
    lines: quote.lines.map((line) => [
      line.unit_price,
      line.addons_total,
      line.line_total,
      line.deal_discount,
    ]),
    deals: quote.deals.map((deal) => [deal.deal_rule_id, deal.times, deal.discount]),
  };
};

/** Runs in this process and in the browser. */
const fromDevice = (result: QuoteResult): Shown =>
  'faults' in result
    ? { faults: [...new Set(result.faults.map(({ path }) => path))].sort() }
    : {
        ...{ total: result.quote.bill.total, tax: result.quote.bill.tax },
        lines: result.quote.lines.map((line) => [
          ...[line.unitPrice, line.addonsTotal, line.lineTotal, line.dealDiscount],
        ]),
        deals: result.quote.deals.applied.map(({ deal, times, discount }) => [deal.id, times, discount]),
      };

// ── Tests ───────────────────────────────────────────────────────────────────────────────────────

test('any cart of a demo branch costs the same on the device, or has the same faults', async () => {
  const quotes = new Map(tills.map((till) => [till, new TillQuotes(till.rows)]));
  let priced = 0;
  await fc.assert(
    fc.asyncProperty(tillAndCart(), async ([till, cart]) => {
      const shown = fromDevice(quotes.get(till)?.quote(cart, world.now) ?? { faults: [] });
      expect(shown).toEqual(await fromServer(till, cart));
      if (shown.total !== undefined) priced += 1;
    }),
    { numRuns: 300 },
  );
  expect(priced).toBeGreaterThan(100);
});

describe('bundled for a browser', () => {
  let code: string;
  beforeAll(async () => {
    const built = await build({
      ...{ configFile: false, logLevel: 'silent', root: ROOT },
      build: {
        ...{ write: false, minify: true },
        lib: { entry: join(ROOT, 'src/client/till/quote.ts'), formats: ['iife'], name: 'Till' },
      },
    });
    if (!Array.isArray(built)) throw new Error('A library is built once for each of its formats.');
    code = built
      .flatMap(({ output }) => output.flatMap((part) => ('code' in part ? [part.code] : [])))
      .join('');
  });

  test('the pricing of a till weighs less than 60 KB, compressed', () => {
    expect(gzipSync(code).length).toBeGreaterThan(10 * 1024);
    expect(gzipSync(code).length).toBeLessThan(60 * 1024);
  });

  test('it prices carts of the demo shops as the server does', async () => {
    const carts = fc.sample(tillAndCart(), 60);
    const page = await browser.newPage();
    await page.addScriptTag({ content: code });
    await page.addScriptTag({ content: `globalThis.shown = ${fromDevice.toString()}` });
    for (const [till, cart] of carts) {
      const shown = await page.evaluate(
        ({ rows, items, now }) => {
          const { Till, shown } = globalThis as unknown as {
            readonly Till: { readonly TillQuotes: typeof TillQuotes };
            readonly shown: (result: QuoteResult) => Shown;
          };
          return shown(new Till.TillQuotes(rows).quote(items, now));
        },
        { rows: till.rows, items: cart, now: world.now },
      );
      expect(shown).toEqual(await fromServer(till, cart));
    }
    await page.close();
  });
});
