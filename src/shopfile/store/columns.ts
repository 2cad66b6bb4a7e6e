/** The column types of a table that a shop file fills, and what an import must know about the table. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';

interface ColumnTypes {
  uuid: Uuid;
  'uuid[]': readonly Uuid[];
  text: string;
  'text[]': readonly string[];
  integer: number;
  'double precision': number;
  /** Exact decimal text. */
  numeric: string;
  boolean: boolean;
  jsonb: unknown;
  date: LocalDate;
  'date[]': readonly LocalDate[];
  timestamptz: Instant;
}

export type ColumnType = keyof ColumnTypes;
/** A column's type; a question mark says that it may be null. */
export type Column = ColumnType | `${ColumnType}?`;
export type ValueOf<C extends Column> = C extends `${infer T extends ColumnType}?`
  ? ColumnTypes[T] | null
  : C extends ColumnType
    ? ColumnTypes[C]
    : never;

export interface TableSpec {
  /** Names a row within its shop. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * What stands behind a row: `shop`, `thing` (the row is a thing with an id, archived instead of deleted),
   * `link` (has an id and is deleted), or the column with the id of the thing whose detail it is.
   */
  readonly of: string;
  /** Running state: set on what an import creates, kept afterwards (Decisions 16). */
  readonly state?: readonly string[];
  /** Written when the row is created, kept afterwards. */
  readonly kept?: readonly string[];
  /** Replaced as a whole, also where the thing behind a row is gone. */
  readonly whole?: true;
}

export const named = { id: 'uuid', name: 'text', name_translations: 'jsonb' } as const;
export const sold = {
  sell_pos: 'boolean',
  sell_qr: 'boolean',
  sell_online: 'boolean',
  sell_delivery: 'boolean',
} as const;
export const archived = { archived_at: 'timestamptz?' } as const;
export const byId = ['id'] as const;
