import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDeal } from '../../../menu/domain/menu.test-support.ts';
import type { Application, Market } from './application.ts';
import { cartBy, SMALL, seededDice } from './arbitraries.test-support.ts';
import { near } from './near.ts';
import { bestApplication } from './pricing.ts';
import { problemsOf } from './problem.ts';
import { simplified, type Simplified, type Way } from './ways.ts';

/** Every choice of so many units, by class. */
const choices = (places: readonly number[], size: number, left: readonly number[]): number[][] => {
  const [c, ...others] = places;
  if (c === undefined) return size === 0 ? [left.map(() => 0)] : [];
  return Array.from({ length: Math.min(size, left[c] ?? 0) + 1 }, (_, amount) => amount).flatMap((amount) =>
    choices(others, size - amount, left).map((rest) =>
      rest.map((units, of) => (of === c ? units + amount : units)),
    ),
  );
};

const sum = (units: readonly number[], each: (c: number) => number): number =>
  units.reduce((all, amount, c) => all + amount * each(c), 0);

/** Every application of a way, slowly: the units it takes with what it saves, and what it is worth at these costs. */
const everyOne = ({ classes }: Simplified, { of, pool, rewards }: Way, market: Market, offer: number) => {
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const supply = classes.map(({ count }) => count);
  const { fee, gained } = market.offers[offer] ?? { fee: 0, gained: market.paid };
  return choices(rewards, of.get, supply).flatMap((rewarded) =>
    choices(
      pool,
      of.qty,
      supply.map((count, c) => count - (rewarded[c] ?? 0)),
    ).map((paid) => {
      const counts = of.form === 'together' ? gained : market.paid;
      const saving =
        of.form === 'together'
          ? sum(paid, priceOf) - of.price
          : sum(rewarded, (c) => of.discountOn(priceOf(c)));
      const dearest = Math.max(0, ...rewarded.map((amount, c) => (amount > 0 ? priceOf(c) : 0)));
      return {
        name: JSON.stringify([paid.map((amount, c) => amount + (rewarded[c] ?? 0)), saving]),
        gain: sum(paid, (c) => counts[c] ?? 0) + sum(rewarded, (c) => gained[c] ?? 0) - fee,
        dearest,
      };
    }),
  );
};

const nameOf = ({ classes }: Simplified, application: Application): string =>
  JSON.stringify([
    classes.map((_, c) => application.amounts[application.classes.indexOf(c)] ?? 0),
    application.saving,
  ]);

const costsOf = (simple: Simplified, seed: number): Market => {
  const dice = seededDice(seed);
  const weight = 1 + dice(9);
  const paid = Float64Array.from(simple.classes, ({ price }) => -dice(weight * price + 1) * dice(2));
  const offers = simple.offers.map(({ form, price, discountOn }) => {
    const takenOff = Float64Array.from(simple.classes, (of) =>
      form === 'together' ? of.price : discountOn(of.price),
    );
    const gained = takenOff.map((off, c) => weight * off + (paid[c] ?? 0));
    return { takenOff, gained, fee: 1 + weight * price + dice(50) };
  });
  return { classes: simple.classes, paid, offers };
};

/** A cart's problems, each with costs that units and offers may have. */
const markets = fc.tuple(fc.nat(), fc.nat()).map(([cart, costs]) => {
  const { units, deals } = cartBy(seededDice(cart), SMALL);
  return problemsOf(units, deals).map((problem) => {
    const simple = simplified(problem);
    return { simple, market: costsOf(simple, costs) };
  });
});

test('every application that is worth so much is found, and no other', () => {
  fc.assert(
    fc.property(markets, fc.integer({ min: -30_000, max: 5_000 }), (all, least) => {
      for (const { simple, market } of all)
        simple.ways.forEach((way, index) => {
          const found = new Map<string, number>();
          for (const priced of near(market, way, index, least, { picks: 0 })) {
            if (priced === null) continue;
            const name = nameOf(simple, priced.application);
            found.set(name, Math.max(found.get(name) ?? -Infinity, priced.gain));
          }
          const price = Math.max(0, ...way.rewards.map((c) => simple.classes[c]?.price ?? 0));
          const expected = new Map<string, number>();
          for (const { name, gain, dearest } of everyOne(simple, way, market, way.offer))
            if (gain >= least && (way.of.form !== 'within' || dearest === price))
              expected.set(name, Math.max(expected.get(name) ?? -Infinity, gain));
          expect(found).toEqual(expected);
        });
    }),
    { numRuns: 500 },
  );
});

test('what is found at once is one of them, and nothing is worth more than is said', () => {
  fc.assert(
    fc.property(markets, fc.integer({ min: -5_000, max: 5_000 }), (all, beyond) => {
      for (const { simple, market } of all)
        simple.ways.forEach((way, index) => {
          const { priced, most } = bestApplication(market, way, index, beyond);
          const every = everyOne(simple, way, market, way.offer);
          const best = every.reduce((highest, { gain }) => Math.max(highest, gain), -Infinity);
          expect(Math.max(most, beyond)).toBeGreaterThanOrEqual(best);
          if (priced === null) return;
          expect(priced.gain).toBeGreaterThan(beyond);
          const name = nameOf(simple, priced.application);
          expect(every.filter((one) => one.name === name).map(({ gain }) => gain)).toContain(priced.gain);
        });
    }),
    { numRuns: 500 },
  );
});

test('it pauses at least every thousand picks, also where nothing is found', () => {
  const classes = Array.from({ length: 24 }, (_, c) => ({ price: 1000 + c, count: 2, kinds: [c] })).reverse();
  const deal = aDeal('eight', { qty: 8, terms: { kind: 'n_for_price', price: 5000 } });
  const pool = classes.map((_, c) => c);
  const discountOn = () => 0;
  const of = {
    deal,
    form: 'together',
    qty: 8,
    get: 0,
    most: 6,
    pool,
    rewards: [],
    price: 5000,
    discountOn,
  } as const;
  const gained = Float64Array.from(classes, ({ price }) => price);
  const market = { classes, paid: gained, offers: [{ takenOff: gained, gained, fee: 5000 }] };
  const counter = { picks: 0 };
  let before = 0;
  let pauses = 0;
  for (const priced of near(market, { offer: 0, of, pool, rewards: [] }, 0, 3080, counter)) {
    expect(counter.picks - before).toBeLessThanOrEqual(1000);
    before = counter.picks;
    if (priced === null) pauses += 1;
    if (counter.picks > 20_000) break;
  }
  expect(pauses).toBeGreaterThan(0);
});
