/** What the documents say of the code exists, and the generated ones are up to date. */
import { expect, test } from 'vitest';
import { generatedFiles } from '../../src/generated-docs.ts';
import { brokenLinks, documents, missingFiles, missingTests, read } from '../support/documents/pages.ts';

test.each(Object.entries(generatedFiles()))(
  '%s equals its generated text (`npm run ahwa -- docs` rewrites it)',
  (name, text) => {
    expect(read(name)).toBe(text);
  },
);

test.each(documents())('every test that %s cites exists, and every file and link', (page) => {
  const text = read(page);
  expect([...missingTests(text), ...missingFiles(text), ...brokenLinks(page)]).toEqual([]);
});

test('a citation names one test, since only the first title after a file is checked', () => {
  const chained = documents().filter((page) => /\.test\.ts`: "[^"]+",? (?:and )?"/.test(read(page)));
  expect(chained).toEqual([]);
});
