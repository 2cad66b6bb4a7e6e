/** The points of the card, and the vouchers that they were spent against. */
import { groupBy } from '../../../../src/kernel/group-by.ts';
import type { ReviewReason } from '../../../../src/platform/domain/review.ts';
import { billsOf, expectedOf } from './bills.ts';
import type { BookedSale, Books } from './books.ts';
import type { MadeSale, Settling, SpentPoints } from './ledger.ts';
import { sumOf, type Faults } from './lists.ts';
import type { Scene } from './scene.ts';

type Sales = ReadonlyMap<string, BookedSale>;

const salesById = (books: Books): Sales => new Map(books.sales.map((one) => [one.id, one]));

const counterWithCard = ({ ledger }: Scene): readonly MadeSale[] =>
  [...ledger.sales.values()].filter(({ cardId }) => cardId !== null);

const settledWithCard = (scene: Scene, books: Books): readonly Settling[] =>
  billsOf(scene, books)
    .flatMap(expectedOf)
    .filter(({ cardId }) => cardId !== null);

/** A bill counts from the first moment at which its lines come to what was paid. */
const countedIn = (settled: readonly Settling[], sales: Sales): readonly Settling[] =>
  settled.filter(({ saleId }) => sales.get(saleId)?.card_id != null);

/** What the server says of the events of a sale for a reason, by the sale. */
const reviewedFor = ({ events }: Books, code: string): ReadonlyMap<string, ReviewReason['figures']> =>
  new Map(
    events.flatMap(({ subject_id: id, reasons }) =>
      reasons.filter((one) => one.code === code).map(({ figures }) => [id, figures] as const),
    ),
  );

// ── Points ──────────────────────────────────────────────────────────────────────────────────────

/** A point for each pound of goods, less what rewards cost. What went back earns none, and costs none. */
const pointsOf = (goods: number, cost: number, sale: BookedSale | undefined): number =>
  sale === undefined || sale.refunds.some(({ lines }) => lines.length > 0)
    ? 0
    : Math.floor(goods / 100) - cost;

/** The line that a reward paid for can be void or on another bill, with the same total. */
const hasItsReward = ({ tickets }: Books, { saleId, spent }: Settling): boolean =>
  spent === null ||
  tickets.some(
    ({ sale_id: id, lines }) =>
      id === saleId && lines.some((line) => line.id === spent.lineId && line.void_reason === null),
  );

/** After each entry of the card. */
const balancesIn = ({ entries }: Books): readonly number[] =>
  entries.map((_, index) => sumOf(entries.slice(0, index + 1).map(({ amount }) => amount)));

/** A card that lacked points for a reward, or for what a refund takes, had as little as the books say. */
const lackFaults = (books: Books, costs: ReadonlyMap<string, number>): Faults => {
  const balances = balancesIn(books);
  const lacking = [...reviewedFor(books, 'balance_too_small')].filter(([saleId, { balance, cost }]) => {
    const [left, wanted] = [Number(balance), Number(cost)];
    return left >= wanted || wanted !== costs.get(saleId) || !balances.includes(left);
  });
  const short = books.entries.filter(({ shortfall }, index) => shortfall > 0 && balances[index] !== 0);
  return [
    ...(Math.min(...balances) < 0 ? ['the card had less than nothing'] : []),
    ...lacking.map(([, { balance, cost }]) => `the card is said to have had ${balance} for ${cost} points`),
    ...short.map(({ shortfall }) => `${shortfall} points were not taken of a card that had some left`),
  ];
};

export const pointFaults = (scene: Scene, books: Books): Faults => {
  const [sales, lacking] = [salesById(books), reviewedFor(books, 'balance_too_small')];
  const own = settledWithCard(scene, books);
  const counted = countedIn(own, sales);
  const missed = own.filter(
    (one) =>
      sales.get(one.saleId)?.recorded_difference === 0 && !counted.includes(one) && hasItsReward(books, one),
  );
  const all = [
    ...counterWithCard(scene).map(({ id, total, spent }) => ({ id, goods: total, spent })),
    ...counted.map(({ saleId, subtotal, spent }) => ({ id: saleId, goods: subtotal, spent })),
  ];
  const points = all.map(({ id, goods, spent }) =>
    pointsOf(goods, lacking.has(id) ? 0 : (spent?.cost ?? 0), sales.get(id)),
  );
  const untaken = sumOf(books.entries.map(({ shortfall }) => shortfall));
  const expected = scene.place.card.firstPoints + sumOf(points) + untaken;
  return [
    ...(books.points === expected ? [] : [`the card has ${books.points} points, ${expected} are right`]),
    ...lackFaults(books, new Map(all.map(({ id, spent }) => [id, spent?.cost ?? 0]))),
    ...missed.map(
      ({ saleId }) => `${scene.history.nameOf(saleId)} comes to its lines, and counts for no card`,
    ),
  ];
};

// ── Vouchers ────────────────────────────────────────────────────────────────────────────────────

interface Use {
  readonly saleId: string;
  readonly spent: SpentPoints;
}

/** What the card paid for on vouchers. A bill that does not come to its lines spends nothing. */
const usesIn = (scene: Scene, books: Books): readonly Use[] => {
  const lacking = reviewedFor(books, 'balance_too_small');
  const all = [
    ...counterWithCard(scene).map(({ id, spent }) => ({ saleId: id, spent })),
    ...countedIn(settledWithCard(scene, books), salesById(books)),
  ];
  return all.flatMap(({ saleId, spent }) =>
    spent === null || lacking.has(saleId) ? [] : [{ saleId, spent }],
  );
};

/**
 * A voucher that was spent beyond its limit at several devices is in review, and no other. Those of one id may have several
 * limits, where the balance was low; between them it hangs on which came last.
 */
export const voucherFaults = (scene: Scene, books: Books): Faults => {
  const reviewed = reviewedFor(books, 'voucher_overspent');
  const uses = usesIn(scene, books);
  const known = new Set(uses.map(({ saleId }) => saleId));
  return [
    ...[...reviewed.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `${scene.history.nameOf(id)} spent nothing on a voucher, and is in review for it`),
    ...[...groupBy(uses, ({ spent }) => spent.voucher.id).values()].flatMap((own) => {
      const cost = sumOf(own.map(({ spent }) => spent.cost));
      const limits = own.map(({ spent }) => spent.voucher.limit);
      const isReviewed = own.some(({ saleId }) => reviewed.has(saleId));
      const isWrong = isReviewed ? cost <= Math.min(...limits) : cost > Math.max(...limits);
      const names = own.map(({ saleId }) => scene.history.nameOf(saleId)).join(', ');
      return isWrong
        ? [`${cost} points went on the voucher of ${names}, which is ${isReviewed ? '' : 'not '}in review`]
        : [];
    }),
  ];
};
