/** JSON that others wrote, read field by field: whatever is not as it should be is not there. */

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The field `name` of an object; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The entries of the list in the field `name`; none where it is no list. */
export const entriesOf = (value: unknown, name: string): readonly unknown[] => {
  const list: unknown = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
};

/** A text of 1 to `longest` characters, or null. */
export const textIn = (value: unknown, longest: number): string | null =>
  typeof value === 'string' && value.length >= 1 && value.length <= longest ? value : null;

/** The value that JSON text stands for; undefined where it is no JSON, which no JSON stands for. */
export const valueOfJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
