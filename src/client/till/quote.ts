/** What a cart costs at a till, without the server. */
import type { Row } from '../../sync/contract/rows.ts';
import { parseRate } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';
import type { BillTerms } from '../../pricing/domain/bill.ts';
import { readLine, type AskedLine } from '../../pricing/domain/cart/read-line.ts';
import { holdsAt, type PriceBook } from '../../pricing/domain/pricebook.ts';
import { quote, type QuoteResult } from '../../pricing/domain/quote.ts';
import type { Redemption, RewardClaim, RewardRules } from '../../pricing/domain/rewards.ts';
import { named, poolOf, tillBook, type MenuRows } from './menu.ts';
import type { Voucher } from './voucher.ts';

type Settings = Pick<
  Row<'branch_settings'>,
  'id' | 'timezone' | 'tax_rate' | 'tax_inclusive' | 'service_charge_taxable' | 'loyalty'
>;

export interface TillRows extends MenuRows {
  readonly branch_settings: Settings;
}

/** Service is for tickets at a table (Decisions 7.6). */
const termsOf = ({ tax_rate, tax_inclusive, service_charge_taxable }: Settings): BillTerms => ({
  ...{ serviceRate: 0, serviceTaxable: service_charge_taxable, fee: 0, feeTaxable: false },
  ...{ taxRate: parseRate(String(tax_rate)), taxInclusive: tax_inclusive },
});

/** Rewards that the guest asks for, and what they are given against: a device knows no balance. */
export interface TillRewards {
  readonly claims: readonly RewardClaim[];
  /** That `readVoucher` has verified. */
  readonly voucher: Voucher;
  /** Of it, on this device: `VoucherUses.left`. */
  readonly left: number;
}

const rulesOf = (loyalty: NonNullable<Settings['loyalty']>): RewardRules => ({
  ...{ isEnabled: loyalty.enabled, mode: loyalty.mode, maxRewardsPerOrder: loyalty.max_rewards_per_order },
  rewards: loyalty.rewards.map((reward) => ({
    ...{ ...named(reward), cost: reward.cost, items: poolOf(reward.items) },
  })),
});

/** The voucher is the balance; one that has expired, or counts in another mode, pays for nothing. */
const redemptionOf = (
  { loyalty }: Settings,
  { claims, voucher: { mode, limit, expiresAt }, left }: TillRewards,
  now: Instant,
): Redemption => ({
  ...{ claims, programme: loyalty && rulesOf(loyalty) },
  balances: { points: 0, visits: 0, [mode]: now < expiresAt ? Math.min(left, limit) : 0 },
});

const NO_STOCK: ReadonlyMap<string, number> = new Map();

/** Prices carts until a row changes. */
export class TillQuotes {
  readonly #rows: TillRows;
  #book: PriceBook | null = null;

  constructor(rows: TillRows) {
    this.#rows = rows;
  }

  #bookAt(now: Instant): PriceBook {
    const book = this.#book;
    return book !== null && holdsAt(book, now) ? book : (this.#book = tillBook(this.#rows, now));
  }

  /**
   * The price with the best deals and with rewards, or every fault of the cart. At least one line. Counts of stock are the
   * server's.
   */
  quote(items: readonly AskedLine[], now: Instant, rewards: TillRewards | null = null): QuoteResult {
    const settings = this.#rows.branch_settings;
    const redemption = rewards && redemptionOf(settings, rewards, now);
    const cart = { book: this.#bookAt(now), lines: items.map(readLine), stock: NO_STOCK };
    return quote({ ...cart, terms: termsOf(settings), redemption });
  }
}
