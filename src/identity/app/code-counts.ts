import type { Carrier } from '../../messaging/domain/code-text.ts';

type Outcome = 'asked' | 'sent' | 'failed' | 'verified' | 'refused';

interface CarriedCount extends Carrier {
  count: number;
}

/**
 * One-time codes since the start of the process. `asked`: requests for a valid phone, those over a limit included;
 * `failed`: no sender took the code; `refused`: a try that proved nothing.
 */
export class CodeCounts {
  readonly counts: Record<Outcome, number> = { asked: 0, sent: 0, failed: 0, verified: 0, refused: 0 };

  readonly #carried: readonly CarriedCount[] = (['whatsapp', 'sms'] as const).flatMap((sender) =>
    (['first', 'next'] as const).map((place) => ({ sender, place, count: 0 })),
  );

  add(outcome: Outcome): void {
    this.counts[outcome] += 1;
  }

  addCarried({ sender, place }: Carrier): void {
    const counted = this.#carried.find((one) => one.sender === sender && one.place === place);
    if (counted !== undefined) counted.count += 1;
  }

  /** `sent`, by the provider that took them. */
  carried(): readonly Readonly<CarriedCount>[] {
    return this.#carried;
  }
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly codeCounts: CodeCounts;
  }
}
