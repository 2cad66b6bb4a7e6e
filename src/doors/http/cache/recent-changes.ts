/**
 * Changes that arrive while responses are built. A response is read at a version; a change with a higher version may
 * arrive before the response is cached. It arrives only once, so it is kept here.
 */
import type { ScopedChanges } from '../../../kernel/change.ts';

/** Beyond, the oldest are removed, and builds older than those are not cached. */
const MAX_CHANGES = 10_000;

export const createRecentChanges = (capacity = MAX_CHANGES) => {
  let first = 0;
  let changes: ScopedChanges[] = [];
  const forgetBefore = (mark: number): void => {
    if (mark <= first) return;
    changes = changes.slice(mark - first);
    first = mark;
  };
  return {
    mark: (): number => first + changes.length,
    add: (change: ScopedChanges): void => {
      changes.push(change);
      if (changes.length > capacity) forgetBefore(first + Math.ceil(capacity / 2));
    },
    /** Whether a change added since `mark` makes the answer stale, or may have. */
    outdates: (mark: number, answer: ScopedChanges): boolean =>
      mark < first ||
      changes
        .slice(mark - first)
        .some(
          (change) =>
            change.orgId === answer.orgId &&
            change.version > answer.version &&
            change.scopes.some((scope) => answer.scopes.includes(scope)),
        ),
    /** Every build under way may be stale. */
    forgetAll: (): void => forgetBefore(first + changes.length + 1),
    /** No build older than `mark` is under way. */
    forgetBefore,
  };
};
