/** Values that running processes publish in the data folder, one file per process. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritOwner, PRIVATE_FILE, createPrivateFolder } from './private-files.ts';
import { isAlive, ownProcessIdentity } from './process-identity.ts';

export interface SharingScope {
  readonly dataDir: string;
  /** Null: the embedded database. */
  readonly databaseUrl: string | null;
}

export interface SharedValues {
  /** Deletes those of dead processes. */
  read(): string[];
  /** Returns an idempotent function that removes the value. */
  publish(text: string): () => void;
}

/** Named by a digest, because the URL may contain a password. */
const folderOf = ({ dataDir, databaseUrl }: SharingScope, topic: string): string =>
  join(
    dataDir,
    'run',
    `${topic}-${createHash('sha256')
      .update(databaseUrl ?? '')
      .digest('hex')
      .slice(0, 12)}`,
  );

const entries = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** `topic` is part of a file name. */
export const sharedValues = (owner: SharingScope, topic: string): SharedValues => {
  const folder = folderOf(owner, topic);
  const readOne = (name: string): string[] => {
    const file = join(folder, name);
    try {
      if (isAlive(name)) return [readFileSync(file, 'utf8')];
      rmSync(file, { force: true });
    } catch {
      // Just removed, or not ours to remove.
    }
    return [];
  };
  return {
    read: () => entries(folder).flatMap(readOne),
    publish: (text) => {
      createPrivateFolder(folder);
      for (const path of [join(owner.dataDir, 'run'), folder]) inheritOwner(owner.dataDir, path);
      const file = join(folder, ownProcessIdentity());
      writeFileSync(file, text, PRIVATE_FILE);
      return () => rmSync(file, { force: true });
    },
  };
};
