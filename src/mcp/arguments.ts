/** A tool's arguments, read by the scalars that read query text, without coercion; every fault at once (Decisions 14). */
import type { QueryParameter } from '../contract/endpoint.ts';
import type { Tool } from '../contract/tools.ts';
import type { Fields } from './message.ts';
import { shown } from './say.ts';

const MAX_FAULTS = 20;

/** The JSON value as the text that the scalar reads; null when it is of another type. */
const textOf = ({ scalar }: QueryParameter, value: unknown): string | null => {
  const isText = 'type' in scalar.schema && scalar.schema.type === 'string';
  return typeof value === (isText ? 'string' : 'number') ? String(value) : null;
};

export type ReadArguments =
  { readonly args: Readonly<Record<string, unknown>> } | { readonly faults: readonly string[] };

/** The values by name, or every fault as a sentence that names the argument, the value and how to mend it. */
export const readArguments = (tool: Tool, given: Fields): ReadArguments => {
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
    if (read === null)
      faults.push(
        `${name} must be ${parameter.scalar.expected}, and is ${shown(value)}. ${parameter.description}.`,
      );
    else args[name] = read;
  }
  const names = Object.keys(tool.args);
  for (const name of Object.keys(given))
    if (!names.includes(name))
      faults.push(
        `${shown(name)} is no argument of ${tool.name}, which takes ${names.length === 0 ? 'none' : names.join(', ')}.`,
      );
  return faults.length === 0 ? { args } : { faults: faults.slice(0, MAX_FAULTS) };
};
