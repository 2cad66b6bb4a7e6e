/** The deals engine bundled with some of its source replaced. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type * as Best from '../../src/pricing/domain/deals/best.ts';
import type * as Compiled from '../../src/pricing/domain/deals/compiled-deals.ts';
import type * as Program from '../../src/pricing/domain/deals/dynamic-program.ts';
import type * as Presolve from '../../src/pricing/domain/deals/presolve.ts';
import type * as Problem from '../../src/pricing/domain/deals/problem.ts';
import type * as Solve from '../../src/pricing/domain/deals/solve.ts';
import { BUNDLED } from './engine.ts';
import { ROOT } from './processes.ts';

const DEALS = join(ROOT, 'src', 'pricing', 'domain', 'deals');

/** A place in a file of the deals engine, and what stands there instead. */
export interface Edit {
  /** Below `src/pricing/domain/deals`. */
  readonly file: string;
  /** Matches once in the file; its group `value` is replaced. */
  readonly found: RegExp;
  readonly by: string;
}

/** The match of `found`, and where its group `value` begins and ends. Throws unless there is exactly one. */
const onlyMatch = (source: string, { file, found }: Edit): readonly [from: number, to: number] => {
  const matches = [...source.matchAll(new RegExp(found.source, 'dgm'))];
  const place = matches[0]?.indices?.groups?.['value'];
  if (place === undefined || matches.length !== 1)
    throw new Error(
      `${file} has ${matches.length} places like ${String(found)}, not one: adapt the ablation.`,
    );
  return place;
};

const read = (file: string): string => readFileSync(join(DEALS, file), 'utf8');

/** What stands in the source. */
export const valueIn = (edit: Edit): string => {
  const source = read(edit.file);
  return source.slice(...onlyMatch(source, edit));
};

const edited = (source: string, edit: Edit): string => {
  const [from, to] = onlyMatch(source, edit);
  return source.slice(0, from) + edit.by + source.slice(to);
};

/** Replaces text in the files; the files of all edits must be part of the bundle. */
const replacing = (edits: readonly Edit[]): Plugin => ({
  name: 'edits',
  setup(bundle) {
    const missing = new Set(edits.map(({ file }) => file));
    bundle.onLoad({ filter: /[\\/]pricing[\\/]domain[\\/]deals[\\/].*\.ts$/ }, ({ path }) => {
      const own = edits.filter(({ file }) => path === join(DEALS, file));
      for (const { file } of own) missing.delete(file);
      return { contents: own.reduce(edited, readFileSync(path, 'utf8')), loader: 'ts' };
    });
    bundle.onEnd(() => {
      for (const file of missing) throw new Error(`${file} is not part of the engine: adapt the ablation.`);
    });
  },
});

/** What the ablations call. */
export type Engine = Pick<typeof Best, 'bestDeals'> &
  Pick<typeof Compiled, 'compiledDeals'> &
  Pick<typeof Problem, 'problemsOf'> &
  Pick<typeof Presolve, 'presolve'> &
  Pick<typeof Program, 'fitsDynamicProgram'> &
  Pick<typeof Solve, 'solveWithin'> & {
    /** Whether `solveWithin` does not try. */
    readonly isLarge: (presolved: Presolve.PresolvedProblem, fitsProgram: boolean) => boolean;
  };

/** The engine does not export it. */
const EXPORTED: Edit = { file: 'solve.ts', found: /^(?<value>const) isLarge = /, by: 'export const' };

const ENTRY = `
  export { bestDeals } from './best.ts';
  export { compiledDeals } from './compiled-deals.ts';
  export { fitsDynamicProgram } from './dynamic-program.ts';
  export { presolve } from './presolve.ts';
  export { problemsOf } from './problem.ts';
  export { isLarge, solveWithin } from './solve.ts';
`;

let bundles = 0;

/** Each call bundles an engine of its own. */
export const editedEngine = async (folder: string, edits: readonly Edit[]): Promise<Engine> => {
  const outfile = join(folder, `edited-${bundles++}.mjs`);
  await build({
    ...BUNDLED,
    stdin: { contents: ENTRY, resolveDir: DEALS, loader: 'ts' },
    outfile,
    plugins: [replacing([...edits, EXPORTED])],
  });
  return (await import(pathToFileURL(outfile).href)) as Engine;
};
