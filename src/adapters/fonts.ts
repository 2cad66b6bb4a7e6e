/**
 * Tajawal for drawing text on a machine without any Arabic font. The package has WOFF only, which the text renderer
 * does not read, so the tables are unpacked into TrueType files of this process.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

interface FontTable {
  readonly tag: string;
  readonly checksum: number;
  readonly data: Buffer;
}

/** (WOFF 1.0, section 5) */
const tablesOf = (woff: Buffer): FontTable[] =>
  Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const entry = woff.subarray(WOFF_HEADER + index * WOFF_ENTRY);
    const [offset, packed, size] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const data = woff.subarray(offset, offset + packed);
    return {
      tag: entry.toString('latin1', 0, 4),
      checksum: entry.readUInt32BE(16),
      data: packed < size ? inflateSync(data) : data,
    };
  });

const padded = (size: number): number => Math.ceil(size / 4) * 4;

/** (OpenType, table directory) */
const trueType = (flavor: number, tables: readonly FontTable[]): Buffer => {
  const directory = SFNT_HEADER + tables.length * SFNT_ENTRY;
  const font = Buffer.alloc(tables.reduce((size, { data }) => size + padded(data.length), directory));
  const power = Math.floor(Math.log2(tables.length));
  font.writeUInt32BE(flavor, 0);
  font.writeUInt16BE(tables.length, 4);
  font.writeUInt16BE(SFNT_ENTRY * 2 ** power, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE(SFNT_ENTRY * (tables.length - 2 ** power), 10);
  let offset = directory;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const entry = SFNT_HEADER + index * SFNT_ENTRY;
    font.write(tag, entry, 'latin1');
    font.writeUInt32BE(checksum, entry + 4);
    font.writeUInt32BE(offset, entry + 8);
    font.writeUInt32BE(data.length, entry + 12);
    data.copy(font, offset);
    offset += padded(data.length);
  }
  return font;
};

/** The characters of a `cmap` table of format 4, which every font of the package has. */
const charactersOf = (cmap: Buffer): Set<number> => {
  const found = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8));
    if (table.readUInt16BE(0) !== 4) continue;
    const double = table.readUInt16BE(6);
    for (let at = 14; at < 14 + double; at += 2) {
      const [last, first] = [table.readUInt16BE(at), table.readUInt16BE(at + 2 + double)];
      if (first !== 0xffff) for (let point = first; point <= last; point += 1) found.add(point);
    }
  }
  return found;
};

const { resolve } = createRequire(import.meta.url);

const SCRIPTS = ['arabic', 'latin'] as const;
const WEIGHTS = [400, 700] as const;

export interface Fonts {
  /** TrueType files. */
  readonly files: readonly string[];
  /** Code points that every weight draws. */
  readonly characters: ReadonlySet<number>;
}

/** The files are removed when the process exits. */
export const unpackTajawal = (): Fonts => {
  const folder = mkdtempSync(join(tmpdir(), 'ahwa-fonts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files: string[] = [];
  const characters = new Map<number, Set<number>>(WEIGHTS.map((weight) => [weight, new Set()]));
  for (const script of SCRIPTS)
    for (const weight of WEIGHTS) {
      const name = `tajawal-${script}-${weight}-normal`;
      const woff = readFileSync(resolve(`@fontsource/tajawal/files/${name}.woff`));
      const tables = tablesOf(woff);
      const file = join(folder, `${name}.ttf`);
      writeFileSync(file, trueType(woff.readUInt32BE(4), tables));
      files.push(file);
      const cmap = tables.find(({ tag }) => tag === 'cmap');
      for (const point of cmap === undefined ? [] : charactersOf(cmap.data))
        characters.get(weight)?.add(point);
    }
  const [first = new Set<number>(), ...others] = characters.values();
  return { files, characters: new Set([...first].filter((point) => others.every((set) => set.has(point)))) };
};
