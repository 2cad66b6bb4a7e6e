/** The points of the card, and the vouchers that they were spent against. */
import { billsOf, expectedOf } from './bills.ts';
import type { BookedSale, Books } from './books.ts';
import type { Settling, SpentPoints } from './ledger.ts';
import { FIRST_POINTS } from './place.ts';
import type { Scene } from './scene.ts';

type Faults = readonly string[];

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** A point for each pound of goods, less what rewards cost. What went back earns none, and costs none. */
const pointsOf = (goods: number, spent: SpentPoints | null, sale: BookedSale | undefined): number =>
  sale === undefined || sale.refunds.some(({ lines }) => lines.length > 0)
    ? 0
    : Math.floor(goods / 100) - (spent?.cost ?? 0);

const settledWithCard = (scene: Scene, books: Books): readonly Settling[] =>
  billsOf(scene, books)
    .flatMap(expectedOf)
    .filter(({ cardId }) => cardId !== null);

/** The line that a reward paid for can be void, with the same total. */
const hasItsReward = ({ tickets }: Books, { spent }: Settling): boolean =>
  spent === null ||
  tickets.some(({ lines }) =>
    lines.some((line) => line.origin_id === spent.lineId && line.void_reason === null),
  );

export const pointFaults = (scene: Scene, books: Books): Faults => {
  const sales = new Map(books.sales.map((one) => [one.id, one]));
  const counter = [...scene.ledger.sales.values()].filter(({ cardId }) => cardId !== null);
  const own = settledWithCard(scene, books);
  // A bill counts from the first moment at which its lines come to what was paid.
  const counted = own.filter(({ saleId }) => sales.get(saleId)?.card_id != null);
  const missed = own.filter(
    (one) =>
      sales.get(one.saleId)?.recorded_difference === 0 && !counted.includes(one) && hasItsReward(books, one),
  );
  const expected =
    FIRST_POINTS +
    sumOf(counter.map(({ id, total, spent }) => pointsOf(total, spent, sales.get(id)))) +
    sumOf(counted.map(({ saleId, subtotal, spent }) => pointsOf(subtotal, spent, sales.get(saleId))));
  return [
    ...(books.points === expected ? [] : [`the card has ${books.points} points, ${expected} are right`]),
    ...missed.map(
      ({ saleId }) => `${scene.history.nameOf(saleId)} comes to its lines, and counts for no card`,
    ),
  ];
};

/** A voucher that was shown to more devices than it is good for is in review, and no other. */
export const voucherFaults = (scene: Scene, { events }: Books): Faults => {
  const isReviewed = events.some(({ reasons }) => reasons.includes('voucher_overspent'));
  const overspent = (all: readonly (SpentPoints | null)[]): boolean => {
    const costs = new Map<string, number>();
    for (const one of all) {
      if (one === null) continue;
      const cost = (costs.get(one.voucher.id) ?? 0) + one.cost;
      if (cost > one.voucher.limit) return true;
      costs.set(one.voucher.id, cost);
    }
    return false;
  };
  const counter = [...scene.ledger.sales.values()].map(({ spent }) => spent);
  // A bill that does not come to its lines spends nothing.
  const bills = [...scene.ledger.tickets.values()].flatMap(({ settlings }) =>
    settlings.map((one) => one.spent),
  );
  return [
    ...(overspent(counter) && !isReviewed
      ? ['a voucher was spent beyond its limit, and nobody reviews it']
      : []),
    ...(isReviewed && !overspent([...counter, ...bills])
      ? ['a voucher is in review that was not overspent']
      : []),
  ];
};
