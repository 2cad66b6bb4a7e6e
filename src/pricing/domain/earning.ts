/** The facts of a quote that decide what it earns (Decisions 11). */
import type { PaidUnits, SaleToEarn } from '../../loyalty/domain/earning.ts';
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
    ? [paidUnits(line, line.quantity - line.rewardUnits)]
    : line.combo.parts.map((part) => paidUnits(part, part.quantity));

export const saleOfQuote = (
  { lines, bill }: Quote,
  { taxRate, taxInclusive }: Pick<BillTerms, 'taxRate' | 'taxInclusive'>,
): SaleToEarn => ({ base: bill.base, taxRate, taxInclusive, paid: lines.flatMap(paidOf) });
