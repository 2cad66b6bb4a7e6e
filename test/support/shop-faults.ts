/** One mistake at a time in the rich shop file, and what is said about it. */
import { expect, test } from 'vitest';
import { aRichShopFile } from './build.ts';
import { faultsOfImport, told, type ShopHouse } from './shop-imports.ts';

/** The rich file with the value at `path` replaced, or taken out where it is undefined. */
export const withValue = (path: string, value: unknown): unknown => {
  const file: unknown = structuredClone(aRichShopFile());
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const last = parts.pop() ?? '';
  let inner: unknown = file;
  for (const part of parts) inner = Reflect.get(inner as object, part);
  if (value === undefined) Reflect.deleteProperty(inner as object, last);
  else Reflect.set(inner as object, last, value);
  return file;
};

/** Importing `value` is refused with one fault, at this place and in these words. */
export const expectOnly = async (
  house: ShopHouse,
  value: unknown,
  at: string,
  problem: RegExp,
): Promise<void> => {
  const faults = await faultsOfImport(house.importText(JSON.stringify(value)));
  expect(told(faults)).toHaveLength(1);
  expect(faults[0]?.path).toBe(at);
  expect(faults[0]?.problem).toMatch(problem);
};

/** What is put where, the words it gets, and the place that is named where it is another one. */
type Mistake = readonly [path: string, value: unknown, problem: RegExp, at?: string];

/** A test for each mistake, called by its sentence. */
export const testMistakes = (house: () => ShopHouse, mistakes: Readonly<Record<string, Mistake>>): void => {
  test.each(Object.entries(mistakes))('%s is a fault', async (_, [path, value, problem, at = path]) => {
    await expectOnly(house(), withValue(path, value), at, problem);
  });
};
