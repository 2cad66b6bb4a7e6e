import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../src/generated-docs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test.each(Object.entries(generatedFiles()))(
  '%s equals its generated text (`npm run ahwa -- docs` rewrites it)',
  (name, text) => {
    expect(readFileSync(join(ROOT, name), 'utf8')).toBe(text);
  },
);

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/glossary.md'])(
  'every file that %s names exists',
  (page) => {
    const named = [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(/`((?:src|test|migrations)\/[\w/.-]+\.\w+)`/g),
    ];
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
);
