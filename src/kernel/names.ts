export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Language code to text, without the shop's main language (Decisions 6). */
export type Translations = Readonly<Record<string, string>>;

export interface Named {
  readonly name: string;
  readonly nameTranslations: Translations;
}

export const nameIn = (language: Language, { name, nameTranslations }: Named): string =>
  nameTranslations[language] ?? name;

/** The part of a person's name that greetings and masked replies contain (Decisions 8, 11). */
export const firstWord = (name: string): string => name.trim().split(/[\s\p{Cc}]+/u)[0] ?? '';

/** Independent of any locale (Decisions 1). */
const byCodePoints = (a: string, b: string): number => {
  const left = Array.from(a, (c) => c.codePointAt(0) ?? 0);
  const right = Array.from(b, (c) => c.codePointAt(0) ?? 0);
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

/** Sorts by the code points of the NFC form, then by id (Decisions 1). */
export const byName = (a: { name: string; id: string }, b: { name: string; id: string }): number =>
  byCodePoints(a.name.normalize('NFC'), b.name.normalize('NFC')) || byCodePoints(a.id, b.id);
