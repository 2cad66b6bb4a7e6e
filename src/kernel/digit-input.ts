import { westernDigits } from './digits.ts';

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** NFKC, no invisible characters, digits 0-9, single spaces (Decisions 10). */
export const normalizedDigits = (text: string): string =>
  westernDigits(text.normalize('NFKC').replace(INVISIBLE, '')).replace(/\s+/g, ' ').trim();
