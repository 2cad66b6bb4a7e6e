/** The pages of docs/spec explain the citations in the code, and their table of permissions is true. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permissionsOf, ROLES } from '../../src/kernel/permission.ts';
import { ROOT } from '../support/documents/pages.ts';

const SPEC = join(ROOT, 'docs/spec');

const pages = readdirSync(SPEC).map((name) => ({ name, text: readFileSync(join(SPEC, name), 'utf8') }));

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path));

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

test('the table of permissions equals the permissions of the roles', () => {
  const text = pages.find(({ name }) => name === 'staff.md')?.text ?? '';
  const lines = text.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| Permission'));
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...roles] = cellsOf(lines[head] ?? '');
  const after = lines.slice(head + 2);
  const table = after
    .slice(
      0,
      after.findIndex((line) => !line.startsWith('|')),
    )
    .map(cellsOf);
  const granted = (role: string): string[] =>
    table
      .filter((cells) => cells[1 + roles.indexOf(role)] === '✓')
      .flatMap(([names = '']) => [...names.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name));
  expect(roles).toEqual([...ROLES]);
  for (const role of ROLES)
    expect([role, granted(role).toSorted()]).toEqual([role, permissionsOf(role).toSorted()]);
});
