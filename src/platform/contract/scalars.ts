import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import type { Words } from '../../kernel/refusal.ts';
import { oneOf } from '../../kernel/problems.ts';
import { parseLocalDate, type LocalDate } from '../../kernel/time.ts';

/** (Shapes, Conventions) */

const UUID_TEXT = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

type Described = Pick<TSchemaOptions, 'description' | 'examples'>;

export const Text = (about: Described = {}) => Type.String(about);
export const Flag = (about: Described = {}) => Type.Boolean(about);
export const UuidText = (about: Described = {}) =>
  Type.String({ format: 'uuid', pattern: UUID_TEXT, ...about });
/** An id in a body, in either case. The length excludes `urn:uuid:`, which the format accepts. */
export const IdInput = (description: string) => Type.String({ format: 'uuid', maxLength: 36, description });
export const DateTime = (about: Described = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-12-04T17:00:00.000Z'], ...about });
/** A moment with its offset in a body. */
export const MomentInput = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description });
/** `HH:MM` on a branch's clock. */
export const WALL_TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
export const DateText = (about: Described = {}) =>
  Type.String({ format: 'date', examples: ['2026-12-04'], ...about });
export const Int32 = (about: Described & { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, format: 'int32', ...about });
export const Money = (about: Described & { minimum?: number } = {}) =>
  Int32({ examples: [6500], ...about, description: about.description ?? 'Piastres (100 = 1.00 EGP).' });
export const Degrees = (limit: 90 | 180, description: string) =>
  Type.Number({ minimum: -limit, maximum: limit, format: 'double', description });
/** A fraction, such as a tax rate: 0.14 is 14 %. */
export const Rate = (about: Described = {}) =>
  Type.Number({ minimum: 0, maximum: 1, format: 'double', examples: [0.14], ...about });
export const Color = (about: Described = {}) =>
  Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#3B2417'], ...about });
/** As `maskPhone` writes it. */
export const MaskedPhone = () => Text({ description: 'Its last four digits.', examples: ['•••• 4567'] });
export const TranslationsMap = Type.Record(Type.String(), Type.String(), {
  description: 'Language code to text, for every language but the one of `name`.',
  examples: [{ en: 'Turkish coffee' }],
});

/** Written as a list of types, so that tools read one nullable scalar. */
export const nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: words, ...rest }: TSchema & { type?: unknown; enum?: readonly unknown[] } = schema;
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [type, 'null'],
    ...(words === undefined ? {} : { enum: [...words, null] }),
  });
};

export const optionalNullable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

export const Word = <const T extends readonly string[]>(words: T, about: Described = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...about });

// Text in a path or query string has one canonical reading (Decisions 7); null means invalid.

export interface Scalar<T> {
  readonly schema: TSchema;
  readonly read: (text: string) => T | null;
  /** A noun phrase. */
  readonly expected: Words;
  /** The only texts that are read. */
  readonly words?: readonly string[];
  /** The value of a text that is no valid UTF-8 or has a NUL character; undefined: such a text is refused. */
  readonly unreadable?: T;
}

/** Accepts either case (Decisions 2); answers use lower case. */
export const uuidScalar: Scalar<Uuid> = {
  schema: Type.String({ format: 'uuid', examples: ['5b0c7a52-6d5e-5a3b-9a41-0b6d9d0f1c22'] }),
  read: parseUuid,
  expected: { en: 'a UUID', ar: 'معرّف UUID' },
};

/** Trimmed and lower-cased. Any text passes; the store decides whether a shop has this slug. */
export const slugScalar: Scalar<string> = {
  schema: Text({ examples: ['beit-el-bunn'] }),
  read: (text) => {
    const slug = text.trim().toLowerCase();
    return slug === '' ? null : slug;
  },
  expected: { en: "a shop's address name", ar: 'اسم المحل في العنوان' },
};

export const dateScalar: Scalar<LocalDate> = {
  schema: DateText(),
  read: parseLocalDate,
  expected: { en: 'a calendar date, YYYY-MM-DD', ar: 'تاريخ بصيغة YYYY-MM-DD' },
};

export const booleanScalar: Scalar<boolean> = {
  schema: Type.Boolean(),
  read: (text) => (text === 'true' ? true : text === 'false' ? false : null),
  expected: { en: '`true` or `false`', ar: '`true` أو `false`' },
};

const HIGHEST_INT32 = 2_147_483_647;

/** An integer within int32, without sign, spaces or leading zeros. */
export const integerScalar = (minimum: number, maximum = HIGHEST_INT32): Scalar<number> => ({
  schema: Int32({ minimum, maximum, examples: [Math.max(minimum, 4)] }),
  read: (text) => {
    if (!/^(0|[1-9][0-9]{0,9})$/.test(text)) return null;
    const value = Number(text);
    return value >= minimum && value <= maximum ? value : null;
  },
  expected: {
    en: `a whole number from ${minimum} to ${maximum}`,
    ar: `عدد صحيح من ${minimum} إلى ${maximum}`,
  },
});

/** A decimal number, such as a coordinate: no exponent, plus sign, spaces or leading zeros. −0 becomes 0. */
export const decimalScalar = (minimum: number, maximum: number, example: number): Scalar<number> => ({
  schema: Type.Number({ minimum, maximum, format: 'double', examples: [example] }),
  read: (text) => {
    if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text)) return null;
    const value = Number(text);
    if (value < minimum || value > maximum) return null;
    return value === 0 ? 0 : value;
  },
  expected: {
    en: `a decimal number from ${minimum} to ${maximum}`,
    ar: `عدد عشري من ${minimum} إلى ${maximum}`,
  },
});

export const wordScalar = <const T extends readonly string[]>(words: T): Scalar<T[number]> => ({
  schema: Word(words),
  read: (text) => words.find((word) => word === text) ?? null,
  expected: oneOf(words),
  words,
});
