/** One application of an offer: a column of the linear program. */
export interface Application {
  readonly offer: number;
  readonly variant: number;
  /** Piastres. */
  readonly saving: number;
  /** All classes it takes, ascending. */
  readonly classes: readonly number[];
  readonly amounts: readonly number[];
  /** How many of the amounts are rewarded. */
  readonly rewarded: readonly number[];
}

export interface RepeatedApplication {
  readonly application: Application;
  readonly times: number;
}

/** Units by class; a class may occur twice. */
export class Selection {
  readonly classes: number[] = [];
  readonly amounts: number[] = [];

  add(c: number, amount: number): void {
    this.classes.push(c);
    this.amounts.push(amount);
  }

  removeLast(): void {
    this.classes.pop();
    this.amounts.pop();
  }

  amountOf(c: number): number {
    return this.sum((own) => (own === c ? 1 : 0));
  }

  /** Sum of `valueOf` over the units. */
  sum(valueOf: (c: number) => number): number {
    let sum = 0;
    for (let k = 0; k < this.classes.length; k++)
      sum += valueOf(this.classes[k] ?? 0) * (this.amounts[k] ?? 0);
    return sum;
  }
}

/** Copies the selections. */
export const applicationOf = (
  { offer, variant, saving }: Pick<Application, 'offer' | 'variant' | 'saving'>,
  paid: Selection,
  rewarded: Selection,
): Application => {
  const classes: number[] = [];
  const amounts: number[] = [];
  const ofRewards: number[] = [];
  for (const part of [paid, rewarded])
    for (let k = 0; k < part.classes.length; k++) {
      const c = part.classes[k] ?? 0;
      const amount = part.amounts[k] ?? 0;
      let at = classes.length;
      while (at > 0 && (classes[at - 1] ?? 0) >= c) at -= 1;
      if (classes[at] !== c) {
        classes.splice(at, 0, c);
        amounts.splice(at, 0, 0);
        ofRewards.splice(at, 0, 0);
      }
      amounts[at] = (amounts[at] ?? 0) + amount;
      if (part === rewarded) ofRewards[at] = (ofRewards[at] ?? 0) + amount;
    }
  return { offer, variant, saving, classes, amounts, rewarded: ofRewards };
};
