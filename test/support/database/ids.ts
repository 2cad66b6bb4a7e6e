import type { Uuid } from '../../../src/kernel/ids.ts';

let made = 0;
/** An id that no other row made in this worker has. */
export const newId = (): Uuid => `0d000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
