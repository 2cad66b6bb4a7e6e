/** Digits as people type them on Arabic and Persian keyboards. */

const ARABIC_INDIC = 0x0660;
const PERSIAN = 0x06f0;

/** The text with ٠-٩ and ۰-۹ as 0-9; all else as it was (Decisions 10). */
export const westernDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_INDIC))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN));
