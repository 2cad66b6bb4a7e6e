import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Programs, and the client library for other people's code. */
const ROOTS = /^src\/(main|cli)\.ts$|^src\/client\/|^src\/doors\/web\/islands\//;

const isTest = (path: string): boolean =>
  !path.startsWith('src/') || /\.(test|test-support)\.tsx?$/.test(path);

const sourcesIn = (folder: string): (readonly [string, string])[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);

const files = ['src', 'test', 'bench'].flatMap(sourcesIn);

const EXPORT = /^export (?:declare |async |abstract )*(const|function|class|interface|type) (\w+)/gm;
const NAMED = /(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g;
const WHOLE = /import (?:type )?\* as \w+ from '(\.[^']+)'|import\('(\.[^']+)'\)/g;

const targetOf = (from: string, specifier: string): string =>
  relative(ROOT, resolve(ROOT, dirname(from), specifier)).replaceAll('\\', '/');

/** `path#name` of every import, and `path#*` of every module that is imported as a whole. */
const importsOf = ([path, code]: readonly [string, string]): string[] => [
  ...[...code.matchAll(NAMED)].flatMap(([, names = '', specifier = '']) =>
    names
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      )
      .map((name) => `${targetOf(path, specifier)}#${name}`),
  ),
  ...[...code.matchAll(WHOLE)].map(([, all, dynamic]) => `${targetOf(path, all ?? dynamic ?? '')}#*`),
];

const importedBySource = new Set(files.filter(([path]) => !isTest(path)).flatMap(importsOf));
const importedByTests = new Set(files.filter(([path]) => isTest(path)).flatMap(importsOf));

const isIn = (imported: ReadonlySet<string>, path: string, name: string): boolean =>
  imported.has(`${path}#${name}`) || imported.has(`${path}#*`);

const exported = files
  .filter(([path]) => !isTest(path) && !ROOTS.test(path))
  .flatMap(([path, code]) =>
    [...code.matchAll(EXPORT)].map(([, kind = '', name = '']) => ({
      ...{ path, name, isType: kind === 'interface' || kind === 'type' },
      isUsedInFile: (code.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1,
    })),
  );

test('no export of src is used only by tests', () => {
  const unused = exported.filter(
    ({ path, name, isType, isUsedInFile }) => !isType && !isUsedInFile && !isIn(importedBySource, path, name),
  );
  expect(unused.map(({ path, name }) => `${path}#${name}`)).toEqual([]);
});

test('every exported constant, function or class is imported somewhere', () => {
  const unused = exported.filter(
    ({ path, name, isType }) =>
      !isType && !isIn(importedBySource, path, name) && !isIn(importedByTests, path, name),
  );
  expect(unused.map(({ path, name }) => `${path}#${name}`)).toEqual([]);
});
