/** The pages of docs/spec name tests and explain citations: both must be there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SPEC = join(ROOT, 'docs/spec');

const pages = readdirSync(SPEC).map((name) => ({ name, text: readFileSync(join(SPEC, name), 'utf8') }));

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));

test('every test that a rule names is there', () => {
  const missing = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)`: "([^"]+)"/g)]
      .filter(([, file = '', title = '']) => {
        const path = join(ROOT, file);
        return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
      })
      .map(([whole]) => `${name}: ${whole}`),
  );
  expect(missing).toEqual([]);
});

test('every engine and file that a page names is there', () => {
  const missing = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/`((?:src|test|migrations)\/[\w/.-]+\.\w+)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !existsSync(join(ROOT, file)))
      .map((file) => `${name}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('every link of a page leads somewhere, also to a heading', () => {
  const headings = (text: string): string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
  const broken = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, file = '', anchor]) => {
        const path = file === '' ? join(SPEC, name) : resolve(dirname(join(SPEC, name)), file);
        if (!existsSync(path)) return true;
        return anchor !== undefined && !headings(readFileSync(path, 'utf8')).includes(anchor);
      })
      .map(([whole]) => `${name}: ${whole}`),
  );
  expect(broken).toEqual([]);
});

test('every citation in the code is explained', () => {
  const readme = pages.find(({ name }) => name === 'README.md')?.text ?? '';
  const explained = new Set([...readme.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, citation]) => citation));
  const cited = [...filesUnder('src', /\.ts$/), ...filesUnder('migrations', /\.sql$/)].flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /\b(?:(Decisions) (\d+)|(Behaviour), (Menu rule \d+|[A-Z][a-z ]+))/g,
      ),
    ].map(([, decisions, section, behaviour, part]) => ({
      path,
      citation: decisions === undefined ? `${behaviour}, ${part?.trim()}` : `${decisions} ${section}`,
    })),
  );
  const unexplained = cited.filter(({ citation }) => !explained.has(citation));
  expect(unexplained).toEqual([]);
});
