/** The picture beside a link to a shop, drawn by a process whose system has no font at all. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { SocialCard } from '../../src/ports.ts';
import { dataFolder } from '../support/programs/data-folder.ts';

const CARD: Omit<SocialCard, 'title'> = {
  ...{ subtitle: null, direction: 'rtl', logo: null, cover: null },
  colors: { background: '#000000', foreground: '#FFFFFF', accent: '#000000' },
};

const emptyFontFolder = (): string => {
  const folder = dataFolder();
  for (const name of ['fonts', 'cache']) mkdirSync(join(folder, name));
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
  );
  return file;
};

const DRAW = `
  const { createPictureRenderer } = await import('./src/adapters/picture-renderer.ts');
  const renderer = createPictureRenderer();
  const drawn = [];
  for (const card of JSON.parse(process.argv[1])) drawn.push(Buffer.from(await renderer.socialCard(card)).toString('base64'));
  console.log(JSON.stringify(drawn));
`;

/** In a process of its own: fonts are found once per process. */
const draw = (...cards: readonly Partial<SocialCard>[]): Buffer[] => {
  const given = JSON.stringify(cards.map((card) => ({ ...CARD, title: '', ...card })));
  const printed = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', DRAW, given],
    { env: { ...process.env, FONTCONFIG_FILE: emptyFontFolder() }, encoding: 'utf8', maxBuffer: 50_000_000 },
  );
  return (JSON.parse(printed) as string[]).map((text) => Buffer.from(text, 'base64'));
};

interface Ink {
  readonly share: number;
  /** Of the bright pixels, from the left edge and from the top. */
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

const inkOf = async (card: Buffer): Promise<Ink> => {
  const { data, info } = await sharp(card)
    .greyscale()
    .threshold(128)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [index, value] of data.entries())
    if (value > 0) {
      xs.push(index % info.width);
      ys.push(Math.floor(index / info.width));
    }
  const lowest = (all: readonly number[]): number => all.reduce((a, b) => Math.min(a, b), Infinity);
  const highest = (all: readonly number[]): number => all.reduce((a, b) => Math.max(a, b), -Infinity);
  return {
    share: xs.length / data.length,
    ...{ left: lowest(xs), right: highest(xs), height: highest(ys) - lowest(ys) },
  };
};

test('Arabic and Latin are drawn without a system font, each at its edge', async () => {
  const [arabic, latin, mixed] = await Promise.all(
    draw({ title: 'بيت البن' }, { title: 'Nile Corner', direction: 'ltr' }, { title: 'Nile Corner' }).map(
      inkOf,
    ),
  );
  expect(arabic?.share).toBeGreaterThan(0.005);
  expect(arabic?.right).toBeGreaterThan(1100);
  expect(arabic?.left).toBeGreaterThan(600);
  expect(latin?.left).toBeLessThan(100);
  expect(mixed?.right).toBeGreaterThan(1100);
});

test('Arabic letters are joined: a word is narrower than its letters apart', async () => {
  const [joined, apart] = await Promise.all(
    draw({ title: 'سسسس' }, { title: 'س\u200cس\u200cس\u200cس' }).map(inkOf),
  );
  const width = (ink: Ink | undefined): number => (ink?.right ?? 0) - (ink?.left ?? 0);
  expect(width(joined)).toBeGreaterThan(0);
  expect(width(joined)).toBeLessThan(width(apart));
});

test('characters without a glyph are left out, never drawn as boxes', async () => {
  const [plain, withEmoji, onlyEmoji, accented, letters] = draw(
    ...[{ title: 'بن' }, { title: 'بن 😀 咖啡' }, { title: '😀咖啡' }, { title: 'ḿ' }, { title: 'm' }],
  );
  expect(withEmoji).toEqual(plain);
  expect((await inkOf(onlyEmoji ?? Buffer.alloc(0))).share).toBe(0);
  expect(accented).toEqual(letters);
});

test('shop text is inert: markup is drawn as text', async () => {
  const [markup, without] = await Promise.all(
    draw({ title: '<span size="1">a</span> & b' }, { title: 'a & b' }).map(inkOf),
  );
  expect(markup?.share).toBeGreaterThan((without?.share ?? 1) * 2);
});

test('a long name wraps to two lines and shrinks; the card stays below 300 KB', async () => {
  const cover = await sharp({
    create: {
      width: 1600,
      height: 900,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
  const long =
    'مقهى وكافيه ليالي الكورنيش الكبير للمشروبات الساخنة والباردة والحلويات الشرقية والغربية في الإسكندرية';
  const [drawn] = draw({ title: long });
  const ink = await inkOf(drawn ?? Buffer.alloc(0));
  expect(ink.height).toBeLessThan(150);
  expect([ink.left >= 80, ink.right <= 1121]).toEqual([true, true]);
  const { createPictureRenderer } = await import('../../src/adapters/picture-renderer.ts');
  const covered = await createPictureRenderer().socialCard({ ...CARD, title: long, cover });
  expect(covered.length).toBeLessThanOrEqual(300_000);
  expect(await sharp(covered).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
});

const DRAW_TWICE = `
  const { createPictureRenderer } = await import('./src/adapters/picture-renderer.ts');
  const renderer = createPictureRenderer();
  const folder = process.env.TMPDIR;
  process.env.TMPDIR = folder + '/missing';
  const first = await renderer.socialCard(JSON.parse(process.argv[1])).then(() => 'drawn', () => 'failed');
  process.env.TMPDIR = folder;
  const second = await renderer.socialCard(JSON.parse(process.argv[1])).then(() => 'drawn', () => 'failed');
  console.log(first, second);
`;

test('after a failure to unpack the fonts the next card is drawn', () => {
  const printed = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', DRAW_TWICE, JSON.stringify({ ...CARD, title: 'a' })],
    { env: { ...process.env, TMPDIR: dataFolder() }, encoding: 'utf8' },
  );
  expect(printed.trim()).toBe('failed drawn');
});
