/** Data folders for tests, in the system's temp folder. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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

export const removeDataFolder = (dataDir: string): void => {
  const elsewhere = clusterElsewhere(dataDir);
  if (elsewhere !== null) rmSync(dirname(elsewhere), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
};
