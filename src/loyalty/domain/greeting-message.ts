/** The text of a greeting, and until when it is true. */
import { countedText, type CountedForms } from '../../kernel/counted.ts';
import { firstWord, type Language } from '../../kernel/names.ts';
import type { LocalDate } from '../../kernel/time.ts';
import {
  messageOf,
  TEMPLATES,
  type GreetingTemplate,
  type Message,
} from '../../messaging/domain/template.ts';
import { greetingRulesOf, type GreetedMember, type GreetingKind } from './greeting.ts';
import type { LocalizedText, Mode, Programme } from './programme.ts';

/** Where the shop wrote nothing in the language. */
const DEFAULT_WORDS: Readonly<Record<GreetingKind, Readonly<Record<Language, string>>>> = {
  birthday: { ar: 'عيد ميلاد سعيد يا {name}!', en: 'Happy birthday, {name}!' },
  win_back: { ar: 'اشتقنا إليك يا {name}!', en: 'We have missed you, {name}!' },
};

const GIFTS: Readonly<Record<Mode, CountedForms>> = {
  points: {
    ar: {
      ...{ one: () => 'نقطة واحدة', two: () => 'نقطتان', few: (count) => `${count} نقاط` },
      ...{ many: (count) => `${count} نقطة`, other: (count) => `${count} نقطة` },
    },
    en: { one: (count) => `${count} point`, other: (count) => `${count} points` },
  },
  visits: {
    ar: {
      ...{ one: () => 'زيارة واحدة', two: () => 'زيارتان', few: (count) => `${count} زيارات` },
      ...{ many: (count) => `${count} زيارة`, other: (count) => `${count} زيارة` },
    },
    en: { one: (count) => `${count} visit`, other: (count) => `${count} visits` },
  },
};

export interface GreetingFacts {
  readonly kind: GreetingKind;
  /** The shop's date. */
  readonly date: LocalDate;
  readonly language: Language;
  /** In `language`. */
  readonly shopName: string;
  readonly words: LocalizedText;
  readonly mode: Mode;
  /** As posted; 0: none. */
  readonly gift: number;
}

/** Without the guest's name, which is added when the message is sent: an erasure finds no name in the outbox. */
export const greetingMessage = (facts: GreetingFacts): Message => {
  const { kind, date, language, shopName: shop, mode, gift } = facts;
  const words = facts.words[language] ?? DEFAULT_WORDS[kind][language];
  const message =
    gift === 0
      ? messageOf(kind, language, { shop, words })
      : messageOf(`${kind}_gift`, language, {
          ...{ shop, words },
          gift: countedText(GIFTS[mode], gift, language),
        });
  return { ...message, state: date };
};

const KINDS: Readonly<Record<GreetingTemplate, GreetingKind>> = {
  ...{ birthday: 'birthday', birthday_gift: 'birthday' },
  ...{ win_back: 'win_back', win_back_gift: 'win_back' },
};

export type Greeting = Message & { readonly template: GreetingTemplate };

export const isGreeting = (message: Message): message is Greeting => Object.hasOwn(KINDS, message.template);

/** Providers refuse a message of more than 1,024 characters. */
const MOST_CHARACTERS = 600;

/** The parameters with the first word of the name for each `{name}`; a name that reads `{name}` is a name. */
export const parametersFor = ({ template, parameters }: Greeting, name: string): readonly string[] => {
  const first = firstWord(name);
  return parameters.map((text, index) =>
    TEMPLATES[template].parameters[index] === 'words'
      ? Array.from(text.replaceAll('{name}', () => first))
          .slice(0, MOST_CHARACTERS)
          .join('')
      : text,
  );
};

/** Why a greeting that waited is not sent; null: it is still true. `date`: today, in the shop. */
export const obsoleteReason = (
  { template, state }: Greeting,
  programme: Pick<Programme, 'isEnabled' | 'birthday' | 'winBack'>,
  { isReachable, absentSince }: GreetedMember,
  date: LocalDate,
): string | null => {
  const { areBirthdaysGreeted, awayDays } = greetingRulesOf(programme);
  if (!isReachable) return 'the member wants no greetings, or their phone is not proven';
  if (KINDS[template] === 'birthday') {
    if (!areBirthdaysGreeted) return 'the shop greets no birthdays any more';
    return state === date ? null : 'the birthday is past';
  }
  if (awayDays === null) return 'the shop greets no absences any more';
  return absentSince === null ? null : 'the member has been here since';
};
