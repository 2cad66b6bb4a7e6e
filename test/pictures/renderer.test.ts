import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPictureRenderer } from '../../src/adapters/picture-renderer.ts';
import { aFolderWith, aPhoto, AN_SVG } from '../support/shops/pictures.ts';

const renderer = createPictureRenderer();

test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
  'a %s picture is known by its bytes',
  async (format) => {
    const bytes = await aPhoto().toFormat(format).toBuffer();
    expect(await renderer.inspect(bytes)).toEqual({ format, width: 600, height: 400 });
    expect((await sharp(await renderer.resize(bytes, 192)).metadata()).width).toBe(192);
  },
);

test('a photograph is turned as its orientation says, and its metadata is left out', async () => {
  const bytes = await aPhoto()
    .withExif({ IFD0: { Copyright: 'Mona' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(await renderer.inspect(bytes)).toEqual({ format: 'jpeg', width: 400, height: 600 });
  const { width, height, exif, orientation } = await sharp(await renderer.resize(bytes, 384)).metadata();
  expect([width, height, exif, orientation]).toEqual([384, 576, undefined, undefined]);
});

test('a moving picture is given out as its first frame', async () => {
  const frames = [aPhoto('#aa2222'), aPhoto('#2222aa')];
  const moving = await sharp(await Promise.all(frames.map((frame) => frame.png().toBuffer())), {
    join: { animated: true },
  })
    .gif()
    .toBuffer();
  const still = await renderer.resize(moving, 96);
  expect((await sharp(still).metadata()).pages ?? 1).toBe(1);
  const { dominant } = await sharp(still).stats();
  expect(dominant.r).toBeGreaterThan(dominant.b);
});

test('other formats, also those that the library could read, are refused', async () => {
  const tiff = await aPhoto().tiff().toBuffer();
  for (const bytes of [tiff, Buffer.from('%PDF-1.7'), Buffer.from(''), Buffer.from('<html></html>')])
    expect(await renderer.inspect(bytes)).toEqual({ fault: 'unknown format' });
  expect(await renderer.inspect(AN_SVG)).toEqual({ format: 'svg', width: 24, height: 24 });
});

test('an SVG shows no file of the machine', async () => {
  const red = await sharp({ create: { width: 24, height: 24, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const file = join(aFolderWith({ 'red.png': red }), 'red.png');
  const image = (address: string): Buffer =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><image width="24" height="24" href="${address}"/></svg>`,
    );
  const redIn = async (bytes: Buffer): Promise<number> =>
    (
      await sharp(await renderer.resize(bytes, 96))
        .flatten({ background: '#000' })
        .stats()
    ).channels[0]?.max ?? 0;
  expect(await redIn(image(`data:image/png;base64,${red.toString('base64')}`))).toBeGreaterThan(200);
  expect(await redIn(image(`file://${file}`))).toBe(0);
});
