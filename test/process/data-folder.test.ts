/** Files on disk are private to their owner, whatever the umask. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clusterElsewhere } from '../support/programs/data-folder.ts';
import { useProgram, type Settings } from '../support/programs/program.ts';

/** Everything under a folder, including itself, except PostgreSQL's programs. */
const under = (path: string): string[] =>
  lstatSync(path).isDirectory()
    ? [
        path,
        ...readdirSync(path)
          .filter((name) => !name.startsWith('programs-'))
          .flatMap((name) => under(join(path, name))),
      ]
    : [path];

const octal = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** Whether others may read, write or list it. PostgreSQL's user may pass through root's folder. */
const open = (path: string): boolean => {
  const mode = lstatSync(path).mode & 0o077;
  return lstatSync(path).isDirectory() ? (mode & 0o066) !== 0 : mode !== 0;
};

const openUnder = (folder: string): string[] =>
  under(folder)
    .filter(open)
    .map((path) => `${octal(path)} ${path.slice(folder.length)}`);

describe.each(['embedded', 'shared'] as const)('with a database that is %s', (kind) => {
  const bench = useProgram('test', kind === 'embedded' ? 'new' : kind);
  let home: Settings = {};
  let umaskWas: number | null = null;
  beforeEach(() => {
    home = { DATA_DIR: join(bench.dataDir(), 'new', 'home') };
  });
  afterEach(() => {
    if (umaskWas !== null) process.umask(umaskWas);
  });

  test('files of a data folder created under umask 000 are private to its owner', async () => {
    umaskWas = process.umask(0o000);
    const { DATA_DIR = '' } = home;
    const server = await bench.serve(home);
    await bench.ahwa(['backup', join(DATA_DIR, 'ahwa.backup')], home);
    expect(openUnder(DATA_DIR)).toEqual([]);
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(['ahwa.backup', 'run', 'secret.key']));
    expect(readdirSync(join(DATA_DIR, 'run')).length).toBeGreaterThan(1);
    for (const file of ['ahwa.backup', 'secret.key']) expect(octal(join(DATA_DIR, file))).toBe('600');
    const cluster = clusterElsewhere(DATA_DIR) ?? join(DATA_DIR, 'postgres-18');
    expect(existsSync(cluster)).toBe(kind === 'embedded');
    if (kind === 'embedded') expect([octal(cluster), openUnder(cluster)]).toEqual(['700', []]);
    server.signal('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});
