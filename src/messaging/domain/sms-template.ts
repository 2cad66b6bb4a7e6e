/** SMS_BODY: the body of a request to an SMS gateway, with placeholders. */

export const SMS_CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded'] as const;
export type SmsContentType = (typeof SMS_CONTENT_TYPES)[number];

const PLACEHOLDERS = ['phone', 'text'] as const;
type Values = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

const escapes: Readonly<Record<SmsContentType, (value: string) => string>> = {
  'application/json': (value) => JSON.stringify(value).slice(1, -1),
  'application/x-www-form-urlencoded': encodeURIComponent,
};

/** A brace of JSON is followed by a quotation mark, white space or a brace. */
const PLACEHOLDER = /\{(\w+)\}/g;

const isPlaceholder = (name: string): name is keyof Values => PLACEHOLDERS.some((known) => known === name);

/** One pass: braces within a value stay as they are. */
export const smsBody = (template: string, type: SmsContentType, values: Values): string =>
  template.replace(PLACEHOLDER, (place, name: string) =>
    isPlaceholder(name) ? escapes[type](values[name]) : place,
  );

/** Each completes "SMS_BODY: …". Empty: the template can be used. */
export const smsTemplateFaults = (template: string): readonly string[] => {
  const named = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = [...new Set(named)].filter((name) => !isPlaceholder(name));
  const missing = PLACEHOLDERS.filter((name) => !named.includes(name));
  return [
    ...unknown.map((name) => `there is no placeholder {${name}}`),
    ...missing.map((name) => `the placeholder {${name}} is missing`),
  ];
};

/** Names and values; a bare + is a space. */
const isForm = (template: string): boolean =>
  !template.includes('+{phone}') && template.split('&').every((field) => /^[\w.%[\]-]+=/.test(field));

/** Whatever the text of a message holds. */
const SAMPLE: Values = { phone: '201001234567', text: '"\\\n{}' };

export const fitsContentType = (template: string, type: SmsContentType): boolean => {
  const body = smsBody(template, type, SAMPLE);
  if (type !== 'application/json') return /^[\x21-\x7e]+$/.test(body) && isForm(template);
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
};
