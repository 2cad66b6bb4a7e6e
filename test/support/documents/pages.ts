/** Checks of the documents: cited tests exist, links lead to files and headings. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** `file`: "title", the form in which documents cite a test. */
export const CITATION = /`((?:src|test)\/[\w/.-]+\.test\.ts)`: "([^"]+)"/g;

export const missingTests = (text: string): string[] =>
  [...text.matchAll(CITATION)]
    .filter(([, file = '', title = '']) => !existsSync(join(ROOT, file)) || !read(file).includes(title))
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
