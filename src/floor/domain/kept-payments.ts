/** What was paid of a bill in parts stays enough when only the rounding of its check has moved (Decisions 7.3, 12). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { CheckPart, PartBill } from './check-part.ts';

/** Of discount, service and tax two piastres each, and what these make of one another. */
const MOST_ROUNDED: Piastres = 8;

interface Bill {
  readonly part: CheckPart;
  /** It is changed. */
  readonly amounts: { discount: Piastres; service: Piastres; tax: Piastres; total: Piastres };
  readonly most: Piastres;
}

/** Moves a piastre of one amount to another part that pays such an amount. False: there is none. */
const give = (from: Bill, to: Bill, taxInclusive: boolean): boolean => {
  const [less, more] = [from.amounts, to.amounts];
  const isOneDiscount = from.part.discount !== null && from.part.discount.id === to.part.discount?.id;
  if (!taxInclusive && less.tax > 0) {
    less.tax -= 1;
    more.tax += 1;
  } else if (to.part.isAtTable && less.service > 0) {
    less.service -= 1;
    more.service += 1;
  } else if (isOneDiscount && more.discount > 0 && less.discount < from.most) {
    less.discount += 1;
    more.discount -= 1;
  } else return false;
  less.total -= 1;
  more.total += 1;
  return true;
};

/** A part that others' orders left some piastres below what it has paid gets them from parts that owe as much. */
export const keepPayments = (
  bills: readonly PartBill[],
  parts: readonly CheckPart[],
  taxInclusive: boolean,
): readonly PartBill[] => {
  if (parts.every(({ prepaid }) => prepaid === 0)) return bills;
  const partOf = new Map(parts.map((part): [Uuid, CheckPart] => [part.id, part]));
  const all = bills.flatMap(({ id, subtotal, dealDiscount, discount, service, tax, total }): Bill[] => {
    const part = partOf.get(id);
    const most = subtotal - dealDiscount;
    return part === undefined ? [] : [{ part, amounts: { discount, service, tax, total }, most }];
  });
  const owes = ({ part, amounts }: Bill): Piastres => amounts.total - part.prepaid;
  for (const bill of all)
    if (owes(bill) + MOST_ROUNDED >= 0)
      while (owes(bill) < 0 && all.some((one) => owes(one) > 0 && give(one, bill, taxInclusive)));
  return bills.map((bill, place) => ({ ...bill, ...all[place]?.amounts }));
};
