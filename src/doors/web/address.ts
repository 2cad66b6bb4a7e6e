import type { Language } from '../../kernel/names.ts';

/** The address of a page in a language. */
export const addressIn = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;
