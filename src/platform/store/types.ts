import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import pg from 'pg';
import type { Instant } from '../../kernel/time.ts';

/** Throws RangeError beyond ±(2^53 − 1). */
const safeInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database holds ${text}, which is beyond 53 bits.`);
  return value;
};

const TIMESTAMP = /^(\d{4,6}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(:\d\d)?$/;

/**
 * A timestamptz, in a column or inside JSON, in any session time zone; `infinity` and `-infinity` become
 * infinite numbers.
 */
export const instantOf = (text: string): Instant => {
  if (text === 'infinity') return Infinity;
  if (text === '-infinity') return -Infinity;
  const [, date = '', time = '', hours = '', minutes = ':00'] = TIMESTAMP.exec(text) ?? [];
  const value = Date.parse(`${date}T${time}${hours}${minutes}`);
  if (Number.isNaN(value))
    throw new RangeError(`The database holds the moment ${text}, which cannot be read.`);
  return value;
};

const asIs = (text: string): string => text;

/** A one-dimensional array whose values contain no comma: `{a,"b c",NULL}`. */
const arrayOf =
  <T>(parse: (text: string) => T) =>
  (text: string): (T | null)[] =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((entry) => (entry === 'NULL' ? null : parse(entry.replaceAll('"', ''))));

/** `pg` has no constants for array types. */
const ARRAY = { int8: 1016, date: 1182, timestamptz: 1185, numeric: 1231 } as const;
const { builtins } = pg.types;

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, asIs],
  [builtins.TIMESTAMPTZ, instantOf],
  [builtins.INT8, safeInteger],
  [builtins.NUMERIC, asIs],
  [ARRAY.date, arrayOf(asIs)],
  [ARRAY.timestamptz, arrayOf(instantOf)],
  [ARRAY.int8, arrayOf(safeInteger)],
  [ARRAY.numeric, arrayOf(asIs)],
]);

/**
 * date → `YYYY-MM-DD` · timestamptz → Instant (ms) · int8 → checked number · numeric → text · others as in
 * `pg`. Applies to our connections only.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const own: unknown = format === 'binary' ? undefined : parsers.get(oid);
    const usual: unknown = pg.types.getTypeParser(oid, format);
    return own ?? usual;
  },
};

/** A timestamptz parameter; PostgreSQL refuses a bare number. */
export const at = (instant: Instant): RawBuilder<Instant> =>
  sql<Instant>`${new Date(instant).toISOString()}::timestamptz`;
