import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deal, DiscountCut } from '../../menu/domain/menubook.ts';
import { billOf } from '../../pricing/domain/bill.ts';
import {
  dice,
  shuffled,
  smallCart,
  type Cart,
  type Dice,
} from '../../pricing/domain/deals/arbitraries.test-support.ts';
import { bestDeals } from '../../pricing/domain/deals/best.ts';
import type { CheckLine, CheckPart, CheckTerms } from './check-part.ts';
import { beginCheck, type CheckBill } from './check.ts';

const terms: fc.Arbitrary<CheckTerms> = fc.record({
  serviceRate: fc.constantFrom(0, 120_000, 125_000),
  serviceTaxable: fc.boolean(),
  taxRate: fc.constantFrom(0, 140_000, 133_333),
  taxInclusive: fc.boolean(),
});

const cut: fc.Arbitrary<DiscountCut | null> = fc.constantFrom<(DiscountCut | null)[]>(
  null,
  { dtype: 'percentage', rate: '0.125000' },
  { dtype: 'percentage', rate: '1.000000' },
  { dtype: 'fixed', amount: 5_000 },
  { dtype: 'fixed', amount: 1 },
);

const billFor = (parts: readonly CheckPart[], on: CheckTerms): CheckBill => {
  const { units, deals, finish } = beginCheck(parts, on);
  return finish(bestDeals(units, deals));
};

/** Every unit is a line of its own, with add-ons of some piastres; deals are on offer for all. */
const linesOf = (
  { units, deals }: Cart,
  offered: (line: number) => readonly Deal[] = () => deals,
): readonly CheckLine[] =>
  units.flatMap((unit, at) =>
    Array.from({ length: unit.quantity }, (_, n): CheckLine => {
      const { itemId, categoryId, sizeLabel, sizeOrder, price } = unit;
      return {
        id: `${at}-${n}`,
        total: unit.price + (at % 3) * 50,
        units: { itemId, categoryId, sizeLabel, sizeOrder, price, quantity: 1 },
        offers: offered(at),
      };
    }),
  );

const aPart = (id: string, lines: readonly CheckLine[], more: Partial<CheckPart> = {}): CheckPart => ({
  ...{ id, lines, isAtTable: true, discount: null, settled: null, prepaid: 0, isPaidUp: false, ...more },
});

/** The lines in up to four parts that share one discount; some may be empty. */
const dealtOut = (lines: readonly CheckLine[], roll: Dice, by: DiscountCut | null): readonly CheckPart[] => {
  const count = 1 + roll(4);
  const owners = lines.map(() => roll(count));
  const discount = by === null ? null : { id: 'shared', cut: by };
  return Array.from({ length: count }, (_, part) =>
    aPart(
      `part ${part}`,
      lines.filter((__, at) => owners[at] === part),
      { discount },
    ),
  );
};

const totalOf = ({ parts }: CheckBill): number => parts.reduce((sum, { total }) => sum + total, 0);

/** What the undivided check comes to, by the functions of a quote. */
const undivided = (
  lines: readonly CheckLine[],
  deals: readonly Deal[],
  by: DiscountCut | null,
  on: CheckTerms,
) => {
  const units = lines.flatMap(({ units: own }, line) => (own === null ? [] : [{ ...own, line }]));
  const items = lines.reduce((sum, { total }) => sum + total, 0) - bestDeals(units, deals).saving;
  return billOf(items, by, { ...on, fee: 0, feeTaxable: false }).total;
};

interface Voided {
  readonly id: string;
  readonly units: number;
}

/** Every line of the cart is a round, of as many units as it has there. */
const roundsOf = ({ units, deals }: Cart): readonly CheckLine[] =>
  units.map(({ line, quantity, ...unit }): CheckLine => ({
    ...{ id: `${line}`, total: quantity * (unit.price + (line % 3) * 50), offers: deals },
    units: { ...unit, quantity },
  }));

/** Units of the line that are voided, at up to three times; perhaps all of them. */
const voidsOf = ({ id, units }: CheckLine, roll: Dice): readonly Voided[] => {
  let left = units?.quantity ?? 0;
  return Array.from({ length: roll(4) }, () => {
    const voided = { id, units: roll(left + 1) };
    left -= voided.units;
    return voided;
  });
};

const less = (line: CheckLine, voided: number): readonly CheckLine[] => {
  const quantity = line.units?.quantity ?? 0;
  const left = quantity - voided;
  if (line.units === null || left === 0) return [];
  return [{ ...line, total: (line.total / quantity) * left, units: { ...line.units, quantity: left } }];
};

/** The live lines after all rounds and voids in any order in which what is voided was fired before. */
const historyOf = (
  rounds: readonly CheckLine[],
  voids: readonly Voided[],
  roll: Dice,
): readonly CheckLine[] => {
  const coming = [...shuffled(rounds, roll)];
  const waiting = [...shuffled(voids, roll)];
  let live: readonly CheckLine[] = [];
  const fired = new Set<string>();
  while (coming.length + waiting.length > 0) {
    const at = waiting.findIndex(({ id }) => fired.has(id));
    const round = at < 0 || roll(2) === 0 ? coming.shift() : undefined;
    if (round !== undefined) {
      fired.add(round.id);
      live = [...live, round];
      continue;
    }
    const [voided] = waiting.splice(at, 1);
    live = live.flatMap((line) => (line.id === voided?.id ? less(line, voided.units) : [line]));
  }
  return live;
};

const ownedBy = (
  owners: ReadonlyMap<string, number>,
  lines: readonly CheckLine[],
  by: DiscountCut | null,
): readonly CheckPart[] =>
  [0, 1, 2].map((part) =>
    aPart(
      `part ${part}`,
      lines.filter(({ id }) => owners.get(id) === part),
      { discount: by === null ? null : { id: 'shared', cut: by } },
    ),
  );

/** Of all parts. */
const sumsOf = ({ parts }: CheckBill) => {
  const sums = { subtotal: 0, dealDiscount: 0, discount: 0, service: 0, tax: 0, total: 0 };
  for (const part of parts)
    for (const amount of Object.keys(sums) as (keyof typeof sums)[]) sums[amount] += part[amount];
  return sums;
};

const aCase = fc.record({ cart: smallCart, roll: dice, by: cut, on: terms });
const RUNS = { numRuns: 150 };

describe('for any check that is split in any way', () => {
  test('the bills of the parts add up to the undivided one, whose deals are the best', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, by, on }) => {
        const lines = linesOf(cart);
        const bill = billFor(dealtOut(lines, roll, by), on);
        fc.pre(bill.optimal);
        expect(totalOf(bill)).toBe(undivided(lines, cart.deals, by, on));
      }),
      RUNS,
    );
  });

  test('so do the payments, whoever settles first', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, by, on }) => {
        const lines = linesOf(cart);
        let parts = dealtOut(lines, roll, by);
        let paid = 0;
        while (parts.some(({ settled }) => settled === null)) {
          const bill = billFor(parts, on);
          fc.pre(bill.optimal);
          const next = bill.parts[roll(bill.parts.length)];
          if (next === undefined) throw new Error('an open part has a bill');
          paid += next.total;
          parts = parts.map((part) => (part.id === next.id ? { ...part, settled: next } : part));
        }
        expect(paid).toBe(undivided(lines, cart.deals, by, on));
      }),
      RUNS,
    );
  });

  test('nobody’s bill changes when another settles', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, by, on }) => {
        let parts = dealtOut(linesOf(cart), roll, by);
        const before = billFor(parts, on);
        fc.pre(before.optimal);
        for (const next of before.parts.toSorted(() => roll(3) - 1)) {
          parts = parts.map((part) => (part.id === next.id ? { ...part, settled: next } : part));
          for (const { id, total, tax, service, discount } of billFor(parts, on).parts)
            expect(before.parts.find((one) => one.id === id)).toMatchObject({
              total,
              tax,
              service,
              discount,
            });
        }
      }),
      RUNS,
    );
  });

  test('what was paid in parts stays enough when another orders, who pays the rounding', () => {
    const percentage = fc.constantFrom<DiscountCut | null>(null, { dtype: 'percentage', rate: '0.125000' });
    fc.assert(
      fc.property(aCase, percentage, ({ cart, roll, on }, by) => {
        const lines = linesOf(cart, () => []);
        const isLate = lines.map(() => roll(3) === 0);
        const early = lines.filter((_, at) => isLate[at] === false);
        const late = lines.filter((_, at) => isLate[at] === true);
        const before = dealtOut(early, roll, by);
        const paid = new Map(billFor(before, on).parts.map(({ id, total }) => [id, total]));
        const prepaid = before.map((part) => ({
          ...part,
          prepaid: paid.get(part.id) ?? 0,
          isPaidUp: roll(2) === 0,
        }));
        // Somebody new, or one of those who have paid.
        const [first] = prepaid;
        const payer =
          first === undefined || roll(2) === 0
            ? aPart('payer', late, { discount: first?.discount ?? null })
            : { ...first, lines: [...first.lines, ...late] };
        const others = prepaid.filter(({ id }) => id !== payer.id);
        let parts: readonly CheckPart[] = [...others, payer].toSorted(() => roll(3) - 1);
        const after = billFor(parts, on);
        expect(totalOf(after)).toBe(undivided(lines, [], by, on));
        // Whoever owes less than the rounding cannot pay it.
        fc.pre((after.parts.find(({ id }) => id === payer.id)?.total ?? 0) - payer.prepaid > 100);
        for (const { id, total } of after.parts) {
          expect(total).toBeGreaterThanOrEqual(paid.get(id) ?? 0);
          if (others.some((part) => part.id === id && part.isPaidUp)) expect(total).toBe(paid.get(id));
        }
        // And then all settle, in any order: nobody's bill changes.
        for (const next of after.parts.toSorted(() => roll(3) - 1)) {
          parts = parts.map((part) => (part.id === next.id ? { ...part, settled: next } : part));
          for (const { id, total } of billFor(parts, on).parts)
            expect(total).toBe(after.parts.find((one) => one.id === id)?.total);
        }
      }),
      RUNS,
    );
  });

  test('no amount of a part is negative or more than its lines, also where lines went after another was settled', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, by, on }) => {
        let parts = dealtOut(linesOf(cart), roll, by);
        const first = billFor(parts, on).parts[0];
        parts = parts.map((part) => (part.id === first?.id ? { ...part, settled: first } : part));
        const left = parts.map((part) =>
          part.settled === null ? { ...part, lines: part.lines.filter(() => roll(2) === 0) } : part,
        );
        for (const part of billFor(left, on).parts) {
          const { subtotal, dealDiscount, discount, service, tax, total } = part;
          for (const amount of [dealDiscount, discount, service, tax, total])
            expect(amount).toBeGreaterThanOrEqual(0);
          expect(dealDiscount + discount).toBeLessThanOrEqual(subtotal);
          const own = left.find(({ id }) => id === part.id)?.lines ?? [];
          for (const line of own) {
            const off = part.deals.reduce((sum, one) => sum + (one.lineId === line.id ? one.discount : 0), 0);
            expect(off).toBeLessThanOrEqual(line.total);
          }
          expect(part.deals.reduce((sum, one) => sum + one.discount, 0)).toBe(dealDiscount);
        }
      }),
      RUNS,
    );
  });

  test('where lines come after a part was settled, all have paid what the undivided check comes to, if it is not less than that part', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, on }) => {
        const lines = linesOf(cart);
        const isLate = lines.map(() => roll(2) === 0);
        const early = aPart(
          'early',
          lines.filter((_, at) => isLate[at] === false),
        );
        const [first] = billFor([early], on).parts;
        if (first === undefined) throw new Error('an open part has a bill');
        const late = aPart(
          'late',
          lines.filter((_, at) => isLate[at] === true),
        );
        const bill = billFor([{ ...early, settled: first }, late], on);
        fc.pre(bill.optimal);
        const whole = undivided([...early.lines, ...late.lines], cart.deals, null, on);
        const paid = first.total + totalOf(bill);
        expect(paid).toBeGreaterThanOrEqual(whole);
        // No amount is paid back: only where the whole is less in one of them is more paid.
        const before = undivided(early.lines, cart.deals, null, on);
        if (on.serviceRate === 0 && on.taxRate === 0 && whole >= before && late.lines.length > 0)
          expect(paid).toBe(whole);
      }),
      RUNS,
    );
  });

  test('the order of rounds and voids does not matter for what all parts come to', () => {
    fc.assert(
      fc.property(aCase, ({ cart, roll, by, on }) => {
        const rounds = roundsOf(cart);
        const voids = rounds.flatMap((line) => voidsOf(line, roll));
        const [one, other] = [historyOf(rounds, voids, roll), historyOf(rounds, voids, roll)];
        const owners = new Map(rounds.map(({ id }) => [id, roll(3)]));
        const bill = billFor(ownedBy(owners, one, by), on);
        expect(sumsOf(billFor(ownedBy(owners, other, by).toReversed(), on))).toEqual(sumsOf(bill));
        if (bill.optimal) expect(totalOf(bill)).toBe(undivided(one, cart.deals, by, on));
      }),
      RUNS,
    );
  });
});

describe('a deal', () => {
  test('counts the lines that were fired while it was on offer, as a search among those alone finds', () => {
    fc.assert(
      fc.property(smallCart, dice, (cart, roll) => {
        const isEarly = cart.units.map(() => roll(2) === 0);
        const lines = linesOf(cart, (at) => (isEarly[at] === true ? cart.deals : []));
        const early = lines.filter(({ offers }) => offers.length > 0);
        const [part] = billFor([aPart('whole', lines)], NO_CHARGES).parts;
        const units = early.flatMap(({ units: own }, line) => (own === null ? [] : [{ ...own, line }]));
        const best = bestDeals(units, cart.deals);
        fc.pre(best.optimal);
        expect(part?.dealDiscount).toBe(cart.deals.length === 0 ? 0 : best.saving);
      }),
      RUNS,
    );
  });
});

const NO_CHARGES: CheckTerms = { serviceRate: 0, serviceTaxable: false, taxRate: 0, taxInclusive: true };
