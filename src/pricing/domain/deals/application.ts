/** Units by class. */
export interface Units {
  readonly classes: readonly number[];
  readonly amounts: readonly number[];
}

/** One application of an offer: a column of the linear program. */
export interface Application {
  /** Index of the variant. */
  readonly variant: number;
  /** All classes it takes, ascending. */
  readonly classes: readonly number[];
  readonly amounts: readonly number[];
  readonly rewarded: Units;
  /** Piastres. */
  readonly saving: number;
}

export interface RepeatedApplication {
  readonly application: Application;
  readonly times: number;
}

/** Units by class, under construction. */
export class Selection implements Units {
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

  removeLast(): void {
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

  /** Sum of `valueOf` over the units. */
  sum(valueOf: (c: number) => number): number {
    let sum = 0;
    this.classes.forEach((c, at) => {
      sum += valueOf(c) * (this.amounts[at] ?? 0);
    });
    return sum;
  }
}

const NO_UNITS: Units = { classes: [], amounts: [] };

/** Copies the selections. */
export const applicationOf = (variant: number, paid: Units, rewarded: Units, saving: number): Application => {
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
  const copy = { classes: rewarded.classes.slice(), amounts: rewarded.amounts.slice() };
  return { variant, classes, amounts, rewarded: copy.classes.length === 0 ? NO_UNITS : copy, saving };
};
