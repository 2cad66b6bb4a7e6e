declare const unit: unique symbol;

/** An integer number of piastres; 100 piastres are 1.00 EGP (Behaviour, What the service does). */
export type Piastres = number & { readonly [unit]?: 'piastres' };

/** The highest price that can be entered: a million pounds. */
export const HIGHEST_PRICE: Piastres = 100_000_000;

/** The highest total: money fields are int32 (Decisions 7). */
export const HIGHEST_TOTAL: Piastres = 2_147_483_647;

/** A non-negative amount as people write it, in pounds with two decimals: 6550 is `65.50`. */
export const inPounds = (amount: Piastres): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** An exact decimal fraction in millionths: 0.14 is 140,000. The database keeps six decimals. */
export type Millionths = number;

const MILLION = 1_000_000n;

/** Reads the decimal text of a stored rate; throws on anything else, for a rate is never guessed. */
export const parseRate = (text: string): Millionths => {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`${text} is not a rate with at most six decimals`);
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'));
};

/** a ÷ b of two non-negative integers, halves away from zero (Decisions 7). */
const dividedRounded = (a: bigint, b: bigint): number => Number((2n * a + b) / (2n * b));

/** `rate` of a non-negative amount, halves away from zero: 12.5 % of 100 is 13. */
export const partOf = (amount: Piastres, rate: Millionths): Piastres =>
  dividedRounded(BigInt(amount) * BigInt(rate), MILLION);

/** The tax on a non-negative amount: added to it when exclusive, inside it when inclusive (Decisions 7.6). */
export const taxOn = (amount: Piastres, rate: Millionths, inclusive: boolean): Piastres =>
  inclusive
    ? amount - dividedRounded(BigInt(amount) * MILLION, MILLION + BigInt(rate))
    : partOf(amount, rate);

/**
 * A non-negative amount split by non-negative integer weights, without losing or making a piastre: share k is
 * round(total × (weights up to k) ÷ (all weights)) less what was given before, halves away from zero. All weights
 * zero: as if all were equal (Decisions 7.3). No share is negative; without weights there are no shares.
 */
export const splitMoney = (total: Piastres, weights: readonly number[]): readonly Piastres[] => {
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
