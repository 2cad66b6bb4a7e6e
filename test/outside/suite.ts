/** Runs an official conformance suite against a server, and reads what it found. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newerNode } from './node.ts';

/** The two that package.json has side by side: the released one, and what comes next. */
export type Suite = '0.1' | '0.2';

/** Which of a suite's scenarios are run, and in which revision's words. */
export interface Selection {
  readonly suite: Suite;
  /** Null: every scenario, each in the newest revision it knows. */
  readonly revision: string | null;
  /** One scenario, also where the suite says that it is not of the revision. */
  readonly only?: string;
}

export type Finding = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

interface Check {
  readonly id: string;
  readonly status: Finding;
  readonly errorMessage?: string;
}

/** What a suite found in each scenario that it ran; null where it gave up in the middle. */
export interface Report {
  readonly scenarios: Readonly<Record<string, readonly Check[] | null>>;
  /** Its exit code and what it said, to be shown when something is not as expected. */
  readonly said: string;
}

const NODE = newerNode();

const programOf = (suite: Suite): string =>
  fileURLToPath(new URL(`node_modules/conformance-${suite}/dist/index.js`, import.meta.url));

const argumentsOf = ({ revision, only }: Selection): string[] => [
  ...(only === undefined ? ['--suite', 'all'] : ['--scenario', only, '--force']),
  ...(revision === null ? [] : ['--spec-version', revision]),
];

const run = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve(`${text}\nended with ${code ?? 'a signal'}`));
  });

/** A folder per scenario: `server-tools-list-2026-11-20T18-00-00-000Z`. */
const NAME = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

const checksIn = (folder: string): readonly Check[] | null => {
  const file = join(folder, 'checks.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : null;
};

export const runSuite = async (selection: Selection, url: string): Promise<Report> => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-conformance-'));
  try {
    const args = ['server', '--url', url, ...argumentsOf(selection), '--output-dir', folder];
    const said = await run(NODE, [programOf(selection.suite), ...args]);
    const scenarios = readdirSync(folder).map((name) => [
      NAME.exec(name)?.[1] ?? name,
      checksIn(join(folder, name)),
    ]);
    return { scenarios: Object.fromEntries(scenarios) as Report['scenarios'], said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
