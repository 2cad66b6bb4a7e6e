/** Names and other texts of a shop in the reader's language, else in the shop's own. */
import type { Language, Translations } from '../../../kernel/names.ts';
import { useReader } from './reader.ts';

export const textIn = <T extends string | null | undefined>(
  language: Language,
  text: T,
  translations: Translations | undefined,
): T | string => translations?.[language] ?? text;

export interface Named {
  readonly name: string;
  readonly name_translations?: Translations | undefined;
}

export const translated = (language: Language, { name, name_translations: others }: Named): string =>
  textIn(language, name, others);

export const sizeName = (
  language: Language,
  { label, label_translations: others }: { label: string; label_translations?: Translations | undefined },
): string => textIn(language, label, others);

export const taglineIn = (
  language: Language,
  page: { readonly tagline_ar?: string | null | undefined; readonly tagline_en?: string | null | undefined },
): string | null => page[`tagline_${language}`] ?? null;

export const useName = (): ((named: Named) => string) => {
  const { language } = useReader();
  return (named) => translated(language, named);
};
