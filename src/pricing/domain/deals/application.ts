/** Applications of offers, and what they are worth at the prices of the relaxation. */
import type { UnitClass } from './ways.ts';

/** One application of an offer: in which way, how many units of which classes, and what it takes off. */
export interface Application {
  readonly way: number;
  /** Each class once, in their order. */
  readonly classes: readonly number[];
  readonly amounts: readonly number[];
  /** Those of them that are rewarded. */
  readonly rewarded: Units;
  readonly saving: number;
}

/** An application, and how often it is made. */
export interface Repeated {
  readonly application: Application;
  readonly times: number;
}

/** Units of some classes. */
export interface Units {
  readonly classes: readonly number[];
  readonly amounts: readonly number[];
}

/** What units bring and cost where an application is looked for. */
export interface Market {
  readonly classes: readonly UnitClass[];
  /** What a unit of each class is worth that is paid for: less than nothing, for it costs something. */
  readonly paid: Float64Array;
  readonly offers: readonly {
    /** By class, what is taken off a unit that is rewarded, or what one costs where units count together. */
    readonly takenOff: Float64Array;
    /** By class, what that is worth beyond what the unit costs. */
    readonly gained: Float64Array;
    /** What an application costs beside its units. */
    readonly fee: number;
  }[];
}

/** Units of some classes, with their amounts, as they are picked. */
export class Picks {
  readonly classes: number[] = [];
  readonly amounts: number[] = [];

  amountOf(c: number): number {
    return this.amounts[this.classes.indexOf(c)] ?? 0;
  }

  add(c: number, amount: number): void {
    const at = this.classes.indexOf(c);
    if (at >= 0) this.amounts[at] = (this.amounts[at] ?? 0) + amount;
    else {
      this.classes.push(c);
      this.amounts.push(amount);
    }
  }

  takeBack(): void {
    this.classes.pop();
    this.amounts.pop();
  }

  remove(c: number, amount: number): void {
    const at = this.classes.indexOf(c);
    const left = (this.amounts[at] ?? 0) - amount;
    if (left > 0) this.amounts[at] = left;
    else {
      this.classes.splice(at, 1);
      this.amounts.splice(at, 1);
    }
  }

  sum(each: (c: number) => number): number {
    let sum = 0;
    this.classes.forEach((c, at) => {
      sum += each(c) * (this.amounts[at] ?? 0);
    });
    return sum;
  }
}

const NOTHING: Units = { classes: [], amounts: [] };

export const applicationOf = (way: number, paid: Picks, rewarded: Picks, saving: number): Application => {
  const classes: number[] = [];
  const amounts: number[] = [];
  for (const part of [paid, rewarded])
    for (let k = 0; k < part.classes.length; k++) {
      const c = part.classes[k] ?? 0;
      let at = classes.length;
      while (at > 0 && (classes[at - 1] ?? 0) > c) at -= 1;
      if (at > 0 && classes[at - 1] === c) amounts[at - 1] = (amounts[at - 1] ?? 0) + (part.amounts[k] ?? 0);
      else {
        classes.splice(at, 0, c);
        amounts.splice(at, 0, part.amounts[k] ?? 0);
      }
    }
  const { classes: own, amounts: often } = rewarded;
  return {
    way,
    classes,
    amounts,
    rewarded: own.length === 0 ? NOTHING : { classes: own.slice(), amounts: often.slice() },
    saving,
  };
};

export interface Priced {
  readonly application: Application;
  /** What it is worth beyond what its units and itself cost. */
  readonly gain: number;
}
