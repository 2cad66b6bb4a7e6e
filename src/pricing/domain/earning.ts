/** What a quote earns on a card (Decisions 11). */
import type { PaidUnits, SaleToEarn } from '../../loyalty/domain/earning.ts';
import { forecastOf, type Forecast } from '../../loyalty/domain/forecast.ts';
import type { Balances, Programme } from '../../loyalty/domain/programme.ts';
import type { MenuItem } from '../../menu/domain/menubook.ts';
import type { BillTerms } from './bill.ts';
import type { Quote, QuotedLine } from './quote.ts';

interface Sold {
  readonly item: Pick<MenuItem, 'id' | 'categoryId'>;
  readonly sizeLabel: string | null;
}

const paidUnits = ({ item, sizeLabel }: Sold, units: number): PaidUnits => ({
  ...{ itemId: item.id, categoryId: item.categoryId, sizeLabel: sizeLabel ?? '', units },
});

const paidOf = (line: QuotedLine): readonly PaidUnits[] =>
  line.combo === null
    ? [paidUnits(line, line.staffDrinkDiscount === null ? line.quantity - line.rewardUnits : 0)]
    : line.combo.parts.map((part) => paidUnits(part, part.quantity));

const saleOfQuote = (
  { lines, bill }: Quote,
  { taxRate, taxInclusive }: Pick<BillTerms, 'taxRate' | 'taxInclusive'>,
): SaleToEarn => ({ base: bill.base, taxRate, taxInclusive, paid: lines.flatMap(paidOf) });

/** Of a cart; `programme` is null where the shop never had one. */
export interface CardOfCart {
  readonly balances: Balances;
  readonly programme: Programme | null;
}

/** Null without a card, and while the programme is off. */
export const forecastOfQuote = (
  quote: Quote,
  terms: Pick<BillTerms, 'taxRate' | 'taxInclusive'>,
  card: CardOfCart | null,
): Forecast | null =>
  card?.programme?.isEnabled === true
    ? forecastOf(card.programme, card.balances, quote.rewardCost, saleOfQuote(quote, terms))
    : null;
