/** The image and the compose file name existing build outputs and settings. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { configReference, loadConfig } from '../../src/config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');

const instruction = (name: string): string =>
  dockerfile
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1))
    .at(-1) ?? '';

/** Settings of the image. */
const image = Object.fromEntries(
  instruction('ENV')
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);
/** Keys under `environment:`. */
const composed = [
  ...(/environment:\n((?: {6}.*\n)+)/.exec(compose)?.[1] ?? '').matchAll(/^ {6}(\w+):/gm),
].map(([, name]) => name ?? '');
const published = [...compose.matchAll(/- '(?:[\d.]+:)?(\d+):(\d+)'/g)].map(([, , inside]) => Number(inside));
const standardPort = (key: string): number =>
  Number(configReference.find((entry) => entry.key === key)?.standard);

test('the image runs a built file as an ordinary user under an init process', () => {
  const [program, file = ''] = JSON.parse(instruction('CMD')) as string[];
  expect(program).toBe('node');
  expect(existsSync(join(ROOT, file.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')))).toBe(true);
  expect(existsSync(join(ROOT, file))).toBe(true);
  expect(instruction('ENTRYPOINT')).toContain('tini');
  expect(instruction('USER')).toBe('node');
});

test('the image has a health check on /ready, and the compose file drops unneeded rights', () => {
  const [, probe = ''] = /^CMD (\[.*\])$/.exec(instruction('HEALTHCHECK').replace(/^(--\S+\s+)+/, '')) ?? [];
  const [program, flag, script = ''] = JSON.parse(probe) as string[];
  expect([program, flag]).toEqual(['node', '-e']);
  expect(script).toContain("'/ready'");
  expect(dockerfile).toContain('install -d -o node -g node -m 0700 /data');
  for (const line of ['read_only: true', 'tmpfs:\n      - /tmp\n', 'cap_drop:\n      - ALL\n'])
    expect(compose).toContain(line);
  expect(compose).toContain('security_opt:\n      - no-new-privileges:true\n');
});

test('the image contains no repository metadata and no data of a checkout', () => {
  const left = read('.dockerignore').trim().split('\n');
  expect(left).toEqual(expect.arrayContaining(['.git', '.ci', '**/node_modules', 'data', 'dist']));
});

test('every file that the image copies by name exists', () => {
  const named = dockerfile.match(/^COPY (?!--from)(.+) \.\/$/m)?.[1]?.split(' ') ?? [];
  expect(named).toContain('package-lock.json');
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

test('the image and the compose file set only known settings to valid values', () => {
  const known = configReference.map(({ key }) => key);
  expect([...Object.keys(image), ...composed].filter((key) => !known.includes(key))).toEqual([]);
  expect(composed.length).toBeGreaterThan(0);
  expect(loadConfig(image)).toMatchObject({ production: true, demo: false, dataDir: '/data', port: 8080 });
});

test('the published ports are the default ports, and the data folder is a volume', () => {
  const ports = [standardPort('PORT'), standardPort('METRICS_PORT')];
  expect(instruction('EXPOSE').split(' ').map(Number)).toEqual(ports);
  expect(published).toEqual(ports);
  expect(Number(image['PORT'])).toBe(ports[0]);
  expect(instruction('VOLUME')).toBe(image['DATA_DIR']);
  expect(compose).toContain(`- data:${image['DATA_DIR'] ?? ''}\n`);
});
