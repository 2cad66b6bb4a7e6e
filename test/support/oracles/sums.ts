/** Sums as docs/pricing.md writes them, `(90.00 + 12.00) × 2` or `14 % × 85.25`, evaluated in exact fractions. */

interface Fraction {
  readonly top: bigint;
  /** Positive. */
  readonly bottom: bigint;
}

const fraction = (top: bigint, bottom: bigint): Fraction =>
  bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };
const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
const times = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.top, a.bottom * b.bottom);
const over = (a: Fraction, b: Fraction): Fraction => fraction(a.top * b.bottom, a.bottom * b.top);
const minus = (a: Fraction): Fraction => fraction(-a.top, a.bottom);

const numberOf = (text: string): Fraction => {
  const [whole = '', decimals = ''] = text.split('.');
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
};

class Sum {
  readonly #tokens: string[];

  constructor(text: string) {
    this.#tokens = text.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  }

  /** Throws when tokens are left over. */
  worth(): Fraction {
    const worth = this.#terms();
    if (this.#tokens.length > 0) throw new Error(`no sum goes on with ‘${this.#tokens.join(' ')}’`);
    return worth;
  }

  #takes(token: string): boolean {
    const isNext = this.#tokens[0] === token;
    if (isNext) this.#tokens.shift();
    return isNext;
  }

  #terms(): Fraction {
    let sum = this.#factors();
    for (;;) {
      if (this.#takes('+')) sum = plus(sum, this.#factors());
      else if (this.#takes('−')) sum = plus(sum, minus(this.#factors()));
      else return sum;
    }
  }

  #factors(): Fraction {
    let product = this.#one();
    for (;;) {
      if (this.#takes('×')) product = times(product, this.#one());
      else if (this.#takes('÷')) product = over(product, this.#one());
      else return product;
    }
  }

  #one(): Fraction {
    if (this.#takes('−')) return minus(this.#one());
    if (this.#takes('(')) {
      const inside = this.#terms();
      if (!this.#takes(')')) throw new Error('a bracket is not closed');
      return inside;
    }
    const worth = numberOf(this.#tokens.shift() ?? '');
    return this.#takes('%') ? over(worth, numberOf('100')) : worth;
  }
}

/** The value of a sum in pounds, as piastres, halves away from zero. */
export const piastresOfSum = (text: string): number => {
  const { top, bottom } = times(new Sum(text).worth(), numberOf('100'));
  const size = Number((2n * (top < 0n ? -top : top) + bottom) / (2n * bottom));
  return top < 0n ? 0 - size : size;
};
