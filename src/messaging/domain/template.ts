/**
 * Message templates in Arabic and English with ordered parameters, as a provider approves them.
 * docs/messages.md lists them for registration.
 */
import type { Language } from '../../kernel/names.ts';

const ORDER_TEMPLATES = [
  'order_received',
  'order_confirmed',
  'order_ready',
  'order_on_the_way',
  'order_cancelled',
  'order_rejected',
] as const;
export type OrderTemplate = (typeof ORDER_TEMPLATES)[number];

const BOOKING_TEMPLATES = [
  'booking_confirmed',
  'booking_changed',
  'booking_reminder',
  'booking_cancelled',
] as const;
export type BookingTemplate = (typeof BOOKING_TEMPLATES)[number];

const GREETING_TEMPLATES = ['birthday', 'birthday_gift', 'win_back', 'win_back_gift'] as const;
export type GreetingTemplate = (typeof GREETING_TEMPLATES)[number];

const CARD_TEMPLATES = ['card_link'] as const;
export type CardTemplate = (typeof CARD_TEMPLATES)[number];

export const TEMPLATE_NAMES = [
  ...ORDER_TEMPLATES,
  ...BOOKING_TEMPLATES,
  ...CARD_TEMPLATES,
  ...GREETING_TEMPLATES,
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

type OrderParameter = 'shop' | 'reference' | 'minutes' | 'reason';
type BookingParameter = 'shop' | 'branch' | 'time' | 'guests';
type CardParameter = 'shop';
type GreetingParameter = 'shop' | 'words' | 'gift';
type ParameterOf<N extends TemplateName> = N extends OrderTemplate
  ? OrderParameter
  : N extends BookingTemplate
    ? BookingParameter
    : N extends CardTemplate
      ? CardParameter
      : N extends `${string}_gift`
        ? GreetingParameter
        : Exclude<GreetingParameter, 'gift'>;

interface Template<P> extends Readonly<Record<Language, string>> {
  /** For {{1}}, {{2}} …; the link to the page of the order, booking or card comes last, in every template. */
  readonly parameters: readonly P[];
}

/**
 * Providers refuse a text that begins or ends with a parameter, has two side by side, or has few words for
 * its parameters.
 */
export const TEMPLATES: { readonly [N in TemplateName]: Template<ParameterOf<N>> } = {
  order_received: {
    parameters: ['shop', 'reference'],
    ar: 'شكرًا لك! وصل طلبك إلى {{1}} برقم {{2}} وسيتم تأكيده قريبًا. يمكنك متابعته من {{3}} في أي وقت.',
    en: 'Thank you! {{1}} has received your order {{2}} and will confirm it soon. You can follow it at {{3}} whenever you like.',
  },
  order_confirmed: {
    parameters: ['shop', 'reference', 'minutes'],
    ar: 'خبر سعيد: تم تأكيد طلبك من {{1}} برقم {{2}}. مدة التحضير المتوقعة: {{3}}. يمكنك متابعته من {{4}} في أي وقت.',
    en: 'Good news: {{1}} has confirmed your order {{2}}. Expected preparation time: {{3}}. You can follow it at {{4}} whenever you like.',
  },
  order_ready: {
    parameters: ['shop', 'reference'],
    ar: 'طلبك جاهز! يمكنك استلامه الآن من {{1}} برقم {{2}}. تفاصيل الطلب على {{3}} لعرضها عند الاستلام.',
    en: 'Come and get it! At {{1}} your order {{2}} is ready at the counter. Its details are at {{3}} for you to show.',
  },
  order_on_the_way: {
    parameters: ['shop', 'reference'],
    ar: 'طلبك في الطريق! خرج من {{1}} برقم {{2}} وسيصل إليك قريبًا. يمكنك متابعته من {{3}} في أي وقت.',
    en: 'Almost there! From {{1}} your order {{2}} is on its way to you. You can follow it at {{3}} whenever you like.',
  },
  order_cancelled: {
    parameters: ['shop', 'reference', 'reason'],
    ar: 'نود إبلاغك بأنه تم إلغاء طلبك من {{1}} برقم {{2}}. السبب: {{3}}. تفاصيله على {{4}} إذا احتجت إليها.',
    en: 'Please note that at {{1}} your order {{2}} has been cancelled. Reason: {{3}}. Its details are at {{4}} if you need them.',
  },
  order_rejected: {
    parameters: ['shop', 'reference', 'reason'],
    ar: 'نعتذر لك: لم يُقبل طلبك من {{1}} برقم {{2}} هذه المرة. السبب: {{3}}. تفاصيله على {{4}} إذا احتجت إليها.',
    en: 'We are sorry: this time {{1}} could not accept your order {{2}}. Reason: {{3}}. Its details are at {{4}} if you need them.',
  },
  booking_confirmed: {
    parameters: ['shop', 'branch', 'time', 'guests'],
    ar: 'تم تأكيد حجزك! ننتظرك في {{1}}. الفرع: {{2}}. موعد الحجز: {{3}}. عدد الضيوف: {{4}}. يمكنك تعديل الحجز أو إلغاؤه من {{5}} إذا تغيرت خطتك.',
    en: 'Your table is booked! We look forward to seeing you at {{1}} in {{2}}. Time of the booking: {{3}}. A table for {{4}}. You can change or cancel the booking at {{5}} if your plans change.',
  },
  booking_changed: {
    parameters: ['shop', 'branch', 'time', 'guests'],
    ar: 'تم تعديل حجزك في {{1}}. الفرع: {{2}}. الموعد بعد التعديل: {{3}}. عدد الضيوف: {{4}}. يمكنك مراجعة تفاصيل الحجز أو إلغاؤه من {{5}} في أي وقت.',
    en: 'Please note that your booking has changed. We expect you at {{1}} in {{2}}. The time is now: {{3}}. A table for {{4}}. You can see or cancel the booking at {{5}} whenever you like.',
  },
  booking_reminder: {
    parameters: ['shop', 'branch', 'time', 'guests'],
    ar: 'تذكير بحجزك القريب في {{1}}. الفرع: {{2}}. موعد الحجز: {{3}}. عدد الضيوف: {{4}}. إذا لم تتمكن من الحضور فيمكنك إلغاء الحجز من {{5}} ليستفيد غيرك من الطاولة.',
    en: 'A reminder of your booking, which is soon. We expect you at {{1}} in {{2}}. Time of the booking: {{3}}. A table for {{4}}. If you cannot come, please cancel the booking at {{5}} so that others can have the table.',
  },
  booking_cancelled: {
    parameters: ['shop', 'branch', 'time', 'guests'],
    ar: 'نود إبلاغك بأنه تم إلغاء حجزك في {{1}}. الفرع: {{2}}. كان موعد الحجز: {{3}}. عدد الضيوف: {{4}}. تفاصيل الحجز على {{5}} إذا احتجت إليها.',
    en: 'Please note that your booking has been cancelled. It was at {{1}} in {{2}}. Time of the booking: {{3}}. A table for {{4}}. Its details are at {{5}} if you need them.',
  },
  card_link: {
    parameters: ['shop'],
    ar: 'هذه بطاقة الولاء الخاصة بك في {{1}}. يمكنك فتحها من {{2}} ومتابعة رصيدك ومكافآتك. إذا لم تطلبها فتجاهل هذه الرسالة.',
    en: 'Here is your loyalty card at {{1}}. You can open it at {{2}} to see your balance and rewards. If you did not ask for it, please ignore this message.',
  },
  birthday: {
    parameters: ['shop', 'words'],
    ar: 'رسالة لك من {{1}} في يوم ميلادك: «{{2}}» بطاقتك على {{3}} ومنها يمكنك إيقاف هذه الرسائل.',
    en: 'A message from {{1}} for your birthday: “{{2}}” Your card is at {{3}} where you can also stop these messages.',
  },
  birthday_gift: {
    parameters: ['shop', 'words', 'gift'],
    ar: 'رسالة لك من {{1}} في يوم ميلادك: «{{2}}» هديتك: {{3}}. تجدها في بطاقتك على {{4}} ومنها يمكنك إيقاف هذه الرسائل.',
    en: 'A message from {{1}} for your birthday: “{{2}}” Your gift: {{3}}. It is on your card at {{4}} where you can also stop these messages.',
  },
  win_back: {
    parameters: ['shop', 'words'],
    ar: 'رسالة لك من {{1}} بعد طول غياب: «{{2}}» بطاقتك على {{3}} ومنها يمكنك إيقاف هذه الرسائل.',
    en: 'It has been a while. A message from {{1}} for you: “{{2}}” Your card is at {{3}} where you can also stop these messages.',
  },
  win_back_gift: {
    parameters: ['shop', 'words', 'gift'],
    ar: 'رسالة لك من {{1}} بعد طول غياب: «{{2}}» هديتك: {{3}}. تجدها في بطاقتك على {{4}} ومنها يمكنك إيقاف هذه الرسائل.',
    en: 'It has been a while. A message from {{1}} for you: “{{2}}” Your gift: {{3}}. It is on your card at {{4}} where you can also stop these messages.',
  },
};

export interface Message {
  readonly template: TemplateName;
  readonly language: Language;
  /** Without the link, which gives access to the order, booking or card and is added when the message is sent. */
  readonly parameters: readonly string[];
  /** What the message says of its subject; once that is otherwise, it is not sent. Absent: it is always sent. */
  readonly state?: string;
}

/** Providers refuse a parameter that is empty or has line breaks, tabs or runs of spaces. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';

/** Without its link. */
export const messageOf = <N extends TemplateName>(
  template: N,
  language: Language,
  values: Readonly<Record<ParameterOf<N>, string>>,
): Message => {
  const names: readonly ParameterOf<N>[] = TEMPLATES[template].parameters;
  return { template, language, parameters: names.map((name) => onOneLine(values[name])) };
};

/** `link` is absolute. */
export const withLink = (parameters: readonly string[], link: string): readonly string[] => [
  ...parameters,
  link,
];

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

/** Parameters sent with a template, the link included. */
export const parameterCount = (template: TemplateName): number => TEMPLATES[template].parameters.length + 1;

export const textOf = (
  template: string,
  language: Language,
  parameters: readonly string[],
): string | null => {
  if (!isTemplate(template) || parameters.length !== parameterCount(template)) return null;
  return TEMPLATES[template][language].replace(
    /\{\{(\d)\}\}/g,
    (place, number: string) => parameters[Number(number) - 1] ?? place,
  );
};
