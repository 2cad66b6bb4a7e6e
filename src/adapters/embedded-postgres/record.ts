/** What the data folder remembers about its database: where the socket is, and where the data is when not inside. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOwner, OWN_FILE } from '../owner.ts';
import { codeOf } from './fault.ts';

export interface DataRecord {
  /** The private folder of the server's socket. */
  readonly socketDir?: string;
  /** The folder of the data, only when it could not be inside the data folder. */
  readonly cluster?: string;
  /** The id of the user made for PostgreSQL that the data was given to: known again where the user is gone since. */
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

/** Adds to the record, as a whole file or not at all. */
export const addToRecord = (dataDir: string, more: DataRecord): void => {
  const half = `${fileOf(dataDir)}.new`;
  const text = `${JSON.stringify({ ...readRecord(dataDir), ...more }, null, 2)}\n`;
  rmSync(half, { force: true });
  // Made anew: the folder may be another user's, who could have put a link there.
  writeFileSync(half, text, { ...OWN_FILE, flag: 'wx' });
  keepOwner(dataDir, half);
  renameSync(half, fileOf(dataDir));
};
