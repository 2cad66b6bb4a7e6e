/**
 * A device's copy of its branch (Decisions 13): which rows to ask `POST /sync/pull` for next, and what its answers make of
 * the copy. It asks nobody and stores nothing itself, so that it works with any storage.
 */
import type { FeedType } from '../../platform/domain/feed.ts';
import type { Row } from '../../sync/contract/rows.ts';
import type { Pulled } from './device-client.ts';
import type { TillRows } from './quote.ts';

type Change = Pulled['changes'][number];

/** What the next request says besides the branch; neither: the whole state, from its first page on. */
export interface NextPull {
  readonly since?: number;
  readonly cursor?: string;
}

/** Rows by type, then by id. */
class Rows {
  readonly #types = new Map<FeedType, Map<string, object>>();

  apply(changes: readonly Change[]): void {
    for (const { type, id, data } of changes) {
      const rows = this.#types.get(type) ?? new Map<string, object>();
      this.#types.set(type, rows);
      if (data === null) rows.delete(id);
      else rows.set(id, data);
    }
  }

  of(type: FeedType): ReadonlyMap<string, object> {
    return this.#types.get(type) ?? new Map<string, object>();
  }

  all(): readonly (readonly [FeedType, readonly object[]])[] {
    return [...this.#types].map(([type, rows]) => [type, [...rows.values()]]);
  }
}

interface WholeState {
  readonly rows: Rows;
  readonly cursor: string | null;
}

const VERSION = 1;

interface SavedCopy {
  readonly version: typeof VERSION;
  readonly branch_id: string;
  readonly since: number;
  readonly rows: readonly (readonly [FeedType, readonly { readonly id: string }[]])[];
}

const isRows = (value: unknown): value is SavedCopy['rows'] =>
  Array.isArray(value) &&
  value.every(
    (entry: unknown) =>
      Array.isArray(entry) &&
      typeof entry[0] === 'string' &&
      Array.isArray(entry[1]) &&
      entry[1].every(
        (row: unknown) =>
          typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string',
      ),
  );

/** Null: it is no saved copy of the branch. */
const readSaved = (text: string, branchId: string): SavedCopy | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { version, branch_id, since, rows } = value as Partial<Record<keyof SavedCopy, unknown>>;
  if (version !== VERSION || branch_id !== branchId || !Number.isSafeInteger(since) || !isRows(rows))
    return null;
  return { version, branch_id, since: since as number, rows };
};

export class BranchCopy {
  readonly branchId: string;
  #rows = new Rows();
  /** Null: it has no state yet. */
  #since: number | null = null;
  #hasMore = true;
  /** Pages of a whole state that is not complete; until then the rows of before stand. Null: none. */
  #whole: WholeState | null = null;

  /** `saved`: what `saved()` gave before; another text, or null, begins anew. */
  constructor(branchId: string, saved: string | null = null) {
    this.branchId = branchId;
    const before = saved === null ? null : readSaved(saved, branchId);
    if (before === null) return;
    for (const [type, rows] of before.rows)
      this.#rows.apply(
        rows.map((data) => ({ seq: before.since, type, id: data.id, op: 'upsert', data: { ...data } })),
      );
    this.#since = before.since;
  }

  /** It has a whole state, perhaps an old one: the till can sell. */
  get isUsable(): boolean {
    return this.#since !== null;
  }

  /** The last answer said that nothing more has changed. */
  get isCurrent(): boolean {
    return !this.#hasMore;
  }

  next(): NextPull {
    const cursor = this.#whole?.cursor ?? null;
    if (cursor !== null) return { cursor };
    return this.#whole !== null || this.#since === null ? {} : { since: this.#since };
  }

  /** The answer to `next()`. Where its history has ended, the next one asks for the whole state. */
  apply({ full, resync_required: isEnded = false, next, has_more: hasMore, cursor, changes }: Pulled): void {
    this.#hasMore = hasMore;
    if (isEnded) {
      this.beginAnew();
      return;
    }
    const rows = full ? (this.#whole?.rows ?? new Rows()) : this.#rows;
    rows.apply(changes);
    if (full && cursor !== undefined) {
      this.#whole = { rows, cursor };
      return;
    }
    this.#whole = null;
    this.#rows = rows;
    this.#since = next;
  }

  /** The server cannot read the cursor (400 with the field `cursor`): the next answer is the first page of a whole state. */
  beginAnew(): void {
    this.#whole = { rows: new Rows(), cursor: null };
    this.#hasMore = true;
  }

  rows<T extends FeedType>(type: T): readonly Row<T>[] {
    return [...this.#rows.of(type).values()] as Row<T>[];
  }

  /** Null: the device has no such row. */
  row<T extends FeedType>(type: T, id: string): Row<T> | null {
    return (this.#rows.of(type).get(id) ?? null) as Row<T> | null;
  }

  /** What `TillQuotes` prices carts with. Null: there is no state yet. */
  tillRows(): TillRows | null {
    const settings = this.row('branch_settings', this.branchId);
    if (settings === null) return null;
    return {
      branch_settings: settings,
      ...{ category: this.rows('category'), addon: this.rows('addon') },
      ...{ modifier_group: this.rows('modifier_group'), menu_item: this.rows('menu_item') },
      deal: this.rows('deal'),
    };
  }

  /** The copy as one text, to be kept; null: there is no state yet. A whole state that is not complete begins anew. */
  saved(): string | null {
    if (this.#since === null) return null;
    return JSON.stringify({
      ...{ version: VERSION, branch_id: this.branchId, since: this.#since, rows: this.#rows.all() },
    });
  }
}
