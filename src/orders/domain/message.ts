/**
 * What guests are told about their orders: named templates in Arabic and English with ordered parameters, as a
 * messaging provider approves them, and which step of an order is told by which. docs/messages.md holds the templates
 * for whoever registers them.
 */
import type { Language } from '../../kernel/names.ts';
import { cancelReasonText, type CancelReason, type OrderStatus } from './order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

export const TEMPLATE_NAMES = [
  'order_received',
  'order_confirmed',
  'order_ready',
  'order_on_the_way',
  'order_cancelled',
  'order_rejected',
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

type Parameter = 'shop' | 'reference' | 'minutes' | 'reason';

interface Template extends Readonly<Record<Language, string>> {
  /** What {{1}}, {{2}} … stand for; after them comes the link to the order's page, in every template. */
  readonly parameters: readonly Parameter[];
}

/**
 * Providers refuse a text that begins or ends with a parameter, has two side by side, or has few words for its
 * parameters.
 */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
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
};

type Telling = Readonly<Record<OnlineChannel, TemplateName | null>>;

const everyChannel = (template: TemplateName | null): Telling => ({
  pickup: template,
  outside: template,
  in_mall: template,
  umbrella: template,
});

/**
 * The steps that matter to a guest: that the order came, that the shop took it on, that there is something to do (come
 * to the counter, come to the door), that it will not come. `preparing` tells nothing new after `confirmed`, and who
 * has the order in hand needs no word of it.
 */
const TELLS: Readonly<Record<OrderStatus, Telling>> = {
  received: everyChannel('order_received'),
  confirmed: everyChannel('order_confirmed'),
  preparing: everyChannel(null),
  ready: { ...everyChannel(null), pickup: 'order_ready' },
  out_for_delivery: { ...everyChannel('order_on_the_way'), pickup: null },
  delivered: everyChannel(null),
  cancelled: everyChannel('order_cancelled'),
  rejected: everyChannel('order_rejected'),
};

const STEPS: readonly OrderStatus[] = [
  'received',
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
  'delivered',
];

export interface StatusChange {
  /** Where the order stood; null when it was just taken. */
  readonly from: OrderStatus | null;
  readonly to: OrderStatus;
  readonly channel: OnlineChannel;
}

export interface GuestFacts {
  readonly language: Language;
  /** In that language. */
  readonly shopName: string;
  readonly reference: string;
  /** The branch's base and what the staff added. */
  readonly prepMinutes: number;
  /** The stored reason of an order that will not come. */
  readonly cancelReason: CancelReason | null;
}

export interface Message {
  readonly template: TemplateName;
  readonly language: Language;
  /** All but the link, which is put to them when the message is sent: whoever has it sees the order. */
  readonly parameters: readonly string[];
}

const templateFor = ({ from, to, channel }: StatusChange): TemplateName | null => {
  if (to === 'cancelled' || to === 'rejected') return TELLS[to][channel];
  if (to === 'delivered') return null;
  // A step back passes none, so the undoing of a mis-tap is told to nobody. A skipped step is made up for: from
  // `received` straight to `preparing` tells that the order is confirmed.
  const passed = STEPS.slice(from === null ? 0 : STEPS.indexOf(from) + 1, STEPS.indexOf(to) + 1);
  return passed.map((step) => TELLS[step][channel]).findLast((template) => template !== null) ?? null;
};

const MINUTES: Readonly<Record<Language, Readonly<Record<Intl.LDMLPluralRule, (count: number) => string>>>> =
  {
    ar: {
      zero: (count) => `${count} دقيقة`,
      one: () => 'دقيقة واحدة',
      two: () => 'دقيقتان',
      few: (count) => `${count} دقائق`,
      many: (count) => `${count} دقيقة`,
      other: (count) => `${count} دقيقة`,
    },
    en: {
      zero: (count) => `${count} minutes`,
      one: (count) => `${count} minute`,
      two: (count) => `${count} minutes`,
      few: (count) => `${count} minutes`,
      many: (count) => `${count} minutes`,
      other: (count) => `${count} minutes`,
    },
  };

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  ar: new Intl.PluralRules('ar'),
  en: new Intl.PluralRules('en'),
};

const minutesText = (minutes: number, language: Language): string =>
  MINUTES[language][RULES[language].select(minutes)](minutes);

/** Providers refuse a parameter that is empty or has line breaks, tabs or runs of spaces. */
const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';

const valueOf = (parameter: Parameter, facts: GuestFacts): string => {
  const values: Readonly<Record<Parameter, string>> = {
    shop: facts.shopName,
    reference: facts.reference,
    minutes: minutesText(facts.prepMinutes, facts.language),
    reason: cancelReasonText(facts.cancelReason ?? 'other', facts.language).text,
  };
  return onOneLine(values[parameter]);
};

/** What the guest is told about a change of their order; null for nothing. */
export const messageFor = (change: StatusChange, facts: GuestFacts): Message | null => {
  const template = templateFor(change);
  if (template === null) return null;
  const parameters = TEMPLATES[template].parameters.map((parameter) => valueOf(parameter, facts));
  return { template, language: facts.language, parameters };
};

/** The parameters of a message with the link to the order's page, absolute, as they are sent. */
export const withLink = (parameters: readonly string[], link: string): readonly string[] => [
  ...parameters,
  link,
];

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);

/** How many parameters are sent with a template. */
export const parameterCount = (template: TemplateName): number => TEMPLATES[template].parameters.length + 1;

/** The sentence a guest reads; null where the provider would refuse: no such template, or other parameters than its own. */
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
