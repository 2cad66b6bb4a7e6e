import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generatedDocs } from '../../src/documents.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');

test.each(Object.entries(generatedDocs()))(
  'docs/%s says what the code says (`npm run ahwa -- docs` rewrites it)',
  (name, text) => {
    expect(readFileSync(join(DOCS, name), 'utf8')).toBe(text);
  },
);
