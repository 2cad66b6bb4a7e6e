/** Text in several languages: as a file writes it, and as the tables keep it. */
import type { Translations } from '../../kernel/names.ts';

/** Text in the shop's main language, or language code to text. */
export type LocalText = string | Readonly<Record<string, string>>;

/** Every language of a text. */
export const languagesOf = (text: LocalText, main: string): Translations =>
  typeof text === 'string' ? { [main]: text } : text;

/** The text in the main language; '' when it is missing, which is a fault of its own. */
export const mainText = (text: LocalText, main: string): string => languagesOf(text, main)[main] ?? '';

/** The languages besides the main one. */
export const otherTexts = (text: LocalText, main: string): Translations =>
  Object.fromEntries(
    Object.entries(languagesOf(text, main))
      .filter(([language]) => language !== main)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The columns of a name. */
export const nameColumns = (
  text: LocalText,
  main: string,
): { readonly name: string; readonly name_translations: Translations } => ({
  name: mainText(text, main),
  name_translations: otherTexts(text, main),
});

const isTranslations = (value: unknown): value is Translations =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string');

/** The text as a file writes it: the main language first, the others by code. */
export const writtenText = (text: string, others: unknown, main: string): Record<string, string> => ({
  [main]: text,
  ...otherTexts(isTranslations(others) ? others : {}, main),
});
