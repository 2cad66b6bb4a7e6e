/**
 * Generated cafés with overlapping deals, and carts; deterministic by seed.
 *
 * Items are in five or six categories. Prices are multiples of 5 EGP from 20 to 120; a third of the items have two or
 * three sizes, 10 or 15 EGP apart. Two fifths of the deals pool one or two categories, the others a list of items.
 * Each pool takes the items in the fewest deals so far, until every item is in as many deals as the mix says, ± 1:
 * - "a café's deals": six categories, each item in three deals (two to four; with twenty deals at times five);
 * - "heavy overlap": five categories, each item in half of all deals.
 *
 * Half of the deals are "n for one price", 10–30 % below the average price; the others "buy n, get one or two free or
 * at half price", every second of those with a separate reward category. Every fourth deal is capped at one to three
 * applications.
 */
import { seededDice, shuffled, type Dice } from '../../src/pricing/domain/deals/arbitraries.test-support.ts';
import type { DealUnits } from '../../src/pricing/domain/deals/types.ts';
import { aDeal } from '../../src/menu/domain/menu.test-support.ts';
import type { Deal, DealPoolEntry, DealTerms } from '../../src/menu/domain/menubook.ts';
import type { Piastres } from '../../src/kernel/money.ts';

export interface Mix {
  readonly name: string;
  readonly categories: number;
  /** The number of deals that contain an item, out of `deals`. */
  readonly dealsOfItem: (deals: number) => number;
}

export const USUAL: Mix = { name: 'a café’s deals', categories: 6, dealsOfItem: () => 3 };
export const HEAVY: Mix = { name: 'heavy overlap', categories: 5, dealsOfItem: (deals) => deals / 2 };

export interface CafeSize {
  readonly items: number;
  readonly deals: number;
}

export interface CafeItem {
  readonly id: string;
  readonly category: string;
  /** One size without a label, or several. */
  readonly sizes: readonly { readonly label: string; readonly price: Piastres }[];
}

/** Pools name items and categories by key. */
export interface Cafe {
  readonly items: readonly CafeItem[];
  readonly deals: readonly Deal[];
}

export type CafeLine = DealUnits & { readonly categoryId: string };

const FIVE_POUNDS = 500;
const LABELS = ['Small', 'Medium', 'Large'];
const CATEGORY_DEALS = 0.4;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const oneOf = <T>(dice: Dice, things: readonly T[]): T => {
  const thing = things[dice(things.length)];
  if (thing === undefined) throw new RangeError('There is nothing to pick from.');
  return thing;
};

const itemBy = (dice: Dice, index: number, categories: number): CafeItem => {
  const price = FIVE_POUNDS * (4 + dice(21));
  const step = FIVE_POUNDS * (2 + dice(2));
  const sizes = dice(3) === 0 ? LABELS.slice(0, 2 + dice(2)) : [''];
  return {
    id: `item-${String(index).padStart(3, '0')}`,
    category: `category-${index % categories}`,
    sizes: sizes.map((label, size) => ({ label, price: price + size * step })),
  };
};

/** Builds pools so that every item is in about the same number of deals. */
class Pools {
  private readonly dice: Dice;
  private readonly items: readonly CafeItem[];
  private readonly uses: Map<string, number>;

  constructor(dice: Dice, items: readonly CafeItem[]) {
    this.dice = dice;
    this.items = items;
    this.uses = new Map(items.map(({ id }) => [id, 0]));
  }

  /** The sum over all items of the deals that contain them. */
  get used(): number {
    return [...this.uses.values()].reduce((sum, uses) => sum + uses, 0);
  }

  categories(count: number): readonly DealPoolEntry[] {
    const ids = [...new Set(this.items.map(({ category }) => category))];
    const usesOf = (id: string): number => {
      const inside = this.items.filter(({ category }) => category === id);
      return inside.reduce((sum, item) => sum + (this.uses.get(item.id) ?? 0), 0) / inside.length;
    };
    const entries = this.leastUsed(ids, usesOf, count).map((categoryId) => ({
      categoryId,
      menuItemId: null,
      sizeLabel: null,
    }));
    this.use(entries);
    return entries;
  }

  list(count: number): readonly DealPoolEntry[] {
    const ids = this.items.map(({ id }) => id);
    const entries = this.leastUsed(ids, (id) => this.uses.get(id) ?? 0, count).map((menuItemId) => ({
      categoryId: null,
      menuItemId,
      sizeLabel: null,
    }));
    this.use(entries);
    return entries;
  }

  private leastUsed(ids: readonly string[], usesOf: (id: string) => number, count: number): string[] {
    return [...shuffled(ids, this.dice)].sort((a, b) => usesOf(a) - usesOf(b)).slice(0, count);
  }

  private use(entries: readonly DealPoolEntry[]): void {
    for (const { id, category } of this.items)
      if (entries.some(({ categoryId, menuItemId }) => categoryId === category || menuItemId === id))
        this.uses.set(id, (this.uses.get(id) ?? 0) + 1);
  }
}

/** The average price of a unit of the pool. */
const usualPrice = (items: readonly CafeItem[], pool: readonly DealPoolEntry[]): Piastres => {
  const prices = items
    .filter(({ id, category }) =>
      pool.some(({ categoryId, menuItemId }) => categoryId === category || menuItemId === id),
    )
    .flatMap(({ sizes }) => sizes.map(({ price }) => price));
  return prices.reduce((sum, price) => sum + price, 0) / prices.length;
};

const bundleBy = (dice: Dice, usual: Piastres): { qty: number; terms: DealTerms } => {
  const qty = oneOf(dice, [2, 3, 3, 4]);
  const price = (usual * qty * (70 + dice(21))) / 100;
  return {
    qty,
    terms: { kind: 'n_for_price', price: FIVE_POUNDS * Math.max(1, Math.round(price / FIVE_POUNDS)) },
  };
};

const rewardBy = (dice: Dice): { qty: number; terms: DealTerms } => ({
  qty: 1 + dice(3),
  terms: { kind: 'buy_get', getQty: oneOf(dice, [1, 1, 1, 2]), getPercent: oneOf(dice, [100, 50]) },
});

const dealsBy = (
  dice: Dice,
  items: readonly CafeItem[],
  { dealsOfItem }: Mix,
  count: number,
): readonly Deal[] => {
  const pools = new Pools(dice, items);
  const ofCategories = Math.round(CATEGORY_DEALS * count);
  const wide = dealsOfItem(count) > 4;
  return range(count).map((index) => {
    const isBundle = index % 2 === 0;
    const rewardPool = index % 4 === 3 ? pools.categories(1) : [];
    // Spread the remaining places evenly over the remaining lists.
    const length = Math.round((items.length * dealsOfItem(count) - pools.used) / (count - index));
    const pool =
      index < ofCategories
        ? pools.categories(wide || dice(3) === 0 ? 2 : 1)
        : pools.list(Math.max(2, Math.min(items.length, length)));
    return aDeal(`deal-${String(index).padStart(2, '0')}`, {
      ...(isBundle ? bundleBy(dice, usualPrice(items, pool)) : rewardBy(dice)),
      pool,
      rewardPool,
      maxPerOrder: dice(4) === 0 ? 1 + dice(3) : null,
      sort: index,
    });
  });
};

export const cafeBy = (seed: number, mix: Mix, size: CafeSize): Cafe => {
  const dice = seededDice(seed);
  const items = range(size.items).map((index) => itemBy(dice, index, mix.categories));
  return { items, deals: dealsBy(dice, items, mix, size.deals) };
};

const kindsOf = ({ items }: Cafe): readonly Omit<CafeLine, 'line' | 'quantity'>[] =>
  items.flatMap(({ id: itemId, category: categoryId, sizes }) =>
    sizes.map(({ label: sizeLabel, price }, sizeOrder) => ({
      itemId,
      categoryId,
      sizeLabel,
      sizeOrder,
      price,
    })),
  );

/** One line of a random item per quantity. */
export const linesBy = (seed: number, cafe: Cafe, quantities: readonly number[]): readonly CafeLine[] => {
  const dice = seededDice(seed);
  const kinds = kindsOf(cafe);
  return quantities.map((quantity, line) => ({ ...oneOf(dice, kinds), line, quantity }));
};

/** Lines of one to four units, `units` in total. */
export const cartBy = (seed: number, cafe: Cafe, units: number): readonly CafeLine[] => {
  const dice = seededDice(seed);
  const quantities: number[] = [];
  for (let left = units; left > 0; left -= quantities.at(-1) ?? left)
    quantities.push(Math.min(left, 1 + dice(4)));
  return linesBy(seed + 1, cafe, quantities);
};

/** A maximum cart, with distinct items while there are enough. */
export const fullestCart = (cafe: Cafe, lines: number, quantity: number): readonly CafeLine[] => {
  const kinds = kindsOf(cafe);
  return range(lines).flatMap((line) => {
    const kind = kinds[line % kinds.length];
    return kind === undefined ? [] : [{ ...kind, line, quantity }];
  });
};
