import type { Uuid } from '../../kernel/ids.ts';

/** An event of a device that named the id which another one names now, and made something under another id (Decisions 13). */
export interface EarlierEvent {
  /** What it made. */
  readonly resultId: Uuid;
  /** It has the same content as this one. */
  readonly isSame: boolean;
}
