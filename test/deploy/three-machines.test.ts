/** The files of three machines, as far as they can be read without them; `npm run test:ha` runs them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { read, ROOT } from '../support/documents/pages.ts';

const KIT = join(ROOT, 'deploy/ha');
/** What `fill` is not for. */
const OTHERS = ['README.md', 'fill', 'machine.env'];
const FILES = readdirSync(KIT).filter((name) => !OTHERS.includes(name));

const fill = (values: string, file: string): { status: number | null; stdout: string; stderr: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-fill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'machine.env'), values);
  return spawnSync(join(KIT, 'fill'), ['machine.env', join(KIT, file)], { cwd: folder, encoding: 'utf8' });
};

const withPasswords = read('deploy/ha/machine.env').replace(/_PASSWORD=$/gm, '_PASSWORD=a$b`c`&d');

test.each(FILES)('fill puts every value into %s as it is written', (file) => {
  const { status, stdout, stderr } = fill(withPasswords.replace(/=(a.*)$/gm, "='$1'"), file);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    read(`deploy/ha/${file}`).replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = withPasswords.match(new RegExp(`^${name}=(.+)$`, 'm'))?.[1] ?? `${name} is not a value`;
      return value.replace('$ADDRESS_1', '10.77.0.1');
    }),
  );
});

test('fill ends with the name of a value that is missing', () => {
  const { status, stderr } = fill(read('deploy/ha/machine.env'), 'patroni.yml');
  expect([status, stderr]).toEqual([1, 'fill: API_PASSWORD has no value\n']);
});

test.each([
  ['a single quote', "a'b"],
  ['a line of its own', 'a\nb'],
])('fill refuses %s, which no file could have', (_, password) => {
  const values = read('deploy/ha/machine.env').replace('API_PASSWORD=', `API_PASSWORD="${password}"`);
  const { status, stderr } = fill(values, 'patroni.yml');
  expect([status, stderr]).toEqual([1, 'fill: API_PASSWORD has a single quote or a control character\n']);
});

test.each(['yes', '~', '0123', 'a #b', 'a: b', '@x', '*x', '%p', '!x', ' x'])(
  'the password %j is the same text for Patroni and in SQL',
  (password) => {
    const values = withPasswords.replace(/_PASSWORD=.*$/gm, `_PASSWORD='${password}'`);
    const patroni = parse(fill(values, 'patroni.yml').stdout) as object;
    expect(patroni).toHaveProperty('restapi.authentication.password', password);
    expect(patroni).toHaveProperty('postgresql.authentication.rewind.password', password);
    expect(fill(values, 'roles.sql').stdout).toContain(`login password '${password}';`);
  },
);

test('fill without the name of a file says how it is used', () => {
  const { status, stderr } = spawnSync(join(KIT, 'fill'), ['machine.env'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('fill machine.env patroni.yml')]);
});

test('Patroni speaks the API of etcd that loses no order, and commits wait for a standby', () => {
  const patroni = parse(fill(withPasswords.replace(/=(a.*)$/gm, '=x'), 'patroni.yml').stdout) as {
    bootstrap: { dcs: object };
  };
  expect(patroni).toHaveProperty('etcd.hosts');
  expect(patroni).not.toHaveProperty('etcd3');
  expect(patroni.bootstrap.dcs).toMatchObject({ synchronous_mode: true, failsafe_mode: true });
  expect(read('deploy/ha/etcd.conf')).toContain('\nETCD_ENABLE_V2=true\n');
});

test('without its programs the test of three machines ends with 2 and says what to install', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/three-machines.mjs')], {
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^ahwa: test:ha needs (root|programs of Debian: apt-get install .* patroni)/);
});
