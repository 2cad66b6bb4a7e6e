/** What a page weighs: its HTML, its styles, and every script that it loads at once or later. */
import { gzipSync } from 'node:zlib';

type Read = (address: string) => Promise<string>;

export interface PageWeight {
  /** Bytes, compressed by gzip. */
  readonly html: number;
  readonly css: number;
  readonly script: number;
  /** By address. */
  readonly scripts: ReadonlyMap<string, string>;
}

const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;

const sizeOf = (texts: Iterable<string>): number => [...texts].reduce((sum, text) => sum + gzipped(text), 0);

const linkedFrom = (page: string, ending: 'css' | 'js'): readonly string[] => [
  ...new Set(
    [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => address.endsWith(`.${ending}`)),
  ),
];

/** Every script that these import, at once or later, such as at the first tap. */
const withImports = async (read: Read, addresses: readonly string[]): Promise<Map<string, string>> => {
  const scripts = new Map<string, string>();
  const asked = new Set(addresses);
  for (const address of asked) {
    const text = await read(address);
    scripts.set(address, text);
    for (const [, file = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*"\.\/([^"]+\.js)"/g))
      asked.add(`/assets/${file}`);
  }
  return scripts;
};

export const weightOf = async (read: Read, address: string): Promise<PageWeight> => {
  const page = await read(address);
  const scripts = await withImports(read, linkedFrom(page, 'js'));
  return {
    html: gzipped(page),
    css: sizeOf(await Promise.all(linkedFrom(page, 'css').map(read))),
    script: sizeOf(scripts.values()),
    scripts,
  };
};
