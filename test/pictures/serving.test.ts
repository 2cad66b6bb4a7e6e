/** `/pictures/{id}` and `/pictures/{id}/{width}`, and the addresses of pictures in replies. */
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { picturesBeside } from '../../src/adapters/picture-folder.ts';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { makeWorld, PUBLIC_ADDRESS, type World, type WorldOptions } from '../support/server/world.ts';
import { aMenu, aShopFile, branchId, SLUG, thingId } from '../support/shops/cafe.ts';
import { aFolderWith, aPhoto, AN_SVG } from '../support/shops/pictures.ts';

let world: World;
afterEach(() => world.close());

const PHOTO = 'pictures/menu/coffee.jpg';

const aPicturedShop = (overrides: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({
    brand: { logo_url: 'pictures/logo.svg', card_image_url: 'https://pictures.example/card.jpg' },
    links: { cover_image_url: PHOTO },
    menu: {
      ...aMenu(),
      categories: [{ key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' }, image_url: PHOTO }],
      items: [
        { key: 'turkish', name: 'قهوة تركي', category: 'coffee', price: 4500, image_url: PHOTO },
        {
          key: 'latte',
          name: 'لاتيه',
          category: 'coffee',
          price: 6000,
          image_url: 'https://pictures.example/latte.jpg',
        },
        { key: 'tea', name: 'شاي', category: 'coffee', price: 2000 },
      ],
      combos: [
        {
          ...{
            key: 'breakfast',
            name: 'إفطار',
            category: 'coffee',
            price: 5000,
            image_url: 'pictures/logo.svg',
          },
          slots: [
            {
              key: 'drink',
              name: 'مشروب',
              choices: [{ item: 'turkish' }, { item: 'latte' }, { item: 'tea' }],
            },
          ],
        },
      ],
    },
    ...overrides,
  });

const open = async (
  pictures: Readonly<Record<string, Uint8Array>> = {},
  options: WorldOptions = {},
): Promise<void> => {
  world = await makeWorld(options);
  await bring(aPicturedShop(), pictures);
};

const bring = async (file: ShopFile, pictures: Readonly<Record<string, Uint8Array>> = {}): Promise<void> => {
  const photo = await aPhoto().jpeg().toBuffer();
  const folder = picturesBeside(aFolderWith({ 'pictures/logo.svg': AN_SVG, [PHOTO]: photo, ...pictures }));
  await importShops(world.app, [{ name: 'shop.json', text: JSON.stringify(file), folder }]);
  await world.hearOfChanges();
};

const idOf = async (source: string): Promise<string> => {
  const row = await world.db.kysely
    .selectFrom('picture')
    .select('id')
    .where('source', '=', source)
    .executeTakeFirstOrThrow();
  return row.id;
};
const addressOf = async (source: string): Promise<string> =>
  `${PUBLIC_ADDRESS}/pictures/${await idOf(source)}`;

test('replies give our address of a stored picture, and the external one of any other', async () => {
  await open();
  const [logo, photo] = [await addressOf('pictures/logo.svg'), await addressOf(PHOTO)];
  const page = await world.read('getLinks', `/public/orgs/links?slug=${SLUG}`);
  expect([page.brand.logo_url, page.brand.card_image_url, page.cover_image_url]).toEqual([
    logo,
    'https://pictures.example/card.jpg',
    photo,
  ]);
  const menu = await world.read('getBranchMenu', `/public/branches/${branchId()}/menu`);
  expect(menu.categories.map(({ image_url }) => image_url)).toEqual([photo]);
  expect(Object.fromEntries(menu.items.map(({ id, image_url }) => [id, image_url]))).toEqual({
    [thingId('item', 'turkish')]: photo,
    [thingId('item', 'latte')]: 'https://pictures.example/latte.jpg',
    [thingId('item', 'tea')]: null,
    [thingId('combo', 'breakfast')]: logo,
  });
  const combo = menu.items.find(({ kind }) => kind === 'combo');
  expect(combo?.combo?.slots[0]?.choices.map(({ image_url }) => image_url)).toEqual([
    photo,
    'https://pictures.example/latte.jpg',
    null,
  ]);
});

test('a path whose picture is not stored is null in replies', async () => {
  await open();
  await world.db.kysely.deleteFrom('picture').where('source', '=', 'pictures/logo.svg').execute();
  const brand = await world.read('getBrand', `/public/orgs/brand?slug=${SLUG}`);
  expect(brand.logo_url).toBeNull();
});

test('a picture is WebP in the asked width, cacheable for ever, with a tag', async () => {
  await open();
  const id = await idOf(PHOTO);
  for (const [path, width] of [
    [`/pictures/${id}/96`, 96],
    [`/pictures/${id}/384`, 384],
    [`/pictures/${id}/768`, 600],
    [`/pictures/${id}`, 600],
  ] as const) {
    const { status, headers, bytes } = await world.get(path);
    expect([status, headers['content-type'], (await sharp(bytes).metadata()).width]).toEqual([
      200,
      'image/webp',
      width,
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    });
    const again = await world.get(path, { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  }
});

test('an SVG is given out as WebP only, drawn at the asked width', async () => {
  await open();
  const { headers, bytes } = await world.get(`/pictures/${await idOf('pictures/logo.svg')}/768`);
  expect([headers['content-type'], (await sharp(bytes).metadata()).width]).toEqual(['image/webp', 768]);
});

test('an unknown id or width is 404 in the one error body', async () => {
  await open();
  const id = await idOf(PHOTO);
  for (const path of [
    '/pictures/00000000-0000-4000-8000-000000000000',
    '/pictures/logo.svg',
    `/pictures/${id.toUpperCase()}`,
    `/${SLUG}/preview.jpg?lang=fr`,
    `/pictures/${id}/97`,
    `/pictures/${id}/0096`,
    `/pictures/${branchId()}`,
  ]) {
    const { status, body } = await world.get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(Object.keys(body as object)).toContain('error');
  }
});

test('pictures of a switched-off shop answer like unknown ones', async () => {
  await open();
  const path = `/pictures/${await idOf(PHOTO)}/192`;
  expect((await world.get(path)).status).toBe(200);
  await bring(aPicturedShop({ active: false }));
  expect((await world.get(path)).status).toBe(404);
});

test('a replaced picture has a new address, and the old one is unknown', async () => {
  await open();
  const before = await idOf(PHOTO);
  await bring(aPicturedShop(), { [PHOTO]: await aPhoto('#225588').jpeg().toBuffer() });
  const links = await world.read('getLinks', `/public/orgs/links?slug=${SLUG}`);
  expect(links.cover_image_url).toBe(await addressOf(PHOTO));
  expect(await idOf(PHOTO)).not.toBe(before);
  expect((await world.get(`/pictures/${before}`)).status).toBe(404);
});

test('pictures count in a group of their own, not as general', async () => {
  await open({}, { limitScale: 1 });
  const { headers } = await world.get(`/pictures/${await idOf(PHOTO)}/96`);
  expect(headers['ratelimit-policy']).toBe('"files";q=6000;w=60');
});
