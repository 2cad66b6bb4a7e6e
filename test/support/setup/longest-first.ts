/** The order of the test files in a run. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes minutes, whatever the size of its file. */
const LONGEST = [/\/test\/sync\/simulator/, /\/test\/process\//, /\/test\/pages\//];

/** Its attackers take all of a machine: beside the longest its guests would be served too late. */
const LAST = /\/test\/process\/siege/;

const rankOf = ({ moduleId }: TestSpecification): number => {
  if (LAST.test(moduleId)) return LONGEST.length + 1;
  const rank = LONGEST.findIndex((path) => path.test(moduleId));
  return rank === -1 ? LONGEST.length : rank;
};

/** Else the last worker is left alone with a long one; within a rank as Vitest sorts them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
