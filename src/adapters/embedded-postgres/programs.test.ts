import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultOfOutput } from './fault.ts';
import { createMissingLinks } from './programs.ts';

test('missing library links are created and existing ones kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-programs-'));
  mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
  writeFileSync(join(folder, 'native', 'lib', 'libx.so.1.2'), 'library');
  symlinkSync('libx.so.1.2', join(folder, 'native', 'lib', 'libx.so'));
  const link = (name: string) => ({ source: 'native/lib/libx.so.1.2', target: `native/lib/${name}` });
  writeFileSync(
    join(folder, 'native', 'pg-symlinks.json'),
    JSON.stringify([link('libx.so'), link('libx.so.1')]),
  );
  createMissingLinks(folder);
  createMissingLinks(folder);
  expect(readlinkSync(join(folder, 'native', 'lib', 'libx.so.1'))).toBe('libx.so.1.2');
  expect(readFileSync(join(folder, 'native', 'lib', 'libx.so.1'), 'utf8')).toBe('library');
  rmSync(folder, { recursive: true });
});

test.each([
  ['initdb: error: could not write file: No space left on device', 'The disk that holds /data is full'],
  ['initdb: error: could not create directory: Read-only file system', 'read-only file system; set DATA_DIR'],
  ['initdb: error: could not look up effective user ID 5: user does not exist', 'no passwd entry'],
  ['FATAL:  database files are incompatible with server', 'another major version'],
  ['FATAL:  data directory "/data" has wrong ownership', 'must belong to the user'],
  ['initdb: error while loading shared libraries: libicuuc.so.60', 'set DATABASE_URL'],
  ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'not enough free memory'],
  ['FATAL:  lock file "postmaster.pid" already exists', 'Another PostgreSQL still holds /data'],
  [
    '2026 UTC [1] LOG:  x\n2026 UTC [1] FATAL:  something unheard of',
    'PostgreSQL did not start on /data: something unheard of.',
  ],
  ['', 'it gave no reason'],
])('the PostgreSQL output "%s" becomes one message', (output, sentence) => {
  expect(faultOfOutput(output, '/data').message).toContain(sentence);
});
