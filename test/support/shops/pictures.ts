/** Pictures to import, and folders that hold them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { dataFolder } from '../programs/data-folder.ts';

/** A folder with files at paths such as `pictures/logo.svg`. */
export const aFolderWith = (files: Readonly<Record<string, Uint8Array>>): string => {
  const folder = dataFolder();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
};

export const AN_SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><rect width="24" height="24" fill="#D98E32"/></svg>',
);

/** Noise of one colour, so that it does not compress to nothing. */
export const aPhoto = (background = '#8A5A33', width = 600, height = 400): Sharp =>
  sharp({
    create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 120, sigma: 30 } },
  }).tint(background);
