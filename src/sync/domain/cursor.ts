/** Where a snapshot of a branch has come to (Decisions 13). */
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { FEED_TYPES, type FeedType } from '../../platform/domain/feed.ts';

/** Rows of a pull. */
export const MAX_ROWS = 2_000;
export const DEFAULT_ROWS = 500;

export interface Cursor {
  /** The number of the last change when the first page was read. */
  readonly seq: number;
  readonly type: FeedType;
  /** The last row of the type so far; null: none. */
  readonly after: Uuid | null;
}

const CURSOR = /^(0|[1-9][0-9]{0,15}):([a-z_]+):([0-9a-f-]{36})?$/;

/** In one line of text, which clients send back as it is. */
export const writeCursor = ({ seq, type, after }: Cursor): string => `${seq}:${type}:${after ?? ''}`;

/** Null: no cursor of ours. */
export const readCursor = (text: string): Cursor | null => {
  const [, seq, word, id] = CURSOR.exec(text) ?? [];
  const type = FEED_TYPES.find((one) => one === word);
  const after = id === undefined ? null : parseUuid(id);
  if (type === undefined || (id !== undefined && after === null) || !Number.isSafeInteger(Number(seq)))
    return null;
  return { seq: Number(seq), type, after };
};
