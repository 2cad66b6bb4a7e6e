/** Text as it is compared in a search: Arabic letters that people write for one another are one. */
import { westernDigits } from './digits.ts';

const FOLDED: Readonly<Record<string, string>> = {
  ...{
    أ: 'ا',
    إ: 'ا',
    آ: 'ا',
    ٱ: 'ا',
    ى: 'ي',
    ئ: 'ي',
    ؤ: 'و',
    ة: 'ه',
    ک: 'ك',
    ی: 'ي',
    گ: 'ك',
    چ: 'ج',
    پ: 'ب',
    ڤ: 'ف',
  },
};

/** Lower case, without accents, vowel marks, tatweel and signs; words apart by one space. */
export const searchText = (text: string): string =>
  westernDigits(text.normalize('NFKC'))
    .replace(/[أإآٱىئؤةکیگچپڤ]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}ـ]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether each word of `query` begins a word of `text`, the Arabic article aside. Both by `searchText`. */
export const matchesSearch = (text: string, query: string): boolean =>
  query.split(' ').every((word) => ` ${text}`.includes(` ${word}`) || ` ${text}`.includes(` ال${word}`));
