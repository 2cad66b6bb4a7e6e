// Behind every `npm run …`: brings packages and build up to date where the command needs them, runs it, passes
// signals and exit codes through, and ends with the npm that started it. Needs nothing that is not in Node.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from './audit.mjs';
import { installBrowser } from './browser.mjs';
import { ASSET_LIST, build, watchAssets } from './build.mjs';
import { check, root, Stop } from './checkout.mjs';
import { install, installForTests, installForOutside } from './install.mjs';
import { runNode } from './process.mjs';
import { sbom } from './sbom.mjs';

const tool = (name, file) => [join(root, 'node_modules', name, file)];
const vitest = tool('vitest', 'vitest.mjs');
const eslint = tool('eslint', 'bin/eslint.js');
const prettier = tool('prettier', 'bin/prettier.cjs');
const tsc = tool('typescript', 'bin/tsc');
const tsx = tool('tsx', 'dist/cli.mjs');

/** A command that is a program of Node with the given arguments added. */
const node =
  (...command) =>
  (args) =>
    runNode([...command.flat(), ...args]);

/** Runs programs of bench/ one after the other; every goal they have, met or not, is listed again at the end. */
const runBenches = async (names) => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-goals-'));
  const summary = join(folder, 'summary');
  const env = { ...process.env, AHWA_BENCH_SUMMARY: summary };
  try {
    for (const name of names) {
      const code = await runNode([...tsx, join(root, 'bench', `${name}.ts`)], { env });
      if (code !== 0) return code;
    }
    if (existsSync(summary)) process.stdout.write(`\nGoals\n\n${readFileSync(summary, 'utf8')}`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Benches of pages in a browser, which the tests bring. */
const BROWSER_BENCHES = ['pages'];

/** The programs of bench/, or those whose names were given. */
const bench = async (names) => {
  const all = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  const unknown = names.find((name) => !all.includes(name));
  const chosen = names.length > 0 ? names : all;
  if (unknown !== undefined) throw new Stop(`there is no bench "${unknown}"; there are: ${all.join(', ')}`);
  if (chosen.some((name) => BROWSER_BENCHES.includes(name))) {
    await installForTests();
    await installBrowser();
  }
  return runBenches(chosen);
};

/** Soaks of the whole program, which is built first. */
const PROGRAM_SOAKS = ['siege', 'tables', 'sync'];

/** An engine against its reference implementation (`deals`, also without a name, `seating` or `loyalty`), or the whole program (`siege`, `tables`, `sync`). */
const soak = async (args) => {
  const [name, ...rest] = args;
  const run = (soaked, more) => runNode([...tsx, join(root, 'test', 'soak', `${soaked}.ts`), ...more]);
  if (name === 'seating' || name === 'loyalty') return run(name, rest);
  if (!PROGRAM_SOAKS.includes(name)) return run('deals', args);
  await installForTests();
  await build();
  return run(name, rest);
};

/** The server, started again after every change of its sources and of the pages' scripts and styles. */
const dev = async (args) => {
  const stop = watchAssets();
  try {
    return await runNode([...tsx, 'watch', '--include', ASSET_LIST, join(root, 'src', 'main.ts'), ...args]);
  } finally {
    stop();
  }
};

/** Citus comes with neither npm nor Debian, and has a licence of its own: whoever has it names its server. */
const needCitus = () => {
  if (!process.env.CITUS_URL)
    throw new Stop(
      'test:citus needs CITUS_URL: the address of a PostgreSQL of this machine with Citus, as a superuser (docs/scaling.md)',
      2,
    );
};

/** What each command needs first, and what it does. */
const COMMANDS = {
  start: { needs: [install, build], run: node(join(root, 'dist', 'main.js')) },
  test: { needs: [install, installForTests, installBrowser, build], run: node(vitest, 'run') },
  'test:outside': {
    needs: [install, installForTests, installForOutside, installBrowser, build],
    run: node(vitest, 'run', '--config', join('test', 'outside', 'vitest.config.ts')),
  },
  'test:ha': {
    needs: [install, installForTests, build],
    run: node(
      join(root, 'scripts', 'three-machines.mjs'),
      ...[vitest, 'run', '--config', join('test', 'ha', 'vitest.config.ts')].flat(),
    ),
  },
  'test:citus': {
    needs: [needCitus, install, installForTests, build],
    run: node(vitest, 'run', '--config', join('test', 'citus', 'vitest.config.ts')),
  },
  bench: { needs: [install, build], run: bench },
  soak: { needs: [install], run: soak },
  // File names in its arguments are those of the folder the person is in.
  ahwa: {
    needs: [install, build],
    run: (args) =>
      runNode([join(root, 'dist', 'cli.js'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() }),
  },
  dev: { needs: [install, build], run: dev },
  build: { needs: [install, build], run: () => 0 },
  screenshots: {
    needs: [install, installForTests, installBrowser, build],
    run: node(tsx, join(root, 'test', 'screenshots.ts')),
  },
  messages: { needs: [install], run: node(tsx, join(root, 'scripts', 'write-messages.mjs')) },
  typecheck: { needs: [install, installForTests], run: node(tsc, '-p', 'tsconfig.json') },
  lint: { needs: [install, installForTests], run: node(eslint, '.') },
  audit: { needs: [], run: audit },
  sbom: { needs: [], run: sbom },
  format: { needs: [install], run: node(prettier, '--write', '.') },
};

const main = async ([name, ...args]) => {
  check();
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (command === undefined)
    throw new Stop(`usage: node scripts/run.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
  for (const need of command.needs) await need();
  return command.run(args);
};

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (fault) => {
    console.error(fault instanceof Stop ? `ahwa: ${fault.message}` : fault);
    process.exitCode = fault instanceof Stop ? fault.exitCode : 1;
  },
);
