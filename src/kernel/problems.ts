/** Problems of a value that more than one part of a request can have (Decisions 5). */
import { meantWord } from './closest-word.ts';
import type { Problem, Words } from './refusal.ts';

export const REQUIRED: Problem = { problem: 'is required', arabic: 'هذا الحقل مطلوب' };
export const NUL_CHARACTER: Problem = { problem: 'has a NUL character', arabic: 'في النص حرف NUL' };
export const TOO_DEEP: Problem = {
  problem: 'is nested too deeply',
  arabic: 'المستويات المتداخلة أعمق من المسموح',
};

export const NO_MOMENT: Problem = {
  problem: 'is no moment that a clock can show',
  arabic: 'ليست لحظة صحيحة',
};

/** `expected`: a noun phrase. */
export const mustBe = ({ en, ar }: Words): Problem => ({
  problem: `must be ${en}`,
  arabic: `القيمة المطلوبة: ${ar}`,
});

export const oneOf = (words: readonly string[]): Words => ({
  en: `one of ${words.join(', ')}`,
  ar: `واحدة من ${words.join('، ')}`,
});

/** With the word that was probably meant. `given`: a value of any type. */
export const mustBeOneOf = (words: readonly string[], given: unknown): Problem => {
  const { problem, arabic } = mustBe(oneOf(words));
  const meant = typeof given === 'string' ? meantWord(given, words) : null;
  return meant === null
    ? { problem, arabic }
    : { problem: `${problem}; did you mean ${meant}?`, arabic: `${arabic}؛ هل تقصد ${meant}؟` };
};
