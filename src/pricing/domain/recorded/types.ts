/** What a device sold without the server, with the prices that it charged (Shapes, OrderItemInput; Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { Named } from '../../../kernel/names.ts';
import type { PriceEntry } from '../../../menu/domain/price.ts';
import type { AskedAddon, AskedLine, AskedPick } from '../cart/read-line.ts';
import type { PriceBook } from '../pricebook.ts';
import type { RecordedReasons } from './reasons.ts';

type RecordedPrice = Piastres | null | undefined;

export interface RecordedAddon extends AskedAddon {
  /** Of one; of a swap the difference. */
  readonly unit_price?: RecordedPrice;
}

export interface RecordedPickInput extends AskedPick {
  readonly addons?: readonly RecordedAddon[] | undefined;
  /** Of the price of one combo, for all units of the pick. */
  readonly share?: RecordedPrice;
  /** Of the choice and its size, for all units of the pick in one combo. */
  readonly surcharge?: RecordedPrice;
}

export interface RecordedItemInput extends Omit<AskedLine, 'menu_item_id'> {
  readonly menu_item_id?: string | null | undefined;
  readonly addons?: readonly RecordedAddon[] | undefined;
  readonly combo?: { readonly picks: readonly RecordedPickInput[] } | null | undefined;
  /** Of one unit in its size. */
  readonly unit_price?: RecordedPrice;
}

export type KnownPrice = Pick<PriceEntry, 'sizeLabel' | 'amount'>;

/** Prices that were ever on, by the id of an item, a combo or an add-on. */
export type KnownPrices = ReadonlyMap<Uuid, readonly KnownPrice[]>;

/** The context of pricing: what the shop knows of its menu, and the reasons for a review so far. */
export interface RecordedPricing {
  readonly book: PriceBook;
  /** Names of things of the shop that are not in the book, by id. */
  readonly archived: ReadonlyMap<Uuid, Named>;
  readonly known: KnownPrices;
  readonly reasons: RecordedReasons;
}
