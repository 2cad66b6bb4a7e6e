import { westernDigits } from './digits.ts';

/** Direction marks, zero-width characters and the like: pasted along, seen by nobody. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Figures as people type or paste them, made plain: one form for every character, nothing invisible, digits 0-9,
 * single spaces (Decisions 10).
 */
export const plainFigures = (text: string): string =>
  westernDigits(text.normalize('NFKC').replace(INVISIBLE, '')).replace(/\s+/g, ' ').trim();
