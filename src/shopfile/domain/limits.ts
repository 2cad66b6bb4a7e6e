/** How much an import reads. */

/** Items of a shop file, and of all files of one import together unless a setting says fewer. */
export const MOST_ITEMS = 20_000;

/** Bytes of all files of one import together, unless a setting says otherwise: 64 MiB. */
export const STANDARD_IMPORT_BYTES = 67_108_864;

/** No text may be longer: what the language runtime can hold in one. */
export const HIGHEST_IMPORT_BYTES = 500_000_000;

/** Sizes that an item may have. */
export const MOST_SIZES = 20;

/** What an import reads, in words for the one who gave more. */
export const tooManyItems = (items: number, most: number): string =>
  `has ${items.toLocaleString('en')} items; an import reads at most ${most.toLocaleString('en')} (IMPORT_MAX_ITEMS)`;
