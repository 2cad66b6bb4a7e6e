/** Limits of an import. */

/** Items of a shop file, and default limit for all files of one import. */
export const MAX_ITEMS = 20_000;

/** All files of one import: 64 MiB. */
export const DEFAULT_IMPORT_BYTES = 67_108_864;

/** Upper bound of the setting: near V8's maximum string length. */
export const MAX_IMPORT_BYTES = 500_000_000;

/** Per item. */
export const MAX_SIZES = 20;

export const tooManyItems = (items: number, most: number): string =>
  `has ${items.toLocaleString('en')} items; an import reads at most ${most.toLocaleString('en')} (IMPORT_MAX_ITEMS)`;
