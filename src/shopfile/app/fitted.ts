/**
 * A value made to fit its schema, so that a file with a fault of form can still be searched for faults of meaning:
 * what is at fault is replaced by something harmless.
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

/** Text that no owner writes, different each time, so that nothing refers to it and nothing is its double. */
const fresh = (path: string): string => `at fault: ${path}`.slice(0, 120);

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

const harmlessText = ({ pattern, format, maxLength }: Schema, path: string): string => {
  const wanted = new RegExp(pattern ?? '');
  const isDate = format === 'date';
  const sample = SAMPLES.find((text) => wanted.test(text) && (!isDate || text === '2000-01-01'));
  if (pattern !== undefined || format !== undefined) return sample ?? '';
  return fresh(path).slice(0, maxLength ?? 120);
};

/** The least that `schema` accepts. */
const harmless = (schema: Schema, path: string): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf !== undefined) return fresh(path);
  const type = [schema.type ?? []].flat()[0];
  if (type === 'string') return harmlessText(schema, path);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'object') return fittedObject(schema, {}, new Set(), path);
  const one = schema.items ?? {};
  const count = schema.minItems ?? 0;
  return Array.from({ length: count }, (_, index) => harmless(one, entryPath(path, index)));
};

const fittedObject = (schema: Schema, value: Fields, wrong: ReadonlySet<string>, path: string): unknown => {
  const properties = schema.properties ?? {};
  const known = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = fieldPath(path, name);
    const of = properties[name];
    if (of !== undefined) return [[name, fitted(of, inner, wrong, own)]];
    const isOpen = schema.properties === undefined && !wrong.has(own);
    return isOpen ? [[name, inner]] : [];
  });
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): [string, unknown] => [name, harmless(properties[name] ?? {}, fieldPath(path, name))]);
  return Object.fromEntries([...known, ...missing]);
};

/** `value` with everything at a path of `wrong` replaced, left out or filled in. */
export const fitted = (schema: Schema, value: unknown, wrong: ReadonlySet<string>, path = ''): unknown => {
  if (wrong.has(path)) return harmless(schema, path);
  if (schema.oneOf !== undefined) {
    const inside = isFields(value) ? Object.keys(value).map((name) => fieldPath(path, name)) : [];
    return inside.some((own) => wrong.has(own)) ? harmless(schema, path) : value;
  }
  if (Array.isArray(value)) {
    const one = schema.items ?? {};
    return value.map((inner, index) => fitted(one, inner, wrong, entryPath(path, index)));
  }
  return isFields(value) ? fittedObject(schema, value, wrong, path) : value;
};
