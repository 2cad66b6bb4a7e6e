/** Checks of the documents: what they cite, name and link to exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every page of the project, as a path from the root. */
export const documents = (): string[] => [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** `file`: "title", the form in which documents cite a test. */
export const CITATION = /`((?:src|test)\/[\w/.-]+\.test\.ts)`: "([^"]+)"/g;

/** Whether the source has the string, whole, in any quotes. */
const quotes = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.includes(quote + title.replaceAll(quote, `\\${quote}`) + quote));

export const missingTests = (text: string): string[] =>
  [...text.matchAll(CITATION)]
    .filter(([, file = '', title = '']) => !existsSync(join(ROOT, file)) || !quotes(read(file), title))
    .map(([whole]) => whole);

const headings = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

export const brokenLinks = (page: string): string[] =>
  [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    .filter(([, file = '', anchor]) => {
      const path = file === '' ? join(ROOT, page) : resolve(dirname(join(ROOT, page)), file);
      if (!existsSync(path)) return true;
      return anchor !== undefined && !headings(readFileSync(path, 'utf8')).includes(anchor);
    })
    .map(([whole]) => whole);

/** Files named in code quotes that do not exist. */
export const missingFiles = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|migrations|scripts|bench)\/[\w/.-]+\.\w+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(ROOT, path)));
