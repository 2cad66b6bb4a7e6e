import Type from 'typebox';
import { HIGHEST_PRICE } from '../../kernel/money.ts';
import { PICTURE_PATH_PATTERN } from '../../pictures/domain/picture.ts';
import { WALL_TIME_PATTERN } from '../../platform/contract/scalars.ts';

export const strict = { additionalProperties: false } as const;

const DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const MOMENT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?Z$';

export const text = (max: number, description?: string) =>
  Type.String({ minLength: 1, maxLength: max, ...(description === undefined ? {} : { description }) });
export const localText = (max: number, description?: string) =>
  Type.Unsafe<string | Record<string, string>>({
    oneOf: [
      { type: 'string', minLength: 1, maxLength: max },
      {
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$' },
        additionalProperties: { type: 'string', minLength: 1, maxLength: max },
      },
    ],
    ...(description === undefined ? {} : { description }),
  });
export const integer = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description === undefined ? {} : { description }) });
export const money = (description = 'Piastres.') => integer(0, HIGHEST_PRICE, description);
export const reference = (to: string) => text(200, `The id, key or main-language name of ${to}.`);
export const word = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });
export const wallTime = Type.String({
  pattern: WALL_TIME_PATTERN,
  description: 'HH:MM on the branch’s wall clock.',
});
export const date = Type.String({ pattern: DATE, format: 'date' });
export const moment = Type.String({ pattern: MOMENT, description: 'UTC, ISO 8601.' });
export const endMoment = Type.String({
  pattern: MOMENT,
  description: 'UTC, ISO 8601; 9999-12-31T00:00:00.000Z: until somebody says otherwise.',
});
export const color = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' });
export const httpsUrl = Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2000 });
export const pictureReference = Type.String({
  pattern: `^(?:https://[^\\s]+|${PICTURE_PATH_PATTERN})$`,
  maxLength: 2000,
  description: 'An https:// address, or the path of a file beside this one: pictures/latte.jpg.',
});
export const rate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'A fraction with at most six decimals: 0.14 is 14 %.',
});
export const optional = Type.Optional;

export const identity = {
  id: optional(
    Type.String({ format: 'uuid', description: 'Kept as given; derived from key or name when left out.' }),
  ),
  key: optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      description: 'A handle that outlives a change of name.',
    }),
  ),
};

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export const weekdays = Type.Array(word(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true });
