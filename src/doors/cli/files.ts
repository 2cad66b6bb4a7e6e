import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StartError } from '../../serve/faults.ts';
import type { ImportFile } from '../../shopfile/app/shopfile.ts';
import { picturesBeside } from '../../wiring.ts';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  ENOSPC: 'the disk is full',
  EPIPE: 'who read it has gone',
};

export const fileFault = (verb: 'read' | 'written', path: string, fault: unknown): StartError => {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  const missing = verb === 'read' ? 'there is no such file' : 'there is no such folder';
  const reason = code === 'ENOENT' ? missing : (FILE_FAULTS[code] ?? String(fault));
  return new StartError(`${path} cannot be ${verb}: ${reason}.`);
};

export const onFile = <T>(verb: 'read' | 'written', path: string, step: () => T): T => {
  try {
    return step();
  } catch (fault) {
    throw fault instanceof StartError ? fault : fileFault(verb, path, fault);
  }
};

const CHUNK = 1_048_576;

const figure = (count: number): string => count.toLocaleString('en');

/** Rejects a file over `most` bytes before reading it. */
const readUpTo = (descriptor: number, path: string, most: number): Buffer => {
  const { size } = fstatSync(descriptor);
  if (size > most)
    throw new StartError(
      `${path} is too large: it has ${figure(size)} bytes, and an import reads at most ${figure(most)} (IMPORT_MAX_BYTES).`,
    );
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(CHUNK);
  let total = 0;
  for (;;) {
    const read = readSync(descriptor, chunk, 0, CHUNK, null);
    if (read === 0) return Buffer.concat(chunks);
    total += read;
    if (total > most)
      throw new StartError(
        `${path} is too large: it has more than ${figure(most)} bytes, which is all that an import reads (IMPORT_MAX_BYTES).`,
      );
    // The copy is needed because the chunk is reused.
    chunks.push(Buffer.from(chunk.subarray(0, read)));
  }
};

/** At most `most` bytes together; `-` is standard input. */
export const readInputs = (paths: readonly string[], most: number): ImportFile[] => {
  let left = most;
  return paths.map((path) =>
    onFile('read', path, () => {
      const descriptor = path === '-' ? 0 : openSync(path, 'r');
      try {
        const bytes = readUpTo(descriptor, path === '-' ? 'standard input' : path, left);
        left -= bytes.length;
        const text = bytes.toString('utf8');
        return path === '-'
          ? { name: 'standard input', text }
          : { name: basename(path), text, folder: picturesBeside(dirname(path)) };
      } finally {
        if (descriptor !== 0) closeSync(descriptor);
      }
    }),
  );
};
