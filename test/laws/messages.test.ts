import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileMessages } from '../../scripts/messages.mjs';

const FOLDER = resolve(import.meta.dirname, '../../src/doors/web/messages');

test('the compiled messages equal their catalogues (`npm run messages` rewrites them)', async () => {
  const compiled = await compileMessages(FOLDER);
  expect(compiled.size).toBeGreaterThan(0);
  for (const [path, text] of compiled) expect(readFileSync(path, 'utf8'), path).toBe(text);
});
