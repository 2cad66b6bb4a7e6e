/** Tests of one mistake each in the full shop file, and its fault. */
import { expect, test } from 'vitest';
import { aFullShopFile } from './full-shop-file.ts';
import { faultsOfImport, faultLines, type ImportFixture } from './shop-import.ts';

/** The full shop file with the value at `path` replaced; undefined removes it. */
export const withValue = (path: string, value: unknown): unknown => {
  const file: unknown = structuredClone(aFullShopFile());
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  const last = parts.pop() ?? '';
  let inner: unknown = file;
  for (const part of parts) inner = Reflect.get(inner as object, part);
  if (value === undefined) Reflect.deleteProperty(inner as object, last);
  else Reflect.set(inner as object, last, value);
  return file;
};

/** Importing `value` is refused with exactly one fault: this path and problem. */
export const expectOnly = async (
  house: ImportFixture,
  value: unknown,
  at: string,
  problem: RegExp,
): Promise<void> => {
  const faults = await faultsOfImport(house.importText(JSON.stringify(value)));
  expect(faultLines(faults)).toHaveLength(1);
  expect(faults[0]?.path).toBe(at);
  expect(faults[0]?.problem).toMatch(problem);
};

/** Path, value, problem, and the reported path where it differs. */
type Mistake = readonly [path: string, value: unknown, problem: RegExp, at?: string];

/** One test per mistake, titled by its key. */
export const testMistakes = (
  house: () => ImportFixture,
  mistakes: Readonly<Record<string, Mistake>>,
): void => {
  test.each(Object.entries(mistakes))('%s is a fault', async (_, [path, value, problem, at = path]) => {
    await expectOnly(house(), withValue(path, value), at, problem);
  });
};
