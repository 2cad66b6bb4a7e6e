/** A data folder used by root: permissions, and links that its owner placed. */
import { chmodSync, chownSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';

const asRoot = process.getuid?.() === 0;
/** On every Debian; neither root nor nobody. */
const DAEMON = 1;

let dataDir: string;
let undo: (() => Promise<unknown>)[];

beforeEach(() => {
  dataDir = dataFolder();
  undo = [];
});

afterEach(async () => {
  for (const step of undo.reverse()) await step();
  removeDataFolder(dataDir);
});

const start = async (): Promise<void> => {
  const server = await startEmbeddedPostgres({ dataDir });
  undo.push(() => server.release());
};

test.runIf(asRoot)(
  'a data folder readable by others is closed to them; PostgreSQL still reaches its data',
  async () => {
    await startEmbeddedPostgres({ dataDir }).then((server) => server.release());
    chmodSync(dataDir, 0o755);
    await start();
    expect(statSync(dataDir).mode & 0o777).toBe(0o711);
  },
);

test.runIf(asRoot)('a folder with files of others, or writable by all, keeps its mode', async () => {
  writeFileSync(join(dataDir, 'of-others'), '');
  await startEmbeddedPostgres({ dataDir }).then((server) => server.release());
  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  chmodSync(dataDir, 0o1777);
  await start();
  expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
});

test.runIf(asRoot).each(['access', 'postgres.log'])(
  'the link ‘%s’ in the folder of an ordinary user is refused; its target stays unchanged',
  async (name) => {
    chownSync(dataDir, DAEMON, DAEMON);
    const others = dataFolder();
    undo.push(() => {
      removeDataFolder(others);
      return Promise.resolve();
    });
    const target = name === 'access' ? others : join(others, 'file');
    if (name !== 'access') writeFileSync(target, 'of another', { mode: 0o644 });
    const before = statSync(target);
    symlinkSync(target, join(dataDir, name));
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toBeInstanceOf(EmbeddedPostgresError);
    const after = statSync(target);
    expect([after.uid, after.mode, after.size]).toEqual([before.uid, before.mode, before.size]);
    expect(readdirSync(others)).toHaveLength(name === 'access' ? 0 : 1);
  },
);
