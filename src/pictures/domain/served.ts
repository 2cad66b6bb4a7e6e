/** What pages need to know of pictures that we give out. */
import { parseUuid, type Uuid } from '../../kernel/ids.ts';

/** Widths in pixels that a client can ask for. */
export const PICTURE_WIDTHS = [96, 192, 384, 768, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];
/** Without a width in the address. */
export const FULL_WIDTH: PictureWidth = 1200;

const STORED = /\/pictures\/([0-9a-f-]{36})$/;

/** The id in an address that `pictureAddress` wrote; null for any other. */
export const pictureIdIn = (address: string | null | undefined): Uuid | null => {
  const [, id] = STORED.exec(address ?? '') ?? [];
  return id === undefined ? null : parseUuid(id);
};
