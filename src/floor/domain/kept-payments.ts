/** What was paid of a bill in parts stays enough when only the rounding of its check has moved (Decisions 7.3, 12). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { CheckPart, CheckTerms, PartBill } from './check-part.ts';

/** Of discount, service and tax two piastres each, and what these make of one another. */
const MOST_ROUNDED: Piastres = 8;

interface Bill {
  readonly part: CheckPart;
  /** It is changed. */
  readonly amounts: { discount: Piastres; service: Piastres; tax: Piastres; total: Piastres };
  /** That a discount can take off. */
  readonly most: Piastres;
}

const owes = ({ part, amounts }: Bill): Piastres => amounts.total - part.prepaid;

/** It had paid all, and owes no more than what rounding moves. */
const isCovered = (bill: Bill): boolean => bill.part.isPaidUp && owes(bill) <= MOST_ROUNDED;

/** Moves a piastre of one amount to another part that pays such an amount. False: there is none. */
const give = (from: Bill, to: Bill, terms: CheckTerms): boolean => {
  const [less, more] = [from.amounts, to.amounts];
  // Service is paid at tables: a discount that went from one to none would change it.
  const isOneDiscount =
    from.part.discount !== null &&
    from.part.discount.id === to.part.discount?.id &&
    (terms.serviceRate === 0 || from.part.isAtTable === to.part.isAtTable);
  if (!terms.taxInclusive && less.tax > 0) {
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

/** Piastre by piastre, from the first part that owes and can give; from who had paid all, before others. */
const cover = (bill: Bill, all: readonly Bill[], terms: CheckTerms): void => {
  const givers = all.toSorted((one, other) => Number(isCovered(other)) - Number(isCovered(one)));
  for (const giver of givers) while (owes(bill) < 0 && owes(giver) > 0) if (!give(giver, bill, terms)) break;
};

/** Piastre by piastre, to the first part that owes and can take. */
const relieve = (bill: Bill, all: readonly Bill[], terms: CheckTerms): void => {
  const takers = all.filter((one) => !isCovered(one) && one.amounts.total > 0);
  for (const taker of takers) while (owes(bill) > 0 && owes(taker) >= 0) if (!give(bill, taker, terms)) break;
};

/**
 * A part that others' changes left some piastres below what it has paid gets them from parts that owe as much, and one
 * that had paid all leaves them what it comes to more.
 */
export const keepPayments = (
  bills: readonly PartBill[],
  parts: readonly CheckPart[],
  terms: CheckTerms,
): readonly PartBill[] => {
  if (parts.every(({ prepaid }) => prepaid === 0)) return bills;
  const all = new Map<Uuid, Bill>();
  for (const { id, subtotal, dealDiscount, discount, service, tax, total } of bills) {
    const part = parts.find((one) => one.id === id);
    const most = subtotal - dealDiscount;
    if (part !== undefined) all.set(id, { part, amounts: { discount, service, tax, total }, most });
  }
  const each = [...all.values()];
  for (const bill of each) if (owes(bill) + MOST_ROUNDED >= 0) cover(bill, each, terms);
  for (const bill of each) if (isCovered(bill)) relieve(bill, each, terms);
  return bills.map((bill) => ({ ...bill, ...all.get(bill.id)?.amounts }));
};
