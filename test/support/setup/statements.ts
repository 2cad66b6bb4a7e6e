/**
 * Judges each statement that the program sends in this worker: it names its shop at each table of shops
 * (`one-shop.ts`), or is an exception (`exceptions.ts`). The test file whose program sends another one is red.
 */
import { afterAll, inject } from 'vitest';
import { takeFaults, watchStatements } from '../statements/watch.ts';

watchStatements(inject('shopTables'));

afterAll(() => {
  const faults = takeFaults(inject('runFolder'));
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
});
