/**
 * Vitest global setup: after a run of all tests, every place of the program that sends a statement was judged
 * (`statements.ts`), and every exception is still one. What no test sends nobody has judged.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ELSEWHERE, EXCEPTIONS } from '../statements/exceptions.ts';
import { REPORT, SRC } from '../statements/watch.ts';

/** Not the `execute` of a transaction. */
const SENDS = /\.execute(?:TakeFirst(?:OrThrow)?)?\((?!work\))/;

const senders = (): string[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$/.test(path))
    .flatMap((path) =>
      readFileSync(join(SRC, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (SENDS.test(line) ? [`${path.split(sep).join('/')}:${index + 1}`] : [])),
    );

const isWholeRun = async (project: TestProject): Promise<boolean> => {
  const { state, config } = project.vitest;
  const { testFiles } = await project.globTestFiles();
  const isFiltered = state.getPaths().length < testFiles.length || config.testNamePattern !== undefined;
  return !isFiltered && state.getCountOfFailedTests() === 0;
};

/** Empty: all is well. */
const missing = (report: readonly string[]): string[] => {
  const seen = new Set(report);
  const unseen = senders().filter((place) => !seen.has(`sent ${place}`));
  const unused = Object.keys(EXCEPTIONS).filter((name) => !seen.has(`excepted ${name}`));
  return [
    ...unseen
      .filter((place) => !((place.split(':')[0] ?? '') in ELSEWHERE))
      .map(
        (place) =>
          `No test makes the program send the statement at src/${place}: nobody knows whether it names its shop.`,
      ),
    ...unused.map((name) => `${name} names its shop now, or is gone: take it off the exceptions.`),
  ];
};

export default function setup(project: TestProject): () => Promise<void> {
  return async () => {
    const file = join(project.getProvidedContext().runFolder, REPORT);
    if (!existsSync(file) || !(await isWholeRun(project))) return;
    const faults = missing(readFileSync(file, 'utf8').split('\n'));
    if (faults.length === 0) return;
    console.error(`\n${faults.join('\n')}\n`);
    // Vitest logs what a teardown throws, and ends with the code that it had.
    process.exitCode = 1;
  };
}
