/** Checks every text of a file: characters, URLs, instants. */
import { entryPath, fieldPath } from '../../domain/json.ts';
import { isPicturePath } from '../../../pictures/domain/picture.ts';
import { textFault, type TextForm } from '../../domain/text.ts';
import { parseLocalDate } from '../../../kernel/time.ts';
import type { Faults } from '../faults.ts';

const MULTILINE_FIELDS: ReadonlySet<string> = new Set(['description', 'terms', 'address', 'note']);
const URL_FIELDS: ReadonlySet<string> = new Set(['href', 'url']);
const INSTANT_FIELDS: ReadonlySet<string> = new Set(['until', 'sold_out_until', 'created_at', 'updated_at']);

const isUrlField = (field: string): boolean => URL_FIELDS.has(field) || field.endsWith('_url');

const urlFault = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 'https:' || url.hostname === '')
    return 'must be an address that begins with https://';
  return url.username === '' && url.password === '' ? null : 'must not hold a user name or password';
};

/** V8 parses 30 February as a day in March. */
const instantFault = (text: string): string | null =>
  parseLocalDate(text.slice(0, 10)) === null || Number.isNaN(Date.parse(text))
    ? 'must be a real moment in UTC such as 2026-12-04T17:00:00Z'
    : null;

const stringFault = (text: string, field: string, form: TextForm): string | null => {
  const fault = textFault(text, form);
  if (fault !== null) return fault;
  // The schema allows a path in the fields of pictures only.
  if (isUrlField(field) && !isPicturePath(text)) return urlFault(text);
  return INSTANT_FIELDS.has(field) ? instantFault(text) : null;
};

/** Reports invalid texts in `value` and returns their paths. `field` is the nearest field with a fixed name. */
export const checkTexts = (
  value: unknown,
  path: string,
  faults: Faults,
  field = '',
  form: TextForm = 'line',
): string[] => {
  if (typeof value === 'string') {
    const fault = stringFault(value, field, form);
    if (fault === null) return [];
    faults.add(path, fault);
    return [path];
  }
  if (Array.isArray(value))
    return value.flatMap((inner, index) => checkTexts(inner, entryPath(path, index), faults, field, form));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isMultiline = form === 'lines' || MULTILINE_FIELDS.has(name);
    return checkTexts(inner, fieldPath(path, name), faults, name, isMultiline ? 'lines' : 'line');
  });
};
