/** JSON Schema check of a shop file, with readable messages. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { COMPILED_QUICKLY } from '../../platform/app/schema-compiler.ts';
import { ShopFile } from '../contract/shopfile.ts';
import { entryPath, fieldPath } from '../domain/json.ts';
import { didYouMean } from '../domain/text.ts';
import type { Faults } from './faults.ts';
import { repaired, type Schema } from './schema-repair.ts';

/** The published JSON Schema (draft 2020-12) of the shop file. */
export const shopFileJsonSchema = (): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...plain(ShopFile),
});

/** Without the schema library's symbol properties. */
const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

interface Checker {
  readonly schema: Schema;
  readonly validate: ValidateFunction<ShopFile>;
}

export const schemaAndAjv = (allErrors: boolean): { readonly schema: Schema; readonly ajv: Ajv2020 } => {
  const ajv = new Ajv2020({
    ...{ allErrors, strict: true, strictTypes: false, verbose: true },
    ...COMPILED_QUICKLY,
  });
  formats.default(ajv, ['uuid', 'date']);
  return { schema: plain(ShopFile), ajv };
};

const compile = (): Checker => {
  const { schema, ajv } = schemaAndAjv(true);
  return { schema, validate: ajv.compile<ShopFile>(schema) };
};

let checker: Checker | null = null;
/** Compiled on first use: a server that never imports starts faster. */
const schemaChecker = (): Checker => (checker ??= compile());

/** `/menu/items/3/price` as `menu.items[3].price`. */
const pathOf = (root: unknown, pointer: string): string => {
  let path = '';
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = Array.isArray(value) ? entryPath(path, Number(name)) : fieldPath(path, name);
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return path;
};

const PATTERN_WORDS: readonly (readonly [(pattern: string) => boolean, string])[] = [
  [
    (pattern) => pattern.startsWith('^(?:https'),
    'must be an address that begins with https://, or the path of a file beside the shop file such as pictures/latte.jpg',
  ],
  [(pattern) => pattern.startsWith('^https'), 'must be an address that begins with https://'],
  [(pattern) => pattern.includes('@'), 'must be an e-mail address such as mona@shop.example'],
  [(pattern) => pattern.startsWith('^#'), 'must be a colour such as #3B2417'],
  [(pattern) => pattern.startsWith('^([01]'), 'must be a time of day such as 09:30'],
  [(pattern) => pattern.includes('T[0-9]'), 'must be a moment in UTC such as 2026-12-04T17:00:00Z'],
  [(pattern) => pattern.startsWith('^[0-9]{4}'), 'must be a date such as 2026-12-04'],
  [(pattern) => pattern.startsWith('^[A-Z0-9]'), 'must be 1 to 8 capital letters or digits'],
  [(pattern) => pattern.includes('{1,62}'), 'must be 2 to 63 small letters, digits and hyphens'],
  [(pattern) => pattern.includes('{0,62}'), 'must be small letters, digits and hyphens'],
  [(pattern) => pattern.includes('_]{1,40}'), 'must be 1 to 40 small letters, digits and underscores'],
  [(pattern) => pattern.startsWith('^[a-z]{2,3}'), 'must be a language code such as ar or en'],
];

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const bounds = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `, ${minimum} or more`;
};

const typeProblem = (_: ErrorObject, of: Schema): string => {
  const types = [of.type ?? []].flat().map((type) => TYPE_WORDS[type] ?? type);
  return `must be ${types.join(' or ')}${bounds(of)}`;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const enumProblem = ({ data }: ErrorObject, of: Schema): string => {
  const words = (of.enum ?? []).map(text);
  const hint = typeof data === 'string' ? didYouMean(data, words) : '';
  return `must be one of ${words.join(', ')}${hint}`;
};

const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinalRule = new Intl.PluralRules('en', { type: 'ordinal' });

const ordinal = (number: number): string => `${number}${ORDINALS[ordinalRule.select(number)] ?? 'th'}`;

/** By JSON Schema keyword; other keywords use ajv's message. */
const PROBLEMS: Readonly<Record<string, (error: ErrorObject, schema: Schema) => string>> = {
  type: typeProblem,
  minimum: typeProblem,
  maximum: typeProblem,
  enum: enumProblem,
  const: (_, of) => `must be ${JSON.stringify(of.const)}`,
  pattern: (_, of) =>
    PATTERN_WORDS.find(([validate]) => validate(of.pattern ?? ''))?.[1] ?? `must match ${of.pattern ?? ''}`,
  format: (_, of) => (of.format === 'uuid' ? 'must be a UUID' : 'must be a real date such as 2026-12-04'),
  minLength: () => 'must not be empty',
  maxLength: (_, of) => `must have at most ${of.maxLength ?? 0} characters`,
  minItems: (_, of) => `needs at least ${of.minItems ?? 0} ${of.minItems === 1 ? 'entry' : 'entries'}`,
  maxItems: (_, of) => `must have at most ${of.maxItems ?? 0} entries`,
  minProperties: () => 'needs at least one field',
  uniqueItems: ({ params }) => {
    const [first, second] = [Number(params['i']), Number(params['j'])].sort((one, other) => one - other);
    return `names the same entry twice: the ${ordinal((first ?? 0) + 1)} and the ${ordinal((second ?? 0) + 1)} are alike`;
  },
  required: () => 'is missing',
  oneOf: () => 'must be text, or an object of language code to text',
  propertyNames: () => 'must be a language code such as ar or en',
};

const unknownField = (name: string, of: Schema): string =>
  `is not a field that is known here${didYouMean(name, Object.keys(of.properties ?? {}))}`;

export interface SchemaFault {
  readonly path: string;
  readonly problem: string;
  /** The object whose other rules cannot be checked because of this fault. */
  readonly object: string;
}

const parentPointer = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

export const schemaFaultOf = (root: unknown, error: ErrorObject): SchemaFault => {
  const of = (error.parentSchema ?? {}) as Schema;
  const at = pathOf(root, error.instancePath);
  const problem = PROBLEMS[error.keyword]?.(error, of) ?? error.message ?? 'is not valid';
  if (error.keyword === 'required' || error.keyword === 'propertyNames') {
    const field = String(error.params['missingProperty'] ?? error.params['propertyName']);
    return { path: fieldPath(at, field), problem, object: at };
  }
  if (error.keyword === 'additionalProperties') {
    const field = String(error.params['additionalProperty']);
    return { path: fieldPath(at, field), problem: unknownField(field, of), object: at };
  }
  return { path: at, problem, object: pathOf(root, parentPointer(error.instancePath)) };
};

/** Captures the schema path of a `oneOf` and the branch index. */
const CHOICE = /^(.*\/oneOf)\/([01])\//;

export const isObject = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** Drops duplicates, and errors of the `oneOf` branch that the value was not meant for. */
export const relevantErrors = (errors: readonly ErrorObject[]): ErrorObject[] => {
  const choices = new Map<string, ErrorObject>();
  const faultyInside = new Set<string>();
  for (const error of errors) {
    if (error.keyword === 'oneOf') choices.set(`${error.schemaPath}\n${error.instancePath}`, error);
    const choice = CHOICE.exec(error.schemaPath)?.[1];
    if (choice !== undefined) faultyInside.add(choice);
  }
  const isRelevant = ({ keyword, schemaPath, instancePath, data }: ErrorObject): boolean => {
    if (keyword === 'oneOf')
      return !faultyInside.has(schemaPath) || !(isObject(data) || typeof data === 'string');
    const [, choice, branch] = CHOICE.exec(schemaPath) ?? [];
    if (choice === undefined) return true;
    const root =
      choices.get(`${choice}\n${instancePath}`) ?? choices.get(`${choice}\n${parentPointer(instancePath)}`);
    return branch === '0' ? typeof root?.data === 'string' : isObject(root?.data);
  };
  // ajv reports a bad language code for `pattern` and again for `propertyNames`.
  return errors.filter((error) => error.propertyName === undefined && isRelevant(error));
};

/** A valid file; `invalidPaths` were repaired. */
export interface CheckedFile {
  readonly file: ShopFile;
  readonly invalidPaths: ReadonlySet<string>;
}

/** Reports every schema fault. Returns the value or a repaired copy; null if the repair fails. */
export const checkSchema = (value: unknown, faults: Faults): CheckedFile | null => {
  const { schema, validate } = schemaChecker();
  if (validate(value)) return { file: value, invalidPaths: new Set() };
  const found = relevantErrors(validate.errors ?? []).map((error) => schemaFaultOf(value, error));
  for (const { path, problem } of found) faults.add(path, problem);
  faults.markInvalid(found.map(({ object }) => object));
  const invalidPaths = new Set(found.map(({ path }) => path));
  const file = repaired(schema, value, invalidPaths);
  return validate(file) ? { file, invalidPaths } : null;
};
