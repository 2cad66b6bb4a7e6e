import type { ColumnType, RawBuilder } from 'kysely';
import type { Instant } from '../../../kernel/time.ts';

/** jsonb: read as the value, written as its JSON text. */
export type Json<T> = ColumnType<T, string, string>;
/** jsonb with a default. */
export type DefaultJson<T> = ColumnType<T, string | undefined, string>;

/** timestamptz: read as an Instant, written through `at`; a bare number is not a moment to the database. */
export type Timestamp = ColumnType<Instant, RawBuilder<Instant>, RawBuilder<Instant>>;
export type NullableTimestamp = ColumnType<
  Instant | null,
  RawBuilder<Instant> | null | undefined,
  RawBuilder<Instant> | null
>;
