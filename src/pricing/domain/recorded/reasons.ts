import type { Figures } from '../../../kernel/refusal.ts';
import { reason, type ReviewCode, type ReviewReason } from '../../../platform/domain/review.ts';

/** Collects reasons in order of the lines, equal ones once. */
export class RecordedReasons {
  readonly #found = new Map<string, ReviewReason>();

  get all(): readonly ReviewReason[] {
    return [...this.#found.values()];
  }

  add(code: ReviewCode, figures: Figures = {}): void {
    const one = reason(code, figures);
    this.#found.set(JSON.stringify(one), one);
  }
}
