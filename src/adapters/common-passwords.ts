/** The list of passwords that most people choose, as it is shipped: brotli, a line each, in small letters. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { CommonPasswords } from '../ports.ts';

/** Read when it is asked for first: a server that sets no password holds none of its 0.9 MB. */
export const commonPasswordsIn = (file: string): CommonPasswords => {
  let lines: string | null = null;
  return {
    has: (password) => {
      lines ??= `\n${brotliDecompressSync(readFileSync(file)).toString('utf8')}\n`;
      return !password.includes('\n') && lines.includes(`\n${password.toLowerCase()}\n`);
    },
  };
};
