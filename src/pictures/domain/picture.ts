import type { Uuid } from '../../kernel/ids.ts';

/** Media types that are stored; every picture is given out as WebP. */
export const MEDIA_TYPES = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
} as const;
export type PictureFormat = keyof typeof MEDIA_TYPES;

export const MAX_PICTURE_BYTES = 10_000_000;
export const MAX_PICTURE_PIXELS = 50_000_000;

/** A file beside the shop file. No part of the path begins with a dot. */
export const PICTURE_PATH_PATTERN =
  'pictures/(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\\.(?:jpe?g|png|webp|avif|gif|svg)';

const PICTURE_PATH = new RegExp(`^${PICTURE_PATH_PATTERN}$`);

/** Otherwise a reference is an `https://` address. */
export const isPicturePath = (reference: string): boolean => PICTURE_PATH.test(reference);

/**
 * The address of a picture in a reply: ours if the picture is stored, else the external one. Null if the reference is
 * null, or a path whose file is not stored.
 */
export const pictureAddress = (
  baseUrl: string,
  reference: string | null,
  pictureId: Uuid | null,
): string | null => {
  if (pictureId !== null) return `${baseUrl}/pictures/${pictureId}`;
  return reference === null || isPicturePath(reference) ? null : reference;
};

export type PictureFault = 'too many bytes' | 'too many pixels' | 'unknown format' | 'unreadable';

/** Predicates whose subject is the picture's place in the shop file. */
export const PICTURE_PROBLEMS: Readonly<Record<PictureFault, string>> = {
  'too many bytes': `names a picture of more than ${MAX_PICTURE_BYTES / 1_000_000} MB`,
  'too many pixels': `names a picture of more than ${MAX_PICTURE_PIXELS / 1_000_000} megapixels`,
  'unknown format': 'names a file that is no JPEG, PNG, WebP, AVIF, GIF or SVG picture',
  unreadable: 'names a picture that is damaged: it cannot be decoded',
};
