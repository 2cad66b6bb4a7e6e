/** Pictures that a shop file names: imported, shown, exported. */
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picturesBeside } from '../../src/adapters/picture-folder.ts';
import { createPictureSpool } from '../../src/adapters/picture-spool.ts';
import type { PictureDownloader } from '../../src/ports.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { exportShop } from '../../src/shopfile/app/shopfile.ts';
import { dataFolder } from '../support/programs/data-folder.ts';
import {
  faultLines,
  faultsOfImport,
  openImportFixture,
  type ImportFixture,
} from '../support/shops/shop-import.ts';
import { aFolderWith, aPhoto, AN_SVG } from '../support/shops/pictures.ts';
import { aMinimalShopFile } from '../support/shops/shop-file.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const jpeg = (color: string): Promise<Buffer> => aPhoto(color, 60, 40).jpeg().toBuffer();

const withLogo = (file: ShopFile, logo: string): ShopFile => ({
  ...file,
  brand: { ...file.brand, logo_url: logo },
});

const sourcesOf = async (orgId: string): Promise<string[]> =>
  (
    await fixture.db.kysely
      .selectFrom('picture')
      .select('source')
      .where('org_id', '=', orgId)
      .orderBy('source')
      .execute()
  ).map(({ source }) => source);

let count = 0;
const aShopWithLogo = (logo = 'pictures/logo.svg'): ShopFile => {
  count += 1;
  return withLogo({ ...aMinimalShopFile(), slug: `pictured-${count}` }, logo);
};

test('a picture beside the shop file is stored with its facts', async () => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG }));
  const { orgId, pictures } = await fixture.import(aShopWithLogo(), {}, folder);
  expect(pictures).toEqual({ stored: ['pictures/logo.svg'], removed: [] });
  const row = await fixture.db.kysely
    .selectFrom('picture')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    source: 'pictures/logo.svg',
    media_type: 'image/svg+xml',
    width: 24,
    height: 24,
  });
  expect(row.bytes.equals(AN_SVG)).toBe(true);
});

test('importing the same file and pictures twice changes nothing', async () => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG }));
  const file = aShopWithLogo();
  const { orgId } = await fixture.import(file, {}, folder);
  const { seq } = await fixture.changes(orgId);
  const again = await fixture.import(file, {}, folder);
  expect(again.pictures).toEqual({ stored: [], removed: [] });
  expect((await fixture.changes(orgId, seq)).changes).toEqual([]);
});

test('a changed picture under the same name has another id and is a change of the shop', async () => {
  const root = aFolderWith({ 'pictures/logo.jpg': await jpeg('#aa3300') });
  const file = aShopWithLogo('pictures/logo.jpg');
  const { orgId } = await fixture.import(file, {}, picturesBeside(root));
  const idOf = () =>
    fixture.db.kysely
      .selectFrom('picture')
      .select('id')
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow();
  const before = await idOf();
  const { seq } = await fixture.changes(orgId);
  writeFileSync(join(root, 'pictures', 'logo.jpg'), await jpeg('#0033aa'));
  const report = await fixture.import(file, {}, picturesBeside(root));
  expect(report.pictures.stored).toEqual(['pictures/logo.jpg']);
  expect(await idOf()).not.toEqual(before);
  expect((await fixture.changes(orgId, seq)).changes).toEqual([
    { scope: 'shop', type: 'shop', id: orgId, op: 'upsert' },
  ]);
});

test('a picture that no field names any more is deleted', async () => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG }));
  const file = aShopWithLogo();
  const { orgId } = await fixture.import(file, {}, folder);
  expect((await fixture.import({ ...file, brand: {} }, {}, folder)).pictures.removed).toEqual([
    'pictures/logo.svg',
  ]);
  expect(await sourcesOf(orgId)).toEqual([]);
});

test('the locator has the ids of the pictures that are there, and of no others', async () => {
  const root = aFolderWith({ 'pictures/a.svg': AN_SVG, 'pictures/b.svg': AN_SVG });
  const folder = picturesBeside(root);
  const file = { ...aShopWithLogo('pictures/a.svg'), links: { cover_image_url: 'pictures/b.svg' } };
  const { orgId } = await fixture.import(file, {}, folder);
  const idsIn = async (table: 'picture' | 'locator'): Promise<readonly string[]> => {
    const all = fixture.db.kysely.selectFrom(table).select('id').where('org_id', '=', orgId);
    const rows = await (table === 'locator' ? all.where('kind', '=', 'picture') : all).execute();
    return rows.map(({ id }) => id);
  };
  const [before] = await idsIn('locator');
  // The same bytes have another name still.
  await fixture.import({ ...file, links: {} }, {}, folder);
  expect(await idsIn('locator')).toEqual([before]);
  writeFileSync(join(root, 'pictures', 'a.svg'), await jpeg('#aa3300'));
  await fixture.import({ ...file, links: {} }, {}, folder);
  const after = await idsIn('locator');
  expect(after).not.toEqual([before]);
  expect(after).toEqual(await idsIn('picture'));
  await fixture.import({ ...file, links: {}, brand: {} }, {}, folder);
  expect(await idsIn('locator')).toEqual([]);
});

test('two names of the same bytes have one id', async () => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG, 'pictures/cover.svg': AN_SVG }));
  const file = { ...aShopWithLogo(), links: { cover_image_url: 'pictures/cover.svg' } };
  const { orgId } = await fixture.import(file, {}, folder);
  const ids = await fixture.db.kysely
    .selectFrom('picture')
    .select('id')
    .where('org_id', '=', orgId)
    .execute();
  expect([ids.length, new Set(ids.map(({ id }) => id)).size]).toEqual([2, 1]);
});

test('unusable files are faults at their places, and nothing is written', async () => {
  const root = aFolderWith({
    'pictures/note.jpg': Buffer.from('no picture'),
    'pictures/half.jpg': (await jpeg('#aa3300')).subarray(0, -120),
    'pictures/huge.png': Buffer.alloc(10_000_001),
    'pictures/wide.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>',
    ),
  });
  const outside = join(dataFolder(), 'other.svg');
  writeFileSync(outside, AN_SVG);
  symlinkSync(outside, join(root, 'pictures', 'link.svg'));
  const file = aShopWithLogo('pictures/missing.png');
  const bad: ShopFile = {
    ...file,
    brand: { ...file.brand, card_image_url: 'pictures/link.svg' },
    links: { cover_image_url: 'pictures/huge.png' },
    menu: {
      categories: [
        { name: 'أ', image_url: 'pictures/note.jpg' },
        { name: 'ب', image_url: 'pictures/half.jpg' },
        { name: 'ج', image_url: 'pictures/wide.svg' },
      ],
    },
  };
  expect(faultLines(await faultsOfImport(fixture.import(bad, {}, picturesBeside(root))))).toEqual([
    'brand.logo_url: names a file that is not there',
    'brand.card_image_url: names a file outside the folder of the shop file',
    'links.cover_image_url: names a picture of more than 10 MB',
    'menu.categories[0].image_url: names a file that is no JPEG, PNG, WebP, AVIF, GIF or SVG picture',
    'menu.categories[1].image_url: names a picture that is damaged: it cannot be decoded',
    'menu.categories[2].image_url: names a picture of more than 50 megapixels',
  ]);
  await expect(fixture.export(file.slug)).rejects.toThrow('There is no shop');
});

test.each([
  '../logo.svg',
  'pictures/../logo.svg',
  '/pictures/logo.svg',
  'pictures/.hidden.svg',
  'pictures/a//b.svg',
  'logo.svg',
  'pictures/logo.pdf',
  'pictures/لوجو.svg',
])('the path %s is a fault of its form', async (path) => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG }));
  const [line] = faultLines(await faultsOfImport(fixture.import(aShopWithLogo(path), {}, folder)));
  expect(line).toMatch(
    /^brand\.logo_url: must be an address that begins with https:\/\/, or the path of a file/,
  );
});

test('a shop file from standard input cannot name files', async () => {
  expect(faultLines(await faultsOfImport(fixture.import(aShopWithLogo())))).toEqual([
    'brand.logo_url: names a file, which needs a shop file in a folder',
  ]);
});

test('an export of the file and its pictures imports to the same shop elsewhere', async () => {
  const file = { ...aShopWithLogo(), links: { cover_image_url: 'https://pictures.example/cover.jpg' } };
  await fixture.import(file, {}, picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG })));
  const written: Record<string, Uint8Array> = {};
  const exported = await exportShop(fixture, file.slug, (path, bytes) => {
    written[path] = bytes;
  });
  expect([exported.brand?.logo_url, exported.links?.cover_image_url]).toEqual([
    'pictures/logo.svg',
    'https://pictures.example/cover.jpg',
  ]);
  const elsewhere = await openImportFixture();
  await elsewhere.import(exported, {}, picturesBeside(aFolderWith(written)));
  expect(await elsewhere.export(file.slug)).toEqual(exported);
  await elsewhere.close();
});

test('addresses are fetched on request and stored; one that cannot be had is a warning', async () => {
  const photo = await jpeg('#664422');
  const downloader: PictureDownloader = {
    download: (url) =>
      Promise.resolve(url.endsWith('/photo') ? { bytes: photo } : { reason: 'answered 404' }),
  };
  const file = {
    ...aShopWithLogo('https://pictures.example/photo'),
    links: { cover_image_url: 'https://pictures.example/gone' },
  };
  const fetching = { downloader, spool: createPictureSpool(dataFolder()) };
  const { orgId, warnings } = await fixture.import(file, { fetching });
  expect(warnings).toContain('the picture https://pictures.example/gone cannot be fetched: answered 404');
  expect(await sourcesOf(orgId)).toEqual(['https://pictures.example/photo']);
  const { pictures } = await fixture.import(file);
  expect(pictures).toEqual({ stored: [], removed: [] });
});

test('downloads are files of the account alone, which are gone after an import and after a failed one', async () => {
  const parent = dataFolder();
  const photo = await jpeg('#446622');
  const spooled: string[] = [];
  const downloader: PictureDownloader = {
    download: () => {
      for (const folder of readdirSync(parent))
        for (const file of readdirSync(join(parent, folder)))
          spooled.push((statSync(join(parent, folder, file)).mode & 0o777).toString(8));
      return Promise.resolve({ bytes: photo });
    },
  };
  const file = {
    ...aShopWithLogo('https://pictures.example/one'),
    links: { cover_image_url: 'https://pictures.example/two' },
  };
  const fetching = () => ({ downloader, spool: createPictureSpool(parent) });
  await fixture.import(file, { fetching: fetching() });
  expect([spooled, readdirSync(parent)]).toEqual([['600'], []]);
  const faulty = { ...file, brand: { ...file.brand, card_image_url: 'pictures/none.jpg' } };
  expect(await faultsOfImport(fixture.import(faulty, { fetching: fetching() }))).not.toEqual([]);
  expect([spooled, readdirSync(parent)]).toEqual([['600', '600'], []]);
});

test('a dry run reports pictures and stores none', async () => {
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG }));
  const { orgId, pictures } = await fixture.import(aShopWithLogo(), { dryRun: true }, folder);
  expect([pictures.stored, await sourcesOf(orgId)]).toEqual([['pictures/logo.svg'], []]);
});
