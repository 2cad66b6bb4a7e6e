/** A fault that a JSON Schema found, in words. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { mustBe, mustBeOneOf, REQUIRED } from '../../kernel/problems.ts';
import type { Problem, Words } from '../../kernel/refusal.ts';

type Params = Readonly<Record<string, unknown>>;

const article = (word: string): string => (/^[aeio]/.test(word) ? `an ${word}` : `a ${word}`);

const ARABIC_TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'نص', integer: 'عدد صحيح', number: 'عدد', boolean: 'true أو false' },
  ...{ array: 'قائمة', object: 'كائن JSON' },
};

const typeWords = (types: readonly string[]): Words => ({
  en: types.map((type) => (type === 'null' ? type : article(type))).join(' or '),
  ar: types.map((type) => ARABIC_TYPES[type] ?? type).join(' أو '),
});

const counted = (limit: unknown, one: string, many: string): string =>
  `${String(limit)} ${limit === 1 ? one : many}`;

/** The Arabic figure stands after the noun, which has one form then. */
const atLeast =
  (one: string, many: string, arabic: string) =>
  ({ limit }: Params): Problem => ({
    problem: `must have at least ${counted(limit, one, many)}`,
    arabic: `أقل عدد مسموح من ${arabic}: ${String(limit)}`,
  });

const atMost =
  (one: string, many: string, arabic: string) =>
  ({ limit }: Params): Problem => ({
    problem: `must have at most ${counted(limit, one, many)}`,
    arabic: `أكبر عدد مسموح من ${arabic}: ${String(limit)}`,
  });

const ENTRIES = ['entry', 'entries', 'العناصر'] as const;
const CHARACTERS = ['character', 'characters', 'الأحرف'] as const;
const UNKNOWN_FIELD: Problem = { problem: 'is not a field here', arabic: 'هذا الحقل غير معروف هنا' };

/** By keyword. */
const PROBLEMS: Readonly<Record<string, (params: Params, value: unknown) => Problem>> = {
  required: () => REQUIRED,
  additionalProperties: () => UNKNOWN_FIELD,
  unevaluatedProperties: () => UNKNOWN_FIELD,
  type: ({ type }) => mustBe(typeWords([type].flat().map(String))),
  enum: ({ allowedValues }, value) => mustBeOneOf((allowedValues as readonly unknown[]).map(String), value),
  const: ({ allowedValue }) => mustBe({ en: String(allowedValue), ar: String(allowedValue) }),
  format: ({ format }) => ({
    problem: `must be in the format ${String(format)}`,
    arabic: `الصيغة المطلوبة: ${String(format)}`,
  }),
  pattern: ({ pattern }) => ({
    problem: `must match pattern "${String(pattern)}"`,
    arabic: `النمط المطلوب: ${String(pattern)}`,
  }),
  minimum: ({ limit }) => ({
    problem: `must be ${String(limit)} or more`,
    arabic: `أقل قيمة مسموحة: ${String(limit)}`,
  }),
  maximum: ({ limit }) => ({
    problem: `must be ${String(limit)} or less`,
    arabic: `أكبر قيمة مسموحة: ${String(limit)}`,
  }),
  minItems: atLeast(...ENTRIES),
  maxItems: atMost(...ENTRIES),
  minLength: atLeast(...CHARACTERS),
  maxLength: atMost(...CHARACTERS),
  minProperties: atLeast('field', 'fields', 'الحقول'),
};

/** `value`: what has the fault. */
export const schemaProblem = (
  { keyword, params, message, propertyName }: ErrorObject,
  value: unknown,
): Problem =>
  propertyName === undefined
    ? (PROBLEMS[keyword]?.(params, value) ?? {
        problem: message ?? 'is not valid',
        arabic: 'القيمة غير صحيحة',
      })
    : UNKNOWN_FIELD;
