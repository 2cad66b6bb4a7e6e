const ARABIC_INDIC = 0x0660;
const PERSIAN = 0x06f0;

/** Replaces ٠-٩ and ۰-۹ by 0-9 (Decisions 10). */
export const westernDigits = (text: string): string =>
  text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_INDIC))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN));
