/**
 * Writes the pictures of the demo shops into shops/pictures/<slug>/: one SVG for every item and combo, a logo, a cover
 * and a loyalty card. With `--check` it writes nothing and fails where a written file differs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BEIT_DRAWINGS } from './beit-el-bunn.ts';
import { beitCard, beitCover, layalyCard, layalyCover, zawyaCard, zawyaCover } from './covers.ts';
import { LAYALY_DRAWINGS } from './layaly.ts';
import { beitLogo, kashkLogo, layalyLogo, zawyaLogo } from './logos.ts';
import { BEIT, LAYALY, type ShopPalette, ZAWYA } from './palette.ts';
import { backdrop, type Drawing } from './scene.ts';
import { finish, type Art } from './svg.ts';
import { ZAWYA_DRAWINGS } from './zawya.ts';

interface Face {
  readonly palette: ShopPalette;
  readonly drawings: Readonly<Record<string, Drawing>>;
  readonly cover: Art;
  readonly card: Art;
}

interface Entry {
  readonly key: string;
  readonly category: string;
}

interface Menu {
  readonly categories: readonly { readonly key: string }[];
  readonly items: readonly Entry[];
  readonly combos?: readonly Entry[];
}

const LOGOS: Readonly<Record<string, Art>> = {
  'beit-el-bunn': beitLogo,
  zawya: zawyaLogo,
  layaly: layalyLogo,
  kashk: kashkLogo,
};

/** Kashk is switched off and has a logo only. */
const FACES: Readonly<Record<string, Face>> = {
  'beit-el-bunn': { palette: BEIT, drawings: BEIT_DRAWINGS, cover: beitCover, card: beitCard },
  zawya: { palette: ZAWYA, drawings: ZAWYA_DRAWINGS, cover: zawyaCover, card: zawyaCard },
  layaly: { palette: LAYALY, drawings: LAYALY_DRAWINGS, cover: layalyCover, card: layalyCard },
};

const menuOf = (slug: string): Menu => {
  const text = readFileSync(new URL(`../${slug}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { menu: Menu }).menu;
};

const tintOf = (palette: ShopPalette, menu: Menu, entry: Entry): string => {
  const place = menu.categories.findIndex((category) => category.key === entry.category);
  return palette.tints[place % palette.tints.length] ?? palette.background;
};

/** Path below shops/pictures to contents, and what is wrong with the tables of drawings. */
const draw = () => {
  const files = new Map<string, string>();
  const faults: string[] = [];
  for (const [slug, logo] of Object.entries(LOGOS)) files.set(`${slug}/logo.svg`, finish(512, 512, logo));
  for (const [slug, { palette, drawings, cover, card }] of Object.entries(FACES)) {
    files.set(`${slug}/cover.svg`, finish(1600, 900, cover));
    files.set(`${slug}/card.svg`, finish(1032, 336, card));
    const menu = menuOf(slug);
    const entries = [...menu.items, ...(menu.combos ?? [])];
    for (const entry of entries) {
      const drawing = drawings[entry.key];
      if (drawing === undefined) {
        faults.push(`${slug}: no drawing of ${entry.key}`);
        continue;
      }
      const art = backdrop(palette, tintOf(palette, menu, entry)) + drawing(palette);
      files.set(`${slug}/${entry.key}.svg`, finish(400, 400, art));
    }
    const keys = new Set(entries.map(({ key }) => key));
    for (const key of Object.keys(drawings))
      if (!keys.has(key)) faults.push(`${slug}: ${key} is not on the menu`);
  }
  return { files, faults };
};

const folder = new URL('../pictures/', import.meta.url);
const { files, faults } = draw();
const written = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
const superfluous = written
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.svg') && !files.has(name));

if (process.argv.includes('--check')) {
  for (const name of superfluous) faults.push(`${name} is no picture of a shop`);
  for (const [name, contents] of files) {
    const file = new URL(name, folder);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== contents) faults.push(`${name} differs`);
  }
} else if (faults.length === 0) {
  for (const name of superfluous) rmSync(new URL(name, folder));
  for (const slug of Object.keys(LOGOS)) mkdirSync(new URL(`${slug}/`, folder), { recursive: true });
  for (const [name, contents] of files) writeFileSync(new URL(name, folder), contents);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
