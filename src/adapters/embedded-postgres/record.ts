import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritOwner, PRIVATE_FILE } from '../private-files.ts';
import { codeOf } from './fault.ts';

export interface DataRecord {
  readonly socketDir?: string;
  /** PostgreSQL's data folder, if it is outside the data folder. */
  readonly cluster?: string;
  /** Id of the user created for PostgreSQL; identifies its data after the user was deleted. */
  readonly ownUserId?: string;
}

const fileOf = (dataDir: string): string => join(dataDir, 'postgres.json');

const text = (value: object, key: string): Record<string, string> => {
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? { [key]: found } : {};
};

export const readRecord = (dataDir: string): DataRecord => {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return typeof value === 'object' && value !== null
      ? { ...text(value, 'socketDir'), ...text(value, 'cluster'), ...text(value, 'ownUserId') }
      : {};
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT' || fault instanceof SyntaxError) return {};
    throw fault;
  }
};

/** Atomic. */
export const addToRecord = (dataDir: string, more: DataRecord): void => {
  const half = `${fileOf(dataDir)}.new`;
  const text = `${JSON.stringify({ ...readRecord(dataDir), ...more }, null, 2)}\n`;
  rmSync(half, { force: true });
  // `wx`: the folder may be another user's, who could have placed a link.
  writeFileSync(half, text, { ...PRIVATE_FILE, flag: 'wx' });
  inheritOwner(dataDir, half);
  renameSync(half, fileOf(dataDir));
};
