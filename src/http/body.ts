/** A request body: JSON text, validated by the operation's shape without coercion; every fault gets its place. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { invalidInput } from '../domain/refusal.ts';
import type { Fault } from '../domain/refusal.ts';

/** Deeper bodies are refused before anything walks them. */
const MAX_DEPTH = 32;
const MAX_FAULTS = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const BODY = 'body';

/** Half of a character: no database stores it. (Read by `u`, a whole pair is one character and not matched.) */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The value of the JSON text; undefined when there is no text. Throws INVALID_INPUT. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidInput({ path: BODY, problem: 'is not valid UTF-8' });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidInput({ path: BODY, problem: 'is not valid JSON' });
  }
};

/** `items[0].quantity`; a key that is not a plain name is quoted. */
const placeOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = /^[\w-]{1,64}$/.test(step)
      ? step
      : JSON.stringify(step.slice(0, 64).replace(/\p{Surrogate}/gu, '?'));
    return path === '' ? name : `${path}.${name}`;
  }, '') || BODY;

const textProblem = (text: string): string | null => {
  if (text.includes('\0')) return 'has a NUL character';
  return LONE_SURROGATE.test(text) ? 'is not well-formed Unicode' : null;
};

type Steps = readonly (string | number)[];

/** Faults that no schema speaks of: unstorable text, a key that would reach a prototype, endless depth. */
const textFaults = (value: unknown, steps: Steps = [], faults: Fault[] = []): Fault[] => {
  if (faults.length >= MAX_FAULTS) return faults;
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem !== null) faults.push({ path: placeOf(steps), problem });
  } else if (typeof value === 'object' && value !== null) {
    if (steps.length >= MAX_DEPTH) {
      faults.push({ path: placeOf(steps.slice(0, 4)), problem: 'is nested too deeply' });
      return faults;
    }
    const children: Iterable<readonly [string | number, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, child] of children) {
      const place = [...steps, key];
      const problem =
        key === '__proto__' ? 'is not a field name' : typeof key === 'string' ? textProblem(key) : null;
      if (problem === null) textFaults(child, place, faults);
      else faults.push({ path: placeOf(place), problem });
    }
  }
  return faults;
};

const article = (word: string): string => (/^[aeio]/.test(word) ? `an ${word}` : `a ${word}`);

const counted = (limit: unknown, one: string, many: string): string =>
  `${String(limit)} ${limit === 1 ? one : many}`;

/** The end of a sentence that begins with the field's name. */
const problemOf = (error: ErrorObject): string => {
  const { keyword, params } = error as { keyword: string; params: Readonly<Record<string, unknown>> };
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type': {
      const types = (Array.isArray(params['type']) ? params['type'] : [params['type']]).map(String);
      return `must be ${types.map((type) => (type === 'null' ? type : article(type))).join(' or ')}`;
    }
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly unknown[]).map(String).join(', ')}`;
    case 'format':
      return `must be in the format ${String(params['format'])}`;
    case 'minimum':
      return `must be ${String(params['limit'])} or more`;
    case 'maximum':
      return `must be ${String(params['limit'])} or less`;
    case 'minItems':
      return `must have at least ${counted(params['limit'], 'entry', 'entries')}`;
    case 'maxItems':
      return `must have at most ${counted(params['limit'], 'entry', 'entries')}`;
    case 'minLength':
      return `must have at least ${counted(params['limit'], 'character', 'characters')}`;
    case 'maxLength':
      return `must have at most ${counted(params['limit'], 'character', 'characters')}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a field here';
    default:
      return error.message ?? 'is not valid';
  }
};

/** Where the fault stands: the parent for most, the missing or surplus field itself for those. */
const stepsOf = (error: ErrorObject, body: unknown): Steps => {
  const steps: (string | number)[] = [];
  let at: unknown = body;
  for (const raw of error.instancePath.split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(at) ? Number(key) : key);
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  const params = error.params as Readonly<Record<string, unknown>>;
  const field = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof field === 'string' ? [...steps, field] : steps;
};

/** Keywords that only say that a part of theirs failed. */
const FRAMES = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not']);

const shapeFaults = (errors: readonly ErrorObject[], body: unknown): Fault[] => {
  const plain = errors.filter((error) => !FRAMES.has(error.keyword));
  const byPlace = new Map<string, Fault>();
  for (const error of plain.length > 0 ? plain : errors) {
    const path = placeOf(stepsOf(error, body));
    if (!byPlace.has(path)) byPlace.set(path, { path, problem: problemOf(error) });
    if (byPlace.size >= MAX_FAULTS) break;
  }
  return [...byPlace.values()];
};

/** Every fault of a body; one without is exactly what was sent. */
export type BodyCheck = (body: unknown) => readonly Fault[];

/** All errors are collected; the body limit bounds their number. */
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allowUnionTypes: true,
});
formats.default(ajv, { mode: 'full' });

export const bodyCheck = (schema: TSchema): BodyCheck => {
  const validate: ValidateFunction = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
  return (body) => {
    if (body === undefined) return [{ path: BODY, problem: 'is required' }];
    const texts = textFaults(body);
    if (texts.length > 0) return texts;
    return validate(body) ? [] : shapeFaults(validate.errors ?? [], body);
  };
};
