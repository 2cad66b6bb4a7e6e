/**
 * Sales that devices made without the server (Decisions 13): priced at the moment of the sale, on the menu as it is stored
 * now.
 */
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { loadMenuBook, loadPastMenu } from '../../menu/app/shared.ts';
import { withoutSoldOut, type MenuBook } from '../../menu/domain/menubook.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchInAnyState } from '../../shops/app/shared.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import type { BillTerms } from '../domain/bill.ts';
import type { CartLine } from '../domain/cart.ts';
import { holdsAt, priceBookOf, type PriceBook } from '../domain/pricebook.ts';
import {
  askedLines,
  isBeyondInt32,
  recordedCart,
  unlistedIn,
  type KnownPrices,
  type RecordedCart,
  type RecordedItemInput,
} from '../domain/recorded-cart.ts';
import { loadSaleState } from '../store/quote.ts';
import { countableIn } from './cart-input.ts';
import { salePointOf, termsOf } from './pricebooks.ts';

type Tx = Kysely<Database>;

interface SaleOfDevice {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  /** When it happened. */
  readonly at: Instant;
  readonly items: readonly RecordedItemInput[];
}

export interface RecordedSale {
  /** In any state; its settings are those of now. */
  readonly branch: Branch;
  /** With the service charge of a table, without a delivery fee. */
  readonly terms: BillTerms;
  /** At the tills of the branch, at the moment of the sale. Nothing in it is sold out. */
  readonly book: PriceBook;
  readonly cart: RecordedCart;
  /** Counted units left now, by id; uncounted things are absent. */
  readonly stock: ReadonlyMap<Uuid, number>;
}

export interface RecordedSales {
  /**
   * Reads in the transaction of the caller, which may have changed stock, but no menu. Refuses with NOT_FOUND a branch
   * that is none of the shop.
   */
  saleAt(tx: Tx, sale: SaleOfDevice): Promise<RecordedSale>;
}

const TOO_DEAR = {
  path: 'data.items',
  problem: `come to more than ${HIGHEST_TOTAL} piastres`,
  arabic: 'تتجاوز أكبر مبلغ ممكن',
} as const;

/** `total`: what the bill comes to. Throws INVALID_INPUT. */
export const refuseDearSale = ({ cart }: Pick<RecordedSale, 'cart'>, total: Piastres = 0): void => {
  if (isBeyondInt32(cart) || total > HIGHEST_TOTAL) throw invalidInput(TOO_DEAR);
};

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────

/** Items and add-ons of all cached menus and books together. */
const MAX_CACHED_ENTRIES = 60_000;

/**
 * Sales of three devices in turn, each two hours behind the other, 1,002 in twelve hours with an edge of a sale window
 * every half hour: 59 books are built with 4, 840 with 2, 55 with 8.
 */
const BOOKS_PER_BRANCH = 4;

/** Sales that come latest first, with the same edges: 48 books are built instead of 1,002, one for each sale. */
const QUARTER_MS = 15 * 60 * 1_000;

/** From the quarter hour before, where nothing has changed since; edges of sale windows are at quarters of hours. */
const bookAround = (menu: MenuBook, point: SalePoint, at: Instant): PriceBook => {
  const book = priceBookOf(menu, point, at - (at % QUARTER_MS));
  return holdsAt(book, at) ? book : priceBookOf(menu, point, at);
};

/** The menu of a branch with its books of several moments. */
class BranchMenu {
  readonly #menu: MenuBook;
  readonly branch: Branch;
  /** The newest change that the menu has for certain. */
  readonly version: number;
  /** Most recently used first. */
  #books: readonly PriceBook[] = [];

  constructor(menu: MenuBook, branch: Branch, version: number) {
    this.#menu = withoutSoldOut(menu);
    this.branch = branch;
    this.version = version;
  }

  get size(): number {
    return Math.max(1, this.#menu.items.length + this.#menu.addons.length) * (1 + BOOKS_PER_BRANCH);
  }

  bookAt(at: Instant): PriceBook {
    const book =
      this.#books.find((one) => holdsAt(one, at)) ??
      bookAround(this.#menu, salePointOf(this.branch, 'till'), at);
    this.#books = [book, ...this.#books.filter((one) => one !== book)].slice(0, BOOKS_PER_BRANCH);
    return book;
  }
}

/** The version is read before the menu: a change between the two makes the menu newer, and the next use loads it again. */
const loadMenu = async (tx: Tx, orgId: Uuid, branchId: Uuid, version: number): Promise<BranchMenu> => {
  const branch = await branchInAnyState(tx, orgId, branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  return new BranchMenu(await loadMenuBook(tx, orgId, branchId), branch, version);
};

// ── Sale ────────────────────────────────────────────────────────────────────────────────────────

/** With the defaults whose prices a swap was the difference to. */
const pricedIn = (asked: readonly CartLine[], { items }: PriceBook): readonly Uuid[] => {
  const ids = countableIn(asked);
  const defaults = ids.flatMap((id) => {
    const item = items.get(id);
    return item?.kind === 'item' ? [item.defaults.milk_type ?? [], item.defaults.coffee_type ?? []] : [];
  });
  return [...ids, ...defaults.flat()];
};

interface Past {
  readonly archived: ReadonlyMap<Uuid, Named>;
  readonly known: KnownPrices;
}

const pastOf = async (tx: Tx, branch: Branch, asked: readonly CartLine[], book: PriceBook): Promise<Past> => {
  const ids = { subjects: pricedIn(asked, book), unlisted: unlistedIn(asked, book) };
  const { names, prices } = await loadPastMenu(tx, branch.orgId, branch.id, ids);
  return {
    archived: new Map(names.map((one) => [one.id, one])),
    known: groupBy(prices, ({ subjectId }) => subjectId),
  };
};

export const createRecordedSales = (most = MAX_CACHED_ENTRIES): RecordedSales => {
  const menus = new LRUCache<Uuid, BranchMenu>({
    maxSize: most,
    // A menu larger than the whole cache is cached alone.
    sizeCalculation: ({ size }) => Math.min(size, most),
  });

  const menuOf = async (tx: Tx, orgId: Uuid, branchId: Uuid, version: number): Promise<BranchMenu> => {
    const cached = menus.get(branchId);
    if (cached?.version === version && cached.branch.orgId === orgId) return cached;
    const menu = await loadMenu(tx, orgId, branchId, version);
    menus.set(branchId, menu);
    return menu;
  };

  return {
    saleAt: async (tx, { orgId, branchId, at, items }) => {
      const asked = askedLines(items);
      const { version, stock } = await loadSaleState(tx, orgId, branchId, countableIn(asked));
      const menu = await menuOf(tx, orgId, branchId, version);
      const { branch } = menu;
      const book = menu.bookAt(at);
      const { archived, known } = await pastOf(tx, branch, asked, book);
      const cart = recordedCart(book, items, archived, known);
      return { branch, terms: termsOf(branch, 'dine_in'), book, cart, stock };
    },
  };
};
