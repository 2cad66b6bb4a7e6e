/** Questions about seats that the engine left undecided since the start of the process: they count as not available. */
export class UndecidedSeatings {
  readonly counts = { slots: 0, booking: 0 };

  add(use: keyof UndecidedSeatings['counts'], questions: number): void {
    this.counts[use] += questions;
  }
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly undecidedSeatings: UndecidedSeatings;
  }
}
