/**
 * Replaces invalid parts of a value with placeholders, so that semantic checks can run on a file with schema faults.
 */
import { entryPath, fieldPath } from '../domain/json.ts';

/** The part of JSON Schema that the shop file uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Unique, so that no reference resolves to it and no duplicate is reported. */
const uniqueText = (path: string): string => `at fault: ${path}`.slice(0, 120);

const SAMPLES = [
  'https://at-fault.invalid/',
  '#000000',
  '00:00',
  '2000-01-01T00:00:00Z',
  '2000-01-01',
  '00000000-0000-4000-8000-000000000000',
  'at-fault@at-fault.invalid',
  'ATFAULT',
  'at-fault',
  'ar',
];

const placeholderText = ({ pattern, format, maxLength }: Schema, path: string): string => {
  const wanted = new RegExp(pattern ?? '');
  const isDate = format === 'date';
  const sample = SAMPLES.find((text) => wanted.test(text) && (!isDate || text === '2000-01-01'));
  if (pattern !== undefined || format !== undefined) return sample ?? '';
  return uniqueText(path).slice(0, maxLength ?? 120);
};

const placeholder = (schema: Schema, path: string): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf !== undefined) return uniqueText(path);
  const type = [schema.type ?? []].flat()[0];
  if (type === 'string') return placeholderText(schema, path);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'object') return repairedObject(schema, {}, new Set(), path);
  const one = schema.items ?? {};
  const count = schema.minItems ?? 0;
  return Array.from({ length: count }, (_, index) => placeholder(one, entryPath(path, index)));
};

const repairedObject = (
  schema: Schema,
  value: Fields,
  invalidPaths: ReadonlySet<string>,
  path: string,
): unknown => {
  const properties = schema.properties ?? {};
  const known = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = fieldPath(path, name);
    const of = properties[name];
    if (of !== undefined) return [[name, repaired(of, inner, invalidPaths, own)]];
    const isOpen = schema.properties === undefined && !invalidPaths.has(own);
    return isOpen ? [[name, inner]] : [];
  });
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): [string, unknown] => [name, placeholder(properties[name] ?? {}, fieldPath(path, name))]);
  return Object.fromEntries([...known, ...missing]);
};

/** Replaces or removes the values at `invalidPaths`, and adds missing fields. */
export const repaired = (
  schema: Schema,
  value: unknown,
  invalidPaths: ReadonlySet<string>,
  path = '',
): unknown => {
  if (invalidPaths.has(path)) return placeholder(schema, path);
  if (schema.oneOf !== undefined) {
    const inside = isFields(value) ? Object.keys(value).map((name) => fieldPath(path, name)) : [];
    return inside.some((own) => invalidPaths.has(own)) ? placeholder(schema, path) : value;
  }
  if (Array.isArray(value)) {
    const one = schema.items ?? {};
    return value.map((inner, index) => repaired(one, inner, invalidPaths, entryPath(path, index)));
  }
  return isFields(value) ? repairedObject(schema, value, invalidPaths, path) : value;
};
