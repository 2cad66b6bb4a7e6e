/** What a page weighs: its HTML, its styles, and every script that it loads at once or later, and those at once alone. */
import { gzipSync } from 'node:zlib';

type Read = (address: string) => Promise<string>;

export interface PageWeight {
  /** Bytes, compressed by gzip. */
  readonly html: number;
  readonly css: number;
  readonly script: number;
  /** Of the scripts, those that every guest loads. */
  readonly atOnce: number;
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

const AT_ONCE = /\b(?:from|import)\s*"\.\/([^"]+\.js)"/g;
/** Such as at the first tap, or where there is a loyalty card. */
const OR_LATER = /\b(?:from|import)\s*\(?\s*"\.\/([^"]+\.js)"/g;

/** Every script that these import. */
const withImports = async (
  read: Read,
  addresses: readonly string[],
  imports: RegExp,
): Promise<Map<string, string>> => {
  const scripts = new Map<string, string>();
  const asked = new Set(addresses);
  for (const address of asked) {
    const text = await read(address);
    scripts.set(address, text);
    for (const [, file = ''] of text.matchAll(imports)) asked.add(`/assets/${file}`);
  }
  return scripts;
};

export const weightOf = async (read: Read, address: string): Promise<PageWeight> => {
  const page = await read(address);
  const linked = linkedFrom(page, 'js');
  const scripts = await withImports(read, linked, OR_LATER);
  return {
    html: gzipped(page),
    css: sizeOf(await Promise.all(linkedFrom(page, 'css').map(read))),
    script: sizeOf(scripts.values()),
    atOnce: sizeOf((await withImports(read, linked, AT_ONCE)).values()),
    scripts,
  };
};
