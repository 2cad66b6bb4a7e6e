declare const unit: unique symbol;

/** Integer; 100 piastres are 1.00 EGP (Behaviour, What the service does). */
export type Piastres = number & { readonly [unit]?: 'piastres' };

/** Highest price that can be entered: 1,000,000 EGP. */
export const HIGHEST_PRICE: Piastres = 100_000_000;

/** The highest total: money fields are int32 (Decisions 7). */
export const HIGHEST_TOTAL: Piastres = 2_147_483_647;

/** Non-negative amount in pounds with two decimals: 6550 is `65.50`. */
export const inPounds = (amount: Piastres): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** As exact as the database's six decimals: 0.14 is 140,000. */
export type Millionths = number;

const MILLION = 1_000_000n;

/** Throws RangeError unless `text` is a stored rate. */
export const parseRate = (text: string): Millionths => {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`${text} is not a rate with at most six decimals`);
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'));
};

/** Below this, quotients of whole numbers are exact once rounded down. */
const EXACT = 2 ** 50;

/** a ÷ b of non-negative integers, halves away from zero (Decisions 7). */
const dividedRounded = (a: bigint, b: bigint): number => Number((2n * a + b) / (2n * b));

/** `rate` of a non-negative amount, halves away from zero: 12.5 % of 100 is 13. */
export const partOf = (amount: Piastres, rate: Millionths): Piastres =>
  dividedRounded(BigInt(amount) * BigInt(rate), MILLION);

/** Tax on a non-negative amount: added to it when exclusive, part of it when inclusive (Decisions 7.6). */
export const taxOn = (amount: Piastres, rate: Millionths, inclusive: boolean): Piastres =>
  inclusive
    ? amount - dividedRounded(BigInt(amount) * MILLION, MILLION + BigInt(rate))
    : partOf(amount, rate);

/**
 * Splits a non-negative amount by non-negative integer weights; the shares add up to it. Share k is
 * round(total × (weights up to k) ÷ (all weights)) less the shares before it, halves away from zero. If all
 * weights are zero, they count as equal (Decisions 7.3). No weights: no shares.
 */
export const splitMoney = (total: Piastres, weights: readonly number[]): readonly Piastres[] => {
  const sum = weights.reduce((whole, weight) => whole + weight, 0);
  return sum > 0 && 2 * (total + 1) * sum < EXACT
    ? splitSmall(total, weights, sum)
    : splitLarge(total, weights);
};

/** As `splitMoney`, by division of whole numbers that floats hold exactly. */
const splitSmall = (total: Piastres, weights: readonly number[], sum: number): readonly Piastres[] => {
  let reached = 0;
  let given = 0;
  return weights.map((weight) => {
    reached += weight;
    const upToHere = Math.floor((2 * total * reached + sum) / (2 * sum));
    const share = upToHere - given;
    given = upToHere;
    return share;
  });
};

const splitLarge = (total: Piastres, weights: readonly number[]): readonly Piastres[] => {
  const parts = weights.every((weight) => weight === 0) ? weights.map(() => 1n) : weights.map(BigInt);
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  let reached = 0n;
  let given = 0;
  return parts.map((part) => {
    reached += part;
    const upToHere = dividedRounded(BigInt(total) * reached, whole);
    const share = upToHere - given;
    given = upToHere;
    return share;
  });
};
