/** Brotli, one per line, lower case. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { CommonPasswords } from '../ports.ts';

/** Loaded on first use: 0.9 MB that most processes never need. */
export const loadCommonPasswords = (file: string): CommonPasswords => {
  let lines: string | null = null;
  return {
    has: (password) => {
      lines ??= `\n${brotliDecompressSync(readFileSync(file)).toString('utf8')}\n`;
      return !password.includes('\n') && lines.includes(`\n${password.toLowerCase()}\n`);
    },
  };
};
