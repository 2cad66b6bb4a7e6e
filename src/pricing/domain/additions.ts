/** What a menu has that counts in some deal and can be ordered as it stands: found once for each price book. */
import { priceCart, type CartLine, type PricedLine } from './cart.ts';
import type { DealUnits } from './deals/types.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import type { Piastres } from '../../kernel/money.ts';
import { Pace } from '../../kernel/pace.ts';
import type { PriceBook } from './pricebook.ts';

/** One unit, as it comes. */
export interface Addition {
  /** It alone, as a cart. */
  readonly line: PricedLine;
  readonly units: DealUnits;
}

/** Units of one price that count in the same deals in the same way: whichever of them is added, the deals do the same. */
export interface Alike {
  readonly price: Piastres;
  /** In the menu's order. */
  readonly additions: readonly Addition[];
}

type Kind = Pick<DealUnits, 'itemId' | 'categoryId' | 'sizeLabel'>;

export interface Additions {
  /** The cheapest first. */
  readonly alike: readonly Alike[];
  /** The deals that a unit counts in, paid for or as the reward. */
  readonly dealsOf: (kind: Kind) => readonly Deal[];
}

/** Elementary operations that it takes to price one unit, and to note where a pool names something. */
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

/** Where the pool of a deal, or the pool of its rewards, names a thing. */
interface Mention {
  /** Twice the deal's place among the deals, and one more for its rewards. */
  readonly part: number;
  readonly sizeLabel: string | null;
}

/** What a unit is to the deals; units of one name are the same to all of them. */
interface Role {
  readonly name: string;
  readonly deals: readonly Deal[];
}

/** The pools of all deals by what they name: to know the role of a unit nobody goes through them. */
class Mentions {
  readonly #deals: readonly Deal[];
  readonly #byItem = new Map<Uuid, Mention[]>();
  readonly #byCategory = new Map<Uuid, Mention[]>();
  /** Of units that no pool names but by their category, by category and size. */
  readonly #usual = new Map<string, Role>();

  constructor(deals: readonly Deal[]) {
    this.#deals = deals;
  }

  *gather(pace: Pace): Generator<void> {
    for (const [place, { pool, rewardPool }] of this.#deals.entries())
      for (const [rewards, entries] of [pool, rewardPool].entries())
        for (const { categoryId, menuItemId, sizeLabel } of entries) {
          const mention = { part: 2 * place + rewards, sizeLabel };
          if (categoryId === null) Mentions.#note(this.#byItem, menuItemId, mention);
          else Mentions.#note(this.#byCategory, categoryId, mention);
          if (pace.isDueAfter(WORK_PER_MENTION)) yield;
        }
  }

  roleOf({ itemId, categoryId, sizeLabel }: Kind): Role {
    const own = this.#byItem.get(itemId);
    const ofCategory = categoryId === null ? [] : (this.#byCategory.get(categoryId) ?? []);
    if (own !== undefined) return this.#role([...own, ...ofCategory], sizeLabel);
    const name = JSON.stringify([categoryId, sizeLabel]);
    const usual = this.#usual.get(name) ?? this.#role(ofCategory, sizeLabel);
    this.#usual.set(name, usual);
    return usual;
  }

  #role(mentions: readonly Mention[], sizeLabel: string): Role {
    const meant = mentions.filter((mention) => mention.sizeLabel === null || mention.sizeLabel === sizeLabel);
    const parts = [...new Set(meant.map(({ part }) => part))].sort((a, b) => a - b);
    const places = new Set(parts.map((part) => Math.floor(part / 2)));
    return { name: parts.join(' '), deals: [...places].flatMap((place) => this.#deals[place] ?? []) };
  }

  static #note(mentions: Map<Uuid, Mention[]>, id: Uuid, mention: Mention): void {
    const others = mentions.get(id);
    if (others === undefined) mentions.set(id, [mention]);
    else others.push(mention);
  }
}

/** As it comes, where it can be ordered so; what wants a choice of add-ons cannot. */
const additionOf = (book: PriceBook, itemId: Uuid, label: string | null): Addition | null => {
  const cart = priceCart(book, [oneOf(itemId, label)], new Map());
  const [line] = 'lines' in cart ? cart.lines : [];
  const units = line?.dealUnits ?? null;
  return line === undefined || units === null ? null : { line, units };
};

function* findIn(book: PriceBook): Generator<void, Additions> {
  const { deals, entries } = book.menu;
  const pace = new Pace();
  const mentions = new Mentions(deals);
  yield* mentions.gather(pace);
  const found = new Map<string, Alike & { readonly additions: Addition[] }>();
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
      if (pace.isDueAfter(WORK_TO_PRICE + WORK_PER_MENTION * role.deals.length)) yield;
    }
  }
  return {
    alike: [...found.values()].sort((a, b) => a.price - b.price),
    dealsOf: (kind) => mentions.roleOf(kind).deals,
  };
}

const known = new WeakMap<PriceBook, Additions>();

/** What can be added to any cart of the book, as far as the cart and the counted stock allow. */
export function* additionsIn(book: PriceBook): Generator<void, Additions> {
  const before = known.get(book);
  if (before !== undefined) return before;
  const additions = yield* findIn(book);
  known.set(book, additions);
  return additions;
}
