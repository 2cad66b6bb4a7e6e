/** Conversion of localized text between files and table columns. */
import type { Translations } from '../../kernel/names.ts';

/** Text in the shop's main language, or a map from language code to text. */
export type LocalText = string | Readonly<Record<string, string>>;

export const languagesOf = (text: LocalText, main: string): Translations =>
  typeof text === 'string' ? { [main]: text } : text;

/** '' if missing; `checkLanguage` reports that. */
export const mainText = (text: LocalText, main: string): string => languagesOf(text, main)[main] ?? '';

export const otherTexts = (text: LocalText, main: string): Translations =>
  Object.fromEntries(
    Object.entries(languagesOf(text, main))
      .filter(([language]) => language !== main)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

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

/** The main language first, the others sorted by code. */
export const toLocalText = (text: string, others: unknown, main: string): Record<string, string> => ({
  [main]: text,
  ...otherTexts(isTranslations(others) ? others : {}, main),
});
