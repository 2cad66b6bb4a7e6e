/** How a topic declares a tool for AI assistants, and the vocabulary of tool results. */
import Type, { type TSchema } from 'typebox';
import type { QueryParameters } from './endpoint.ts';

/** One tool: its arguments are read by the scalars that read query text, its result is an object of `result`. */
export interface Tool<A extends QueryParameters = QueryParameters, R extends TSchema = TSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: A;
  readonly result: R;
}

export const tool = <const A extends QueryParameters, const R extends TSchema>(
  declared: Tool<A, R>,
): Tool<A, R> => declared;

// A model pays for every character: fields that a shop left empty are omitted, and descriptions appear only in
// docs/tools.md.

export const optionalField = Type.Optional;
export const text = (description: string) => Type.String({ description });
/** One of a few words. The description lists them; the schema does not, to save characters. */
export const word = <T extends string>(description: string) =>
  Type.Unsafe<T>({ type: 'string', description });
export const flag = (description: string) => Type.Boolean({ description });
export const whole = (description: string) => Type.Integer({ description });
/** A fraction of one. */
export const rate = (description: string) => Type.Number({ description });
/** Pounds as a decimal number: 45.5 is 45.50 EGP. */
export const pounds = (description: string) =>
  Type.Number({ description: `${description}, in pounds: 45.5 is 45.50 EGP` });
export const listOf = <T extends TSchema>(entry: T, description: string) =>
  Type.Array(entry, { description });
const namesIn = (description: string) => Type.Unsafe<Record<string, string>>({ type: 'object', description });
export const names = namesIn('The same in other languages, by language code');
export const shortenableNames = namesIn(
  'The same in other languages, by language code; fewer or left out where a menu is shortened',
);
export const currency = text('Of every amount: `EGP`');

/** The fields of a shortened result: a flag, and a sentence that names the omitted parts (Decisions 14). */
export const shortened = {
  truncated: optionalField(flag('True where the result was shortened, else left out')),
  left_out: optionalField(
    text('There with `truncated`: a sentence on what was left out and where all of it is'),
  ),
};
