import type { Plain } from './shapes.ts';
import { isPlain, namedBy } from './shapes.ts';

const HIGHEST_INT32 = 2_147_483_647;

/** Null when the schema is no map. */
const valuesOf = ({ patternProperties, additionalProperties }: Plain): unknown => {
  if (isPlain(patternProperties)) return Object.values(patternProperties)[0];
  return isPlain(additionalProperties) ? additionalProperties : null;
};

/** The one value that a schema allows, which is no object. */
export const constText = (only: unknown): string => (typeof only === 'string' ? only : JSON.stringify(only));

/** Of the values of a map, which are of several types. */
const inBrackets = (type: string): string => (type.includes(' or ') ? `(${type})` : type);

/** A named schema becomes a link to its table. */
export const typeOf = (schema: unknown): string => {
  if (!isPlain(schema)) return 'any';
  const named = namedBy(schema);
  if (named !== null) {
    const { name, isNullable } = named;
    return `[${name}](#${name.toLowerCase()})${isNullable ? ' or null' : ''}`;
  }
  const { type = 'any', format, items, enum: words, anyOf, const: only } = schema;
  if (only !== undefined) return `\`${constText(only)}\``;
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ');
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ');
  const values = valuesOf(schema);
  return (Array.isArray(type) ? type : [type])
    .map((each) => {
      if (each === 'array') return `array of ${typeOf(items)}`;
      if (each === 'object' && values !== null) return `map of ${inBrackets(typeOf(values))}`;
      if (type === 'object' && !isPlain(schema['properties'])) return 'map';
      return each !== 'null' && typeof format === 'string' ? format : String(each);
    })
    .join(' or ');
};

const descriptionOf = (schema: unknown): string =>
  isPlain(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Null without bounds. */
const spanOf = (lowest: number | null, highest: number | null): string | null => {
  if (highest === null) return lowest === null ? null : `at least ${lowest}`;
  return lowest === null ? `at most ${highest}` : `${lowest} to ${highest}`;
};

/** A format says more than its pattern. */
const patternOf = ({ pattern, format }: Plain): string =>
  typeof pattern === 'string' && format === undefined ? `, as \`${pattern}\`` : '';

const boundsOf = (schema: Plain): string => {
  const at = (key: string): number | null => numberOf(schema[key]);
  // The format says the bounds of its own.
  const isWithin = Math.abs(at('maximum') ?? 0) < HIGHEST_INT32 || schema['format'] === undefined;
  const lowest = at('minimum') === -HIGHEST_INT32 - 1 ? null : at('minimum');
  const characters = schema['format'] === undefined ? spanOf(at('minLength'), at('maxLength')) : null;
  const bounds = characters === null ? null : `${characters} characters`;
  const span =
    bounds ?? spanOf(at('minItems'), at('maxItems')) ?? spanOf(lowest, isWithin ? at('maximum') : null);
  return `${span === null ? '' : `, ${span}`}${patternOf(schema)}`;
};

/** Bodies reject unknown fields, replies do not. */
export const isBody = (schema: Plain): boolean => schema['additionalProperties'] === false;

/** All fields with their paths, such as `faults[].code`. Named schemas have their own tables. */
export const fieldRows = (schema: Plain, above = ''): string[][] => {
  const { properties, required, items } = schema;
  if (isPlain(items)) return namedBy(items) === null ? fieldRows(items, `${above}[]`) : [];
  if (!isPlain(properties)) return [];
  const always: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, of]) => {
    const place = above === '' ? name : `${above}.${name}`;
    const type = `${typeOf(of)}${isBody(schema) && isPlain(of) ? boundsOf(of) : ''}`;
    return [
      [`\`${place}\``, type, always.includes(name) ? 'yes' : 'no', descriptionOf(of)],
      ...(isPlain(of) && namedBy(of) === null ? fieldRows(of, place) : []),
    ];
  });
};
