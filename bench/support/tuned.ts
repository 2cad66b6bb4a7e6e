/** How the lists of ablations name what tunes the deals engine. */
import { valueIn, type Edit } from './engine-edits.ts';

interface Replacement {
  readonly by: string;
  /** Short. */
  readonly name: string;
}

/** A constant or mechanism, and what the ablations put in its place. */
export interface Tuned {
  readonly name: string;
  readonly what: string;
  readonly place: Omit<Edit, 'by'>;
  /** Its value in the source, or "on". */
  readonly value: string;
  readonly others: readonly Replacement[];
}

const tuned = (name: string, what: string, place: Tuned['place'], values: readonly string[]): Tuned => ({
  name,
  what,
  place,
  value: valueIn({ ...place, by: '' }),
  others: values.map((by) => ({ by, name: by })),
});

const declaration = (name: string): string => `^(?:export )?const ${name}(?:: [^=]+)? = `;

export const constant = (file: string, name: string, what: string, ...values: readonly string[]): Tuned =>
  tuned(name, what, { file, found: new RegExp(`${declaration(name)}(?<value>[^;]+);`) }, values);

/** A number in a constant that is an object. */
export const field = (
  file: string,
  [name, key]: readonly [name: string, key: string],
  what: string,
  ...values: readonly string[]
): Tuned => {
  const found = new RegExp(`${declaration(name)}\\{[^;]*\\b${key}: (?<value>[^,{}]+?) ?[,}][^;]*;`);
  return tuned(`${name}.${key}`, what, { file, found }, values);
};

/** Source that is replaced by other source, which switches it off. */
export const mechanism = (file: string, name: string, found: RegExp, by: string): Tuned => ({
  name,
  what: 'mechanism',
  place: { file, found },
  value: 'on',
  others: [{ by, name: 'off' }],
});
