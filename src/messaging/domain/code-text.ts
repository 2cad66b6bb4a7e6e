/** One-time codes: who carries them, and their text where the provider has no template. */
import type { Language } from '../../kernel/names.ts';

export type CodeSender = 'whatsapp' | 'sms';

/** The sender that took a code. */
export interface Carrier {
  readonly sender: CodeSender;
  /** `next`: a sender that was asked before did not take it. */
  readonly place: 'first' | 'next';
}

/** The code comes first, so that a preview shows it. Arabic fits into one part of 70 characters. */
const TEXTS: Readonly<Record<Language, (code: string) => string>> = {
  ar: (code) => `${code} هو كود التأكيد. صالح لخمس دقائق، فلا تشاركه مع أحد.`,
  en: (code) => `${code} is your confirmation code. It works for five minutes; share it with nobody.`,
};

export const codeText = (language: Language, code: string): string => TEXTS[language](code);
