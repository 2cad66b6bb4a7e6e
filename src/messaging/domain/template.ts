/**
 * Message templates in Arabic and English with ordered parameters, as a provider approves them.
 * docs/messages.md lists them for registration.
 */
import type { Language } from '../../kernel/names.ts';

export const TEMPLATE_NAMES = [
  'order_received',
  'order_confirmed',
  'order_ready',
  'order_on_the_way',
  'order_cancelled',
  'order_rejected',
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

export type TemplateParameter = 'shop' | 'reference' | 'minutes' | 'reason';

interface Template extends Readonly<Record<Language, string>> {
  /** For {{1}}, {{2}} …; the link to the order's page comes last, in every template. */
  readonly parameters: readonly TemplateParameter[];
}

/**
 * Providers refuse a text that begins or ends with a parameter, has two side by side, or has few words for
 * its parameters.
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

export interface Message {
  readonly template: TemplateName;
  readonly language: Language;
  /** Without the link, which gives access to the order and is added when the message is sent. */
  readonly parameters: readonly string[];
}

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
