/**
 * The changes heard while answers are being built. An answer is read in a snapshot at some version; a change with a
 * higher number may be heard before that answer is finished and will not be heard again, so it is looked up here.
 */
import type { Scope } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';

/** What has changed at a shop: numbers up to `version`, concerning `scopes`. */
export interface ScopedChange {
  readonly orgId: Uuid;
  readonly version: number;
  readonly scopes: readonly Scope[];
}

/** Beyond this many the oldest are forgotten; builds older than those are then not kept. */
const MAX_CHANGES = 10_000;

export const createJournal = (capacity = MAX_CHANGES) => {
  let first = 0;
  let changes: ScopedChange[] = [];
  const forgetBefore = (mark: number): void => {
    if (mark <= first) return;
    changes = changes.slice(mark - first);
    first = mark;
  };
  return {
    /** The place from which a build that begins now must look. */
    mark: (): number => first + changes.length,
    note: (change: ScopedChange): void => {
      changes.push(change);
      if (changes.length > capacity) forgetBefore(first + Math.ceil(capacity / 2));
    },
    /** Whether a change heard since `mark` makes an answer of `version` stale, or may have. */
    outdates: (mark: number, answer: ScopedChange): boolean =>
      mark < first ||
      changes
        .slice(mark - first)
        .some(
          (change) =>
            change.orgId === answer.orgId &&
            change.version > answer.version &&
            change.scopes.some((scope) => answer.scopes.includes(scope)),
        ),
    /** No build older than `mark` is under way. */
    forgetBefore,
  };
};
