/**
 * Price books cached per branch and channel; stock is read afresh. Every use compares the book's version with the
 * database, so a quote includes every change committed before its request.
 */
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { BillTerms } from '../domain/bill.ts';
import type { DeliveryTerms } from '../../delivery/domain/delivery.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { parseRate } from '../../kernel/money.ts';
import type { ProvenSolution, SolutionMemo } from '../domain/deals/memo.ts';
import { holdsAt, priceBookOf, type PriceBook } from '../domain/pricebook.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isOffered, type Branch, type Channel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { deliveryTermsOf } from '../../delivery/app/shared.ts';
import type { SalePoint } from '../../menu/domain/price.ts';
import { loadMenuBook } from '../../menu/app/shared.ts';
import { liveTables, loadSaleState, type SaleState } from '../store/quote.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { RequestCoalescer } from '../../platform/app/coalescing.ts';
import { LoadedCache } from '../../platform/app/loaded-cache.ts';

/** Where a branch sells: a channel, or its tills, which sell at dine-in prices what is on sale at a till. */
export type Outlet = Channel | 'till';

/** The price book of a branch at an outlet, and its terms. */
export interface Sale {
  readonly branch: Branch;
  readonly book: PriceBook;
  /** Without a delivery fee. */
  readonly terms: BillTerms;
  /** Null at a table and at a till. */
  readonly delivery: DeliveryTerms | null;
  /** The branch's tables for `dine_in`; else empty. */
  readonly tables: ReadonlySet<Uuid>;
}

/** A sale with the counted stock of the requested ids. */
export interface SaleNow extends Sale {
  readonly stock: ReadonlyMap<Uuid, number>;
}

export interface PriceBooks {
  /**
   * The current sale, with the stock of `ids`. Refuses with NOT_FOUND (an unknown or inactive branch, an inactive shop)
   * and CHANNEL_NOT_OFFERED. The channel need not be open.
   */
  saleOf(branchId: Uuid, outlet: Outlet, ids: readonly Uuid[]): Promise<SaleNow>;
  /**
   * As `saleOf`, but `loadState` is the caller's query, which may read more in the same statement. `state` is the
   * result that confirmed the sale's version.
   */
  saleWithState<T extends SaleState>(
    branchId: Uuid,
    outlet: Outlet,
    loadState: (branch: Branch) => Promise<T>,
  ): Promise<{ readonly sale: SaleNow; readonly state: T }>;
  /** The branch of a table in a cached book, or null. */
  branchOfTable(tableId: Uuid): Uuid | null;
}

/** Items, add-ons and tables of all cached books together; about 3 kB each. */
const MAX_CACHED_ENTRIES = 60_000;

/** Carts whose best deals are remembered, and the bytes of all: an everyday cart takes 2 kB, one of 100 lines 40 kB and more. */
const MAX_SOLUTIONS = { carts: 2_000, bytes: 16 * 2 ** 20 };

const bytesOf = ({ taken }: ProvenSolution, key: string): number =>
  taken.reduce((sum, { paid, rewarded }) => sum + 8 * (paid.length + rewarded.length), 2 * key.length);

/** A table has a service charge, online orders have none (Decisions 7.6). */
export const termsOf = (branch: Branch, channel: Channel): BillTerms => ({
  serviceRate: channel === 'dine_in' ? parseRate(branch.serviceChargeRate) : 0,
  serviceTaxable: branch.serviceChargeTaxable,
  fee: 0,
  feeTaxable: branch.deliveryFeeTaxable,
  taxRate: parseRate(branch.taxRate),
  taxInclusive: branch.taxInclusive,
});

interface CachedSale extends Sale {
  /** The newest change in the book (see `loadSaleState`). */
  readonly version: number;
}

const AT_A_TILL = { toggle: 'pos' } as const;

const channelOf = (outlet: Outlet): Channel => (outlet === 'till' ? 'dine_in' : outlet);

export const salePointOf = ({ id: branchId, zone }: Branch, outlet: Outlet): SalePoint => ({
  ...{ branchId, zone, channel: channelOf(outlet) },
  ...(outlet === 'till' ? AT_A_TILL : {}),
});

const load = async (
  tx: Kysely<Database>,
  memo: SolutionMemo,
  branchId: Uuid,
  outlet: Outlet,
  now: Instant,
): Promise<CachedSale> => {
  const channel = channelOf(outlet);
  const branch = await branchById(tx, branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  if (channel !== 'dine_in' && !isOffered(branch, channel))
    throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
  const { version } = await loadSaleState(tx, branch.orgId, branchId, []);
  const menu = await loadMenuBook(tx, branch.orgId, branchId);
  return {
    branch,
    book: priceBookOf(menu, salePointOf(branch, outlet), now, memo),
    terms: termsOf(branch, channel),
    delivery: channel === 'dine_in' ? null : await deliveryTermsOf(tx, branch.orgId, branchId, channel),
    tables: outlet === 'dine_in' ? await liveTables(tx, branch.orgId, branchId) : new Set(),
    version,
  };
};

const sizeOf = ({ book, tables }: CachedSale): number => book.items.size + book.addons.size + tables.size;

/** An LRU cache. */
class BookCache {
  readonly #branches = new Map<Uuid, Uuid>();
  readonly #sales: LRUCache<string, CachedSale>;

  constructor(most: number) {
    this.#sales = new LRUCache({
      maxSize: most,
      // A book larger than the whole cache is cached alone.
      sizeCalculation: (sale) => Math.min(Math.max(1, sizeOf(sale)), most),
      dispose: ({ tables }) => {
        for (const table of tables) this.#branches.delete(table);
      },
    });
  }

  get(key: string): CachedSale | undefined {
    return this.#sales.get(key);
  }

  branchOfTable(tableId: Uuid): Uuid | null {
    return this.#branches.get(tableId) ?? null;
  }

  set(key: string, sale: CachedSale): void {
    this.#sales.set(key, sale);
    for (const table of sale.tables) this.#branches.set(table, sale.branch.id);
  }

  delete(key: string): void {
    this.#sales.delete(key);
  }
}

export const createPriceBooks = (app: App, most = MAX_CACHED_ENTRIES): PriceBooks => {
  const cache = new BookCache(most);
  const memo = new LRUCache<string, ProvenSolution>({
    max: MAX_SOLUTIONS.carts,
    maxSize: MAX_SOLUTIONS.bytes,
    sizeCalculation: bytesOf,
  });
  const loaded = new LoadedCache(cache);
  const stateQueries = new RequestCoalescer<readonly Uuid[], SaleState>();

  /** Concurrent quotes at one branch share one query. */
  const stateOf = (orgId: Uuid, branchId: Uuid, ids: readonly Uuid[]): Promise<SaleState> =>
    stateQueries.request(branchId, ids, (all) =>
      loadSaleState(app.db.kysely, orgId, branchId, [...new Set(all.flat())]),
    );

  const saleWithState: PriceBooks['saleWithState'] = (branchId, outlet, loadState) =>
    loaded.use(
      `${branchId} ${outlet}`,
      () => app.db.snapshot((tx) => load(tx, memo, branchId, outlet, app.clock.now())),
      async (sale) => {
        const state = await loadState(sale.branch);
        const isCurrent = state.version === sale.version && holdsAt(sale.book, app.clock.now());
        return isCurrent ? { sale: { ...sale, stock: state.stock }, state } : null;
      },
    );

  return {
    branchOfTable: (tableId) => cache.branchOfTable(tableId),
    saleWithState,
    saleOf: async (branchId, outlet, ids) => {
      const { sale } = await saleWithState(branchId, outlet, ({ orgId }) => stateOf(orgId, branchId, ids));
      return sale;
    },
  };
};
