/** Items of a menu that count in a deal and need no options; computed once per price book. */
import { priceCart, type CartLine, type PricedLine } from './cart.ts';
import type { DealUnits } from './deals/types.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import { YieldBudget } from '../../kernel/yield-budget.ts';
import type { PriceBook } from './pricebook.ts';

/** One unit without options. */
export interface Addition {
  /** The unit as a priced cart line. */
  readonly line: PricedLine;
  readonly units: DealUnits;
}

/** Units of one price that count equally in the same deals: each gives the same saving. */
export interface EquivalentAdditions {
  readonly price: Piastres;
  /** In menu order. */
  readonly additions: readonly Addition[];
}

type Kind = Pick<DealUnits, 'itemId' | 'categoryId' | 'sizeLabel'>;

export interface Additions {
  /** Ascending by price. */
  readonly alike: readonly EquivalentAdditions[];
  /** The deals in which a unit counts, as paid or as reward. */
  readonly dealsOf: (kind: Kind) => readonly Deal[];
}

/** Elementary operations to price one unit, and to index one pool entry. */
const WORK_TO_PRICE = 500;
const WORK_PER_MENTION = 10;

const oneOf = (menuItemId: Uuid, sizeLabel: string | null): CartLine => ({
  menuItemId,
  quantity: 1,
  sizeLabel,
  notes: null,
  optionalFieldIds: [],
  addons: [],
  combo: null,
});

/** One entry of a pool or reward pool. */
interface Mention {
  /** 2 × the deal's index, + 1 for its reward pool. */
  readonly part: number;
  readonly sizeLabel: string | null;
}

/** The deals of a unit; units with the same name count equally in all of them. */
interface Role {
  readonly name: string;
  readonly deals: readonly Deal[];
}

/** An index of all pools by item and category. */
class Mentions {
  readonly #deals: readonly Deal[];
  readonly #byItem = new Map<Uuid, Mention[]>();
  readonly #byCategory = new Map<Uuid, Mention[]>();
  /** Roles of units that pools name only by category, by category and size. */
  readonly #byCategoryAndSize = new Map<string, Role>();

  constructor(deals: readonly Deal[]) {
    this.#deals = deals;
  }

  *gather(pace: YieldBudget): Generator<void> {
    for (const [index, { pool, rewardPool }] of this.#deals.entries())
      for (const [rewards, entries] of [pool, rewardPool].entries())
        for (const { categoryId, menuItemId, sizeLabel } of entries) {
          const mention = { part: 2 * index + rewards, sizeLabel };
          if (categoryId === null) Mentions.#add(this.#byItem, menuItemId, mention);
          else Mentions.#add(this.#byCategory, categoryId, mention);
          if (pace.isSpentAfter(WORK_PER_MENTION)) yield;
        }
  }

  roleOf({ itemId, categoryId, sizeLabel }: Kind): Role {
    const own = this.#byItem.get(itemId);
    const ofCategory = categoryId === null ? [] : (this.#byCategory.get(categoryId) ?? []);
    if (own !== undefined) return this.#role([...own, ...ofCategory], sizeLabel);
    const name = JSON.stringify([categoryId, sizeLabel]);
    const role = this.#byCategoryAndSize.get(name) ?? this.#role(ofCategory, sizeLabel);
    this.#byCategoryAndSize.set(name, role);
    return role;
  }

  #role(mentions: readonly Mention[], sizeLabel: string): Role {
    const relevant = mentions.filter(
      (mention) => mention.sizeLabel === null || mention.sizeLabel === sizeLabel,
    );
    const parts = [...new Set(relevant.map(({ part }) => part))].sort((a, b) => a - b);
    const dealIndices = new Set(parts.map((part) => Math.floor(part / 2)));
    return { name: parts.join(' '), deals: [...dealIndices].flatMap((index) => this.#deals[index] ?? []) };
  }

  static #add(mentions: Map<Uuid, Mention[]>, id: Uuid, mention: Mention): void {
    const others = mentions.get(id);
    if (others === undefined) mentions.set(id, [mention]);
    else others.push(mention);
  }
}

/** Null when the item requires a choice of add-ons. */
const additionOf = (book: PriceBook, itemId: Uuid, label: string | null): Addition | null => {
  const cart = priceCart(book, [oneOf(itemId, label)], new Map());
  const [line] = 'lines' in cart ? cart.lines : [];
  const units = line?.dealUnits ?? null;
  return line === undefined || units === null ? null : { line, units };
};

function* findIn(book: PriceBook): Generator<void, Additions> {
  const { deals, entries } = book.menu;
  const pace = new YieldBudget();
  const mentions = new Mentions(deals);
  yield* mentions.gather(pace);
  const found = new Map<string, EquivalentAdditions & { readonly additions: Addition[] }>();
  for (const entry of entries) {
    if (entry.kind !== 'item') continue;
    for (const label of entry.sizes.length === 0 ? [null] : entry.sizes.map((size) => size.label)) {
      const kind = { itemId: entry.item.id, categoryId: entry.categoryId, sizeLabel: label ?? '' };
      const role = mentions.roleOf(kind);
      const addition = role.deals.length === 0 ? null : additionOf(book, entry.item.id, label);
      if (addition !== null) {
        const price = addition.line.lineTotal;
        const name = `${price}: ${role.name}`;
        const alike = found.get(name);
        if (alike === undefined) found.set(name, { price, additions: [addition] });
        else alike.additions.push(addition);
      }
      if (pace.isSpentAfter(WORK_TO_PRICE + WORK_PER_MENTION * role.deals.length)) yield;
    }
  }
  return {
    alike: [...found.values()].sort((a, b) => a.price - b.price),
    dealsOf: (kind) => mentions.roleOf(kind).deals,
  };
}

const computed = new WeakMap<PriceBook, Additions>();

/** The possible additions to any cart of the book, regardless of stock and of the cart. */
export function* additionsIn(book: PriceBook): Generator<void, Additions> {
  const before = computed.get(book);
  if (before !== undefined) return before;
  const additions = yield* findIn(book);
  computed.set(book, additions);
  return additions;
}
