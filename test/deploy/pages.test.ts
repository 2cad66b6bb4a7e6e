/** The unit file, and the pages about containers, systemd and upgrades, name what exists. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configReference, loadConfig } from '../../src/config.ts';
import { read, ROOT } from '../support/documents/pages.ts';

const UNIT = read('deploy/ahwa.service');
const PAGES = ['docs/upgrading.md', 'docs/containers.md', 'docs/systemd.md', 'docs/scaling.md'] as const;

/** Values by key, by section. */
const sections = new Map<string, Map<string, string[]>>();
for (const [, name = '', body = ''] of UNIT.matchAll(/^\[(\w+)\]\n([^[]*)/gm)) {
  const keys = new Map<string, string[]>();
  for (const [, key = '', value = ''] of body.matchAll(/^(\w+)=(.*)$/gm))
    keys.set(key, [...(keys.get(key) ?? []), value]);
  sections.set(name, keys);
}
const service = (key: string): string => sections.get('Service')?.get(key)?.join(' ') ?? '';

test('the unit starts a built file as an ordinary user, with its own data folder', () => {
  expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install']);
  const [program = '', file = ''] = service('ExecStart').split(' ');
  expect(program).toMatch(/^\/.*\/node$/);
  const folder = `${service('WorkingDirectory')}/`;
  expect(file.slice(0, folder.length)).toBe(folder);
  const source = file
    .slice(folder.length)
    .replace(/^dist\//, 'src/')
    .replace(/\.js$/, '.ts');
  expect(existsSync(join(ROOT, source))).toBe(true);
  const settings = Object.fromEntries(
    service('Environment')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const known = configReference.map(({ key }) => key);
  expect(Object.keys(settings).filter((key) => !known.includes(key))).toEqual([]);
  expect(loadConfig(settings)).toMatchObject({
    production: true,
    dataDir: `/var/lib/${service('StateDirectory')}`,
  });
  expect([service('User'), service('KillMode'), service('StateDirectoryMode')]).toEqual([
    'ahwa',
    'mixed',
    '0700',
  ]);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasSystemd)('systemd-analyze accepts the unit without a complaint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ahwa.service');
  writeFileSync(file, UNIT.replace('/usr/bin/node', process.execPath).replace('/opt/ahwa', ROOT));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

/** `outbox list` and every other command of the program. */
const commands = (): ReadonlySet<string> => {
  const files = [
    'src/cli.ts',
    ...readdirSync(join(ROOT, 'src/doors/cli')).map((name) => `src/doors/cli/${name}`),
  ];
  const names = files
    .filter((name) => !name.includes('.test.'))
    .flatMap((name) => [...readFileSync(join(ROOT, name), 'utf8').matchAll(/\.command\('([\w-]+)'\)/g)]);
  return new Set(names.map(([, name = '']) => name));
};

const blocksOf = (page: string): string =>
  [...read(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n');

test.each(PAGES)('every command of Ahwa in %s exists', (page) => {
  const text = `${blocksOf(page)}\n${[...read(page).matchAll(/`(ahwa [^`]+)`/g)].map(([, line = '']) => line).join('\n')}`;
  const used = [...text.matchAll(/^.*?(?:bin\/ahwa\.js|^ahwa) ([a-z][\w-]*)/gm)].map(([, name = '']) => name);
  const known = commands();
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(0);
});

test('the pages name the service, the volume and the limits of the compose file', () => {
  const [page, compose] = [read('docs/containers.md'), read('compose.yaml')];
  const services = [
    ...page.matchAll(/docker compose (?:-p \S+ )?(?:exec|run|logs)(?: -\S+)*(?: --rm)?(?: -T)? (\w+)/g),
  ];
  expect(services.length).toBeGreaterThan(5);
  for (const [line, name] of services)
    expect([line, compose.includes(`\n  ${name}:\n`)]).toEqual([line, true]);
  expect(compose).toContain('stop_grace_period: 20s');
  expect(compose).toContain("- '127.0.0.1:9464:9464'");
  expect(compose).toContain('BASE_URL: ${BASE_URL:-');
  expect(read('Dockerfile')).toContain('--interval=10s');
});

test('migrations that older builds cannot live with are found as the page says', () => {
  const listed = execFileSync('sh', ['-c', "grep -L '^-- compatible' migrations/*.sql"], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const expected = readdirSync(join(ROOT, 'migrations'))
    .map((name) => `migrations/${name}`)
    .filter((name) => !/^-- compatible$/m.test(read(name)));
  expect(read('docs/upgrading.md')).toContain("grep -L '^-- compatible' migrations/*.sql");
  expect(listed.trim().split('\n')).toEqual(expected);
});

test('shell blocks of the pages are valid shell', () => {
  for (const page of PAGES) {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: blocksOf(page), encoding: 'utf8' });
    expect([page, status, stderr]).toEqual([page, 0, '']);
  }
});
