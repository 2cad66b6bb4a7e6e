/** Uses the parsers of query parameters, without coercion; reports all faults at once (Decisions 14). */
import type { QueryParameter } from '../../platform/contract/endpoint.ts';
import type { Tool } from '../../platform/contract/tool.ts';
import { westernDigits } from '../../kernel/digits.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import type { Fields } from './message.ts';
import { shown } from './text.ts';

const MAX_FAULTS = 20;

const schemaOf = ({
  scalar,
}: QueryParameter): object & { readonly type?: unknown; readonly format?: unknown } => scalar.schema;

const isText = (parameter: QueryParameter): boolean => schemaOf(parameter).type === 'string';

/** Null when the value has another type. */
const textOf = (parameter: QueryParameter, value: unknown): string | null =>
  typeof value === (isText(parameter) ? 'string' : 'number') ? String(value) : null;

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/i;

/** A correction of an invalid value. */
const hintOf = (parameter: QueryParameter, value: unknown, now: Instant): string => {
  const { scalar, required } = parameter;
  if (!isText(parameter) && typeof value === 'string' && scalar.read(value) !== null)
    return ' Give it as a number, without quotes.';
  const id = typeof value === 'string' ? UUID.exec(value)?.[0] : undefined;
  if (id !== undefined && scalar.read(id) !== null) return ` Perhaps ${shown(id)} is meant.`;
  const western = typeof value === 'string' ? westernDigits(value) : undefined;
  if (western !== undefined && western !== value && scalar.read(western) !== null)
    return ` Perhaps ${isText(parameter) ? shown(western) : western} is meant.`;
  // To resolve "tomorrow", a model needs today's date.
  if (schemaOf(parameter).format === 'date') return ` It is ${isoInstant(now)} now.`;
  return required ? '' : ' It may be left out.';
};

const faultOf = (name: string, parameter: QueryParameter, value: unknown, now: Instant): string => {
  const { scalar, description } = parameter;
  return `${name} must be ${scalar.expected.en}, and is ${shown(value)}. ${description}.${hintOf(parameter, value, now)}`;
};

export type ReadArguments =
  { readonly args: Readonly<Record<string, unknown>> } | { readonly faults: readonly string[] };

/** Faults are sentences with argument, value and correction. */
export const readArguments = (tool: Tool, given: Fields, now: Instant): ReadArguments => {
  const args: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, parameter] of Object.entries(tool.args)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (parameter.required) faults.push(`${name} is required: ${parameter.description}.`);
      continue;
    }
    const text = textOf(parameter, value);
    const read = text === null || text.includes('\0') ? null : parameter.scalar.read(text);
    if (read === null) faults.push(faultOf(name, parameter, value, now));
    else args[name] = read;
  }
  const names = Object.keys(tool.args);
  const taken = names.length === 0 ? 'none' : names.join(', ');
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (faults.length + unknown.length === 0) return { args };
  const reported = unknown.slice(0, MAX_FAULTS - faults.length);
  const more = unknown.length - reported.length;
  return {
    faults: [
      ...faults,
      ...reported.map((name) => `${shown(name)} is no argument of ${tool.name}, which takes ${taken}.`),
      ...(more === 0 ? [] : [`And ${more} more like these.`]),
    ],
  };
};
