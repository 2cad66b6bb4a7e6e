/** The code of a shop, in ids and tokens that are handed out, so that whoever gets one back finds its shop. */
import type { Uuid } from './ids.ts';

/** 40 bits as 10 hexadecimal digits, in lower case. */
export type ShopCode = string;

export const CODE_BYTES = 5;
/** What an id has besides the code; 6 of these bits give way to version and variant. */
export const ID_BYTES = 11;

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const shopCodeOf = (bytes: Uint8Array): ShopCode => hexOf(bytes);

/** UUID version 8 (RFC 9562): the code, then 82 of the random bits. */
export const idOfShop = (code: ShopCode, random: Uint8Array): Uuid =>
  `${code}${hexOf(random)}`.replace(
    /^(.{8})(.{4}).(.{3})(.)(.{3})(.{12})$/,
    (_, first: string, second: string, third: string, digit: string, fourth: string, last: string) => {
      const variant = ((parseInt(digit, 16) & 3) | 8).toString(16);
      return `${first}-${second}-8${third}-${variant}${fourth}-${last}`;
    },
  );

/** Null: an id of before, which has none. */
export const codeInId = (id: Uuid): ShopCode | null => {
  const [, first, second] = /^(.{8})-(..)..-8/.exec(id) ?? [];
  return first === undefined || second === undefined ? null : `${first}${second}`;
};
