/**
 * Counter sales, rounds and settled tickets of eight tellers of one branch, beside a replay of the same statements by
 * node-postgres alone.
 */
import { compareWrites } from './support/compare-writes.ts';
import { addFloor, floorJobs } from './support/floor.ts';

await compareWrites(addFloor, floorJobs);
