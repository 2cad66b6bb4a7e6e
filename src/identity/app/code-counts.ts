import type { CodeSender } from '../../messaging/domain/code-text.ts';

type Outcome = 'asked' | 'sent' | 'failed' | 'verified' | 'refused';

/**
 * One-time codes since the start of the process. `asked`: requests for a valid phone, those over a limit included;
 * `failed`: no sender took the code; `refused`: a try that proved nothing.
 */
export class CodeCounts {
  readonly counts: Record<Outcome, number> = { asked: 0, sent: 0, failed: 0, verified: 0, refused: 0 };

  /** `sent`, by the provider that took them. */
  readonly carried: Record<CodeSender, number> = { whatsapp: 0, sms: 0 };

  add(outcome: Outcome): void {
    this.counts[outcome] += 1;
  }

  addCarried(sender: CodeSender): void {
    this.carried[sender] += 1;
  }
}

declare module '../../platform/app/app.ts' {
  interface App {
    readonly codeCounts: CodeCounts;
  }
}
