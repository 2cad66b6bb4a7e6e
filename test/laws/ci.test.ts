/** `.ci` names tests and scripts: a file that is renamed must be renamed there too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

const tests = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts') && !/node_modules|^test\/outside\//.test(path)),
);

/** `a/{b,c}d` names `a/bd` and `a/cd`. */
const expanded = (word: string): string[] => {
  const braces = /^(.*?)\{([^{}]*)\}(.*)$/.exec(word);
  if (braces === null) return [word];
  const [, before = '', choices = '', after = ''] = braces;
  return choices.split(',').flatMap((choice) => expanded(`${before}${choice}${after}`));
};

/** Paths within the repository, without comments, variables and absolute paths. */
const pathsIn = (script: string): string[] =>
  [
    ...script
      .replace(/^\s*#.*$/gm, '')
      .matchAll(/(?<=^|[\s'"(=])(?:src|test|bench|scripts|docs|migrations|shops|\.ci)\/[^\s'"()$;]*/gm),
  ].flatMap(([word]) => expanded(word));

/** A filter of vitest is a part of a test's path. */
const isThere = (path: string): boolean =>
  /^(src|test)\//.test(path) ? tests.some((file) => file.includes(path)) : existsSync(join(ROOT, path));

test.each(readdirSync(join(ROOT, '.ci')))('every path that .ci/%s names is there', (name) => {
  const paths = pathsIn(readFileSync(join(ROOT, '.ci', name), 'utf8'));
  if (name === 'run') expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test('a prefix and each word in braces count as paths of their own', () => {
  expect(pathsIn('run \\\n  test/a/{b,c.} test/d/ "$here/test/e" # x\nbash .ci/f')).toEqual([
    ...['test/a/b', 'test/a/c.', 'test/d/', '.ci/f'],
  ]);
  expect(isThere('test/laws/ci')).toBe(true);
  expect(isThere('test/laws/cj')).toBe(false);
});
