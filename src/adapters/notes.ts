/**
 * What running processes tell those beside them through the data folder: one file each, named after its process,
 * so that what dead ones left is seen to be theirs.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOwner, OWN_FILE, ownFolder } from './owner.ts';
import { isAlive, ownName } from './processes.ts';

/** Whose notes: the processes on one data folder that serve the same database. */
export interface NoteOwner {
  readonly dataDir: string;
  /** Null = the embedded database of the data folder. */
  readonly databaseUrl: string | null;
}

export interface Notes {
  /** What living processes tell; notes of dead ones are removed. */
  read(): string[];
  /** Tells `text` to all who come. Gives the function that takes it back, safe to call twice. */
  leave(text: string): () => void;
}

/** One folder per database; its address may hold a password, so only a digest of it is written. */
const folderOf = ({ dataDir, databaseUrl }: NoteOwner, topic: string): string =>
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

/** The notes on one topic, a word fit for a file name. */
export const notesOf = (owner: NoteOwner, topic: string): Notes => {
  const folder = folderOf(owner, topic);
  const readOne = (name: string): string[] => {
    const file = join(folder, name);
    try {
      if (isAlive(name)) return [readFileSync(file, 'utf8')];
      rmSync(file, { force: true });
    } catch {
      // Taken back at this moment, or not ours to remove.
    }
    return [];
  };
  return {
    read: () => entries(folder).flatMap(readOne),
    leave: (text) => {
      ownFolder(folder);
      for (const path of [join(owner.dataDir, 'run'), folder]) keepOwner(owner.dataDir, path);
      const file = join(folder, ownName());
      writeFileSync(file, text, OWN_FILE);
      return () => rmSync(file, { force: true });
    },
  };
};
