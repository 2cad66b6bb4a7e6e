/** Counted things in words, by the plural rules of the language. */
import type { Language } from './names.ts';

type Form = (count: number) => string;

/** `other` stands for every form that is left out. */
export type CountedForms = Readonly<
  Record<Language, Readonly<Partial<Record<Intl.LDMLPluralRule, Form>> & { readonly other: Form }>>
>;

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  ar: new Intl.PluralRules('ar'),
  en: new Intl.PluralRules('en'),
};

export const countedText = (forms: CountedForms, count: number, language: Language): string =>
  (forms[language][RULES[language].select(count)] ?? forms[language].other)(count);
