/** Data folders for tests, in the system's temp folder. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/adapters/embedded-postgres.ts';
import { migrateAndGrant } from '../database/test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Removed at the end of the run. */
    runFolder: string;
  }
}

/** An empty data folder, readable by the unprivileged user that PostgreSQL runs as when the tests run as root. */
export const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-test-'));
  chmodSync(folder, 0o755);
  return folder;
};

export const clusterElsewhere = (dataDir: string): string | null => {
  const file = join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof record === 'object' && record !== null && 'cluster' in record ? String(record.cluster) : null;
};

const prepare = async (): Promise<string> => {
  const dataDir = mkdtempSync(join(inject('runFolder'), 'prepared-'));
  chmodSync(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await migrateAndGrant(server.owner, server.connection);
  } finally {
    await server.release();
  }
  return dataDir;
};

let prepared: Promise<string> | null = null;

/** The folder of the socket is recorded there; each copy needs its own. */
const forgetSocket = (dataDir: string): void => {
  const file = join(dataDir, 'postgres.json');
  const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  delete record['socketDir'];
  writeFileSync(file, JSON.stringify(record));
};

/** Makes an empty data folder one after its first start and stop; a copy takes a tenth of the time of initdb. */
export const addUsedCluster = async (dataDir: string): Promise<void> => {
  prepared ??= prepare().catch((fault: unknown) => {
    prepared = null;
    throw fault;
  });
  const from = await prepared;
  // A cluster outside the data folder is not copied with it.
  if (clusterElsewhere(from) !== null) return;
  execFileSync('cp', ['-a', `${from}/.`, dataDir]);
  forgetSocket(dataDir);
};

export const removeDataFolder = (dataDir: string): void => {
  const elsewhere = clusterElsewhere(dataDir);
  if (elsewhere !== null) rmSync(dirname(elsewhere), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
};
