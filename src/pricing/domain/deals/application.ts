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
  const classes = [...new Set([...paid.classes, ...rewarded.classes])].sort((a, b) => a - b);
  const ofRewards = classes.map((c) => rewarded.amountOf(c));
  const amounts = classes.map((c, k) => paid.amountOf(c) + (ofRewards[k] ?? 0));
  return { offer, variant, saving, classes, amounts, rewarded: ofRewards };
};
