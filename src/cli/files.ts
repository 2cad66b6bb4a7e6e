/** Files that commands are given by name. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartError } from '../serve.ts';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  ENOSPC: 'the disk is full',
  EPIPE: 'who read it has gone',
};

/** A fault of the file system as a sentence. */
export const fileFault = (verb: 'read' | 'written', path: string, fault: unknown): StartError => {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  const missing = verb === 'read' ? 'there is no such file' : 'there is no such folder';
  const reason = code === 'ENOENT' ? missing : (FILE_FAULTS[code] ?? String(fault));
  return new StartError(`${path} cannot be ${verb}: ${reason}.`);
};

/** Runs a step on a file; a fault of the file system becomes a sentence. */
export const onFile = <T>(verb: 'read' | 'written', path: string, step: () => T): T => {
  try {
    return step();
  } catch (fault) {
    throw fault instanceof StartError ? fault : fileFault(verb, path, fault);
  }
};

/** The text of a file; `-` is standard input. */
export const readInput = (path: string): { name: string; text: string } => ({
  name: path === '-' ? 'standard input' : basename(path),
  text: onFile('read', path, () => readFileSync(path === '-' ? 0 : path, 'utf8')),
});
