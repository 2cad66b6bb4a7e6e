/** `/{slug}/preview.jpg`. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picturesBeside } from '../../src/adapters/picture-folder.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import { aFolderWith, aPhoto, AN_SVG } from '../support/shops/pictures.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const bring = async (overrides: Partial<ShopFile>): Promise<void> => {
  const cover = await aPhoto().jpeg().toBuffer();
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG, 'pictures/cover.jpg': cover }));
  const text = JSON.stringify(aShopFile(overrides));
  await importShops(world.app, [{ name: 'shop.json', text, folder }]);
  await world.hearOfChanges();
};

const preview = async (query = ''): Promise<Buffer> => {
  const { status, headers, bytes } = await world.get(`/${SLUG}/preview.jpg${query}`);
  expect([status, headers['content-type']]).toEqual([200, 'image/jpeg']);
  return bytes;
};

test('the preview of a shop is a JPEG of its name, in both languages, until the shop changes', async () => {
  await bring({ brand: { logo_url: 'pictures/logo.svg' } });
  const arabic = await preview();
  expect(await sharp(arabic).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  expect(await preview('?lang=ar')).toEqual(arabic);
  expect(await preview('?lang=en')).not.toEqual(arabic);
  await bring({ brand: { logo_url: 'pictures/logo.svg' }, links: { cover_image_url: 'pictures/cover.jpg' } });
  expect(await preview()).not.toEqual(arabic);
});

test('an unknown shop has no preview', async () => {
  expect((await world.get('/no-such-shop/preview.jpg')).status).toBe(404);
});
