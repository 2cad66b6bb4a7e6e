/** Whether JSON has the shape of a schema, without coercion; every fault has its path. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { NUL_CHARACTER, REQUIRED, TOO_DEEP } from '../../kernel/problems.ts';
import type { Fault, Problem } from '../../kernel/refusal.ts';
import { COMPILED_QUICKLY } from './schema-compiler.ts';
import { schemaProblem } from './schema-problems.ts';

const MAX_DEPTH = 32;
/** A body with more values gets only its first fault: naming 9,100 faults took 19 ms, 2,000 take 4. */
const MANY_VALUES = 2_000;

/** The path of the whole. */
export const BODY = 'body';

/** Half of a character, which PostgreSQL does not store; with the flag `u` a whole pair does not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** `items[0].quantity`; a key that is no plain name is quoted. */
const placeOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = /^[\w-]{1,64}$/.test(step)
      ? step
      : JSON.stringify(step.slice(0, 64).replace(/\p{Surrogate}/gu, '?'));
    return path === '' ? name : `${path}.${name}`;
  }, '') || BODY;

const BROKEN_UNICODE: Problem = { problem: 'is not well-formed Unicode', arabic: 'النص ليس Unicode صحيحًا' };
const NO_NAME: Problem = { problem: 'is not a field name', arabic: 'ليس اسم حقل' };

const textProblem = (text: string): Problem | null => {
  if (text.includes('\0')) return NUL_CHARACTER;
  return LONE_SURROGATE.test(text) ? BROKEN_UNICODE : null;
};

interface Walk {
  readonly faults: Fault[];
  values: number;
  /** Names without a fault: most repeat. */
  readonly names: Set<string>;
}

const nameProblem = (name: string, { names }: Walk): Problem | null => {
  if (names.has(name)) return null;
  const problem = name === '__proto__' ? NO_NAME : textProblem(name);
  if (problem === null) names.add(name);
  return problem;
};

/**
 * Finds what a schema cannot express: text that cannot be stored, `__proto__`, excessive depth. `steps`: the path of
 * the value, restored on return.
 */
const walk = (value: unknown, steps: (string | number)[], found: Walk): void => {
  found.values += 1;
  if (found.faults.length > 0 && found.values > MANY_VALUES) return;
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem !== null) found.faults.push({ path: placeOf(steps), ...problem });
  } else if (typeof value === 'object' && value !== null) {
    if (steps.length >= MAX_DEPTH) {
      found.faults.push({ path: placeOf(steps.slice(0, 4)), ...TOO_DEEP });
      return;
    }
    const entries = value as Readonly<Record<string | number, unknown>>;
    const keys: Iterable<string | number> = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      steps.push(key);
      const problem = typeof key === 'number' ? null : nameProblem(key, found);
      if (problem === null) walk(entries[key], steps, found);
      else found.faults.push({ path: placeOf(steps), ...problem });
      steps.pop();
    }
  }
};

interface Place {
  readonly path: string;
  /** What the schema was compared with. */
  readonly value: unknown;
}

/** The place of the fault; for a missing or surplus field, and for a name that is none, the path of that field. */
const placeIn = (error: ErrorObject, body: unknown): Place => {
  const steps: (string | number)[] = [];
  let at: unknown = body;
  for (const raw of error.instancePath.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(at) ? Number(key) : key);
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  const params = error.params as Readonly<Record<string, unknown>>;
  const field =
    error.propertyName ??
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'];
  return { path: placeOf(typeof field === 'string' ? [...steps, field] : steps), value: at };
};

/** Keywords whose error only repeats that of a part. */
const FRAMES = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'propertyNames']);

/** Faults that get a hint: hints for 2,000 take 30 ms where 5 words are allowed, 500 ms where 25 are of their length. */
const MAX_SPELLING_HINTS = 20;

const shapeFaults = (errors: readonly ErrorObject[], body: unknown): Fault[] => {
  const plain = errors.filter((error) => !FRAMES.has(error.keyword));
  const byPlace = new Map<string, Fault>();
  for (const error of plain.length > 0 ? plain : errors) {
    const { path, value } = placeIn(error, body);
    if (byPlace.has(path)) continue;
    byPlace.set(path, { path, ...schemaProblem(error, byPlace.size < MAX_SPELLING_HINTS ? value : null) });
  }
  return [...byPlace.values()];
};

export type BodyCheck = (body: unknown) => readonly Fault[];

const ONE_OF_MANY: Fault = {
  path: BODY,
  problem: `has more than ${MANY_VALUES} values, so that no further faults are looked for`,
  arabic: `عدد القيم أكبر من ${MANY_VALUES}، فلا يُبحث عن أخطاء أخرى`,
};

const ajvOf = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    allowUnionTypes: true,
    ...COMPILED_QUICKLY,
  });
  formats.default(ajv, { mode: 'full' });
  return ajv;
};
const first = ajvOf(false);
const every = ajvOf(true);

const compileCheck = (schema: TSchema): BodyCheck => {
  const shape = JSON.parse(JSON.stringify(schema)) as object;
  let firstFault: ValidateFunction | null = null;
  const everyFault: ValidateFunction = every.compile(shape);
  return (body) => {
    if (body === undefined) return [{ path: BODY, ...REQUIRED }];
    const found: Walk = { faults: [], values: 0, names: new Set() };
    walk(body, [], found);
    const hasMany = found.values > MANY_VALUES;
    const validate = hasMany ? (firstFault ??= first.compile(shape)) : everyFault;
    if (found.faults.length === 0 && validate(body)) return [];
    const faults = found.faults.length > 0 ? found.faults : shapeFaults(validate.errors ?? [], body);
    return hasMany ? [...faults.slice(0, 1), ONE_OF_MANY] : faults;
  };
};

const compiled = new WeakMap<TSchema, BodyCheck>();

/** Compiled at the first use of a schema object, once for all servers of a process. */
export const bodyCheck = (schema: TSchema): BodyCheck => {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compileCheck(schema);
  compiled.set(schema, made);
  return made;
};
