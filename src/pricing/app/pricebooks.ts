/**
 * Price books kept in memory, one for each channel of a branch: what a quote needs but the stock. Every use asks the
 * database whether anything that concerns the book was changed since, so none is used that is older than a change
 * which was there before the request.
 */
import type { Kysely } from 'kysely';
import type { BillTerms } from '../domain/bill.ts';
import type { DeliveryTerms } from '../../delivery/domain/delivery.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { parseRate } from '../../kernel/money.ts';
import { priceBookOf, type PriceBook } from '../domain/pricebook.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isOffered, type Branch, type Channel } from '../../shops/domain/shop.ts';
import type { Instant } from '../../kernel/time.ts';
import { deliveryTermsOf } from '../../delivery/store/delivery.ts';
import { loadMenuBook } from '../../menu/store/menu.ts';
import { liveTables, saleStanding, type SaleStanding } from '../store/quote.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById } from '../../shops/store/shop.ts';
import type { App } from '../../platform/app/app.ts';
import { AskedTogether } from '../../platform/app/coalescing.ts';

/** What a branch sells on a channel, and on what terms. */
export interface Sale {
  readonly branch: Branch;
  readonly book: PriceBook;
  /** Without a delivery fee. */
  readonly terms: BillTerms;
  /** What bringing an order costs, and how far it is brought; null at a table. */
  readonly delivery: DeliveryTerms | null;
  /** The branch's tables, where the channel is theirs; else empty. */
  readonly tables: ReadonlySet<Uuid>;
}

/** A sale, and the counted units left of the things that were named. */
export interface SaleNow extends Sale {
  readonly stock: ReadonlyMap<Uuid, number>;
}

export interface PriceBooks {
  /**
   * The sale as it stands, with the stock of what `ids` names. Refuses with NOT_FOUND a branch that is unknown or
   * switched off, or whose shop is, and with CHANNEL_NOT_OFFERED; whether the channel is open does not matter.
   */
  saleOf(branchId: Uuid, channel: Channel, ids: readonly Uuid[]): Promise<SaleNow>;
  /**
   * The same by a look of the caller's own, which takes the standing along with whatever else it asks of the shop. The
   * look is the one that the sale was found to hold by, and the branch as it is given to it.
   */
  saleBy<T extends SaleStanding>(
    branchId: Uuid,
    channel: Channel,
    look: (branch: Branch) => Promise<T>,
  ): Promise<{ readonly sale: SaleNow; readonly seen: T }>;
  /** The branch that a table was last seen at, by a book that is kept; null where none has it. */
  branchOfTable(tableId: Uuid): Uuid | null;
}

/** Items, add-ons and tables of all kept books together; some 3 kB each. */
const MOST_THINGS = 60_000;
/** How often a book may be outdated by the time it is made; prices do not change that fast. */
const TRIES = 5;

/** A table is served and has no delivery; online there is no service (Decisions 7.6). */
const termsOf = (branch: Branch, channel: Channel): BillTerms => ({
  serviceRate: channel === 'dine_in' ? parseRate(branch.serviceChargeRate) : 0,
  serviceTaxable: branch.serviceChargeTaxable,
  fee: 0,
  feeTaxable: branch.deliveryFeeTaxable,
  taxRate: parseRate(branch.taxRate),
  taxInclusive: branch.taxInclusive,
});

interface KeptSale extends Sale {
  /** Of the newest change that the book has (see `saleStanding`). */
  readonly version: number;
}

const load = async (
  tx: Kysely<Database>,
  branchId: Uuid,
  channel: Channel,
  now: Instant,
): Promise<KeptSale> => {
  const branch = await branchById(tx, branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  if (channel !== 'dine_in' && !isOffered(branch, channel))
    throw new Refusal('CHANNEL_NOT_OFFERED', { channel });
  const { version } = await saleStanding(tx, branch.orgId, branchId, []);
  const menu = await loadMenuBook(tx, branch.orgId, branchId);
  return {
    branch,
    book: priceBookOf(menu, { branchId, zone: branch.zone, channel }, now),
    terms: termsOf(branch, channel),
    delivery: channel === 'dine_in' ? null : await deliveryTermsOf(tx, branch.orgId, branchId, channel),
    tables: channel === 'dine_in' ? await liveTables(tx, branch.orgId, branchId) : new Set(),
    version,
  };
};

const holdsAt = ({ asOf, validUntil }: PriceBook, now: Instant): boolean =>
  asOf <= now && (validUntil === null || now < validUntil);

/** The books themselves, the least recently used of them forgotten first. */
class Kept {
  readonly #most: number;
  readonly #sales = new Map<string, KeptSale>();
  readonly #branches = new Map<Uuid, Uuid>();
  #things = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): KeptSale | undefined {
    const sale = this.#sales.get(key);
    if (sale !== undefined) {
      this.#sales.delete(key);
      this.#sales.set(key, sale);
    }
    return sale;
  }

  branchOfTable(tableId: Uuid): Uuid | null {
    return this.#branches.get(tableId) ?? null;
  }

  keep(key: string, sale: KeptSale): void {
    this.drop(key);
    this.#sales.set(key, sale);
    this.#things += Kept.#sizeOf(sale);
    for (const table of sale.tables) this.#branches.set(table, sale.branch.id);
    for (const oldest of this.#sales.keys()) {
      if (this.#things <= this.#most || oldest === key) return;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    const sale = this.#sales.get(key);
    if (sale === undefined) return;
    this.#sales.delete(key);
    this.#things -= Kept.#sizeOf(sale);
    for (const table of sale.tables) this.#branches.delete(table);
  }

  static #sizeOf({ book, tables }: KeptSale): number {
    return book.items.size + book.addons.size + tables.size;
  }
}

export const createPriceBooks = (app: App, most = MOST_THINGS): PriceBooks => {
  const kept = new Kept(most);
  const underWay = new Map<string, Promise<KeptSale>>();
  const standings = new AskedTogether<readonly Uuid[], SaleStanding>();

  const make = async (key: string, branchId: Uuid, channel: Channel): Promise<KeptSale> => {
    const made = app.db.snapshot((tx) => load(tx, branchId, channel, app.clock.now()));
    underWay.set(key, made);
    try {
      const sale = await made;
      kept.keep(key, sale);
      return sale;
    } finally {
      if (underWay.get(key) === made) underWay.delete(key);
    }
  };

  /** One is made at a time. What one that was begun earlier refuses may have been put right before this request. */
  const makeOrAwait = async (key: string, branchId: Uuid, channel: Channel): Promise<KeptSale> => {
    const others = underWay.get(key);
    if (others === undefined) return make(key, branchId, channel);
    try {
      return await others;
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      // One that is under way by now was begun after this request: what it says holds.
      return underWay.get(key) ?? make(key, branchId, channel);
    }
  };

  /** Carts of one branch that are quoted at once share the look at it. */
  const standing = (orgId: Uuid, branchId: Uuid, ids: readonly Uuid[]): Promise<SaleStanding> =>
    standings.ask(branchId, ids, (all) =>
      saleStanding(app.db.kysely, orgId, branchId, [...new Set(all.flat())]),
    );

  const saleBy: PriceBooks['saleBy'] = async (branchId, channel, look) => {
    const key = `${branchId} ${channel}`;
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const sale = kept.get(key) ?? (await makeOrAwait(key, branchId, channel));
      const seen = await look(sale.branch);
      if (seen.version === sale.version && holdsAt(sale.book, app.clock.now()))
        return { sale: { ...sale, stock: seen.stock }, seen };
      if (kept.get(key) === sale) kept.drop(key);
    }
    throw new Refusal('UNAVAILABLE');
  };

  return {
    branchOfTable: (tableId) => kept.branchOfTable(tableId),
    saleBy,
    saleOf: async (branchId, channel, ids) => {
      const { sale } = await saleBy(branchId, channel, ({ orgId }) => standing(orgId, branchId, ids));
      return sale;
    },
  };
};
