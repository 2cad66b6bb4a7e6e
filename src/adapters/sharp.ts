/**
 * sharp is loaded at the first picture: loading at start would cost every process 150 ms and 33 MB.
 */
import type { SharpOptions } from 'sharp';
import { MAX_PICTURE_PIXELS } from '../pictures/domain/picture.ts';

/** Only these decoders can be reached, whatever the bytes. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`);

const configured = async () => {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
};

let loading: ReturnType<typeof configured> | null = null;
export const loadSharp = (): ReturnType<typeof configured> => (loading ??= configured());

/** The first frame only. */
export const READING: SharpOptions = { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1 };
