/** How the text of each setting is read. Every reader gives the value, or undefined when the text is not allowed. */
import { isIP } from 'node:net';
import type { Plan } from '../shops/domain/plan.ts';
import { STANDARD_BUDGETS, type BudgetLimits } from '../messaging/domain/budget.ts';
import { parseLocalDate, type Instant } from '../kernel/time.ts';

/** Digits alone, within the bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : undefined;
  };

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
export const boolean = (text: string): boolean | undefined =>
  Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
/** What `boolean` reads, in words. */
export const BOOLEAN_WORDS = 'true, false, 1 or 0';

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);

/** What stands between commas, blanks apart; at least one entry, for commas alone are a slip. */
export const list = (text: string): string[] | undefined => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length > 0 ? entries : undefined;
};

const parseUrl = (text: string, protocols: readonly string[]): URL | undefined => {
  try {
    const url = new URL(text);
    return protocols.includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
};

/** Without its last slashes; credentials and a query have no place in links. */
export const baseUrl = (text: string): string | undefined => {
  const url = parseUrl(text, ['http:', 'https:']);
  const plain =
    url !== undefined && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return plain ? url.href.replace(/\/+$/, '') : undefined;
};

/** Behind a Unix socket there is no host: `postgres://name@/database?host=/var/run/postgresql`. */
export const databaseUrl = (text: string): string | undefined =>
  parseUrl(text.replace('@/', '@localhost/'), ['postgres:', 'postgresql:']) === undefined ? undefined : text;

const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** `Date.parse` takes 30 February for 2 March, so the date is looked at by itself. */
export const moment = (text: string): Instant | undefined => {
  const date = MOMENT.exec(text)?.[1];
  return date === undefined || parseLocalDate(date) === null ? undefined : Date.parse(text);
};

const isProxy = (entry: string): boolean => {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  const widest = version === 6 ? 128 : 32;
  return (
    version !== 0 && more.length === 0 && (bits === undefined || wholeNumber(0, widest)(bits) !== undefined)
  );
};

/** IP addresses and CIDR blocks. */
export const proxies = (text: string): string[] | undefined => {
  const entries = list(text);
  return entries?.every(isProxy) === true ? entries : undefined;
};

export const shortText = (text: string): string | undefined =>
  text.length <= 80 && !/[\p{Cc}\u2028\u2029]/u.test(text) ? text : undefined;

/** An IP address or a host name, by its characters; whether it is one of this machine shows when it is listened on. */
export const hostName = (text: string): string | undefined =>
  /^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? text : undefined;

/** A decimal number that is not negative. */
export const decimal = (text: string): number | undefined =>
  /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

const PLAN = /^([^=\p{Cc}\u2028\u2029]{1,80})=\s*(\d{1,6})(?:\.(\d{1,2}))?$/u;

const plan = (text: string): Plan | undefined => {
  const [, name = '', pounds = '', piastres = ''] = PLAN.exec(text) ?? [];
  return name.trim() === ''
    ? undefined
    : {
        name: name.trim(),
        monthlyPiastresPerBranch: Number(pounds) * 100 + Number(piastres.padEnd(2, '0')),
      };
};

/** `Menu=0, Orders=450.50`: names with pounds; `none`: prices are to be asked for. */
export const plans = (text: string): readonly Plan[] | undefined => {
  if (text === 'none') return [];
  const entries = list(text) ?? [];
  const known = entries.map(plan).filter((entry) => entry !== undefined);
  const names = new Set(known.map(({ name }) => name));
  // Each entry must be a plan of its own name.
  return names.size > 0 && names.size === entries.length ? known : undefined;
};

const CONTACT = /^(mailto:[!-?A-~]+@[A-Za-z0-9.-]+|https:\/\/[A-Za-z0-9][\x21-\x7e]*)$/;

/** Addresses to write to, as URIs: nothing in them could begin another line of a document. */
export const contacts = (text: string): readonly string[] | undefined => {
  const entries = list(text);
  return entries?.every((entry) => CONTACT.test(entry)) === true ? entries : undefined;
};

/** A key or token given by someone else: printable, without spaces. */
export const secretText = (text: string): string | undefined =>
  /^[\x21-\x7e]{1,1024}$/.test(text) ? text : undefined;

/** The name of a message template, as its provider takes it. */
export const templateName = (text: string): string | undefined =>
  /^[a-z0-9_]{1,512}$/.test(text) ? text : undefined;

/** ISO 3166 codes; `none`: no others. */
export const countries = (text: string): readonly string[] | undefined => {
  if (text === 'none') return [];
  const entries = list(text)?.map((entry) => entry.toUpperCase());
  return entries?.every((entry) => /^[A-Z]{2}$/.test(entry)) === true ? entries : undefined;
};

const BUDGET = /^([a-z]+|\+[1-9]\d{0,5})\s*=\s*(\d{1,7})$/;
const BUDGET_NAMES = ['total', 'shop', 'address'] as const;

const isBudgetName = (name: string): name is (typeof BUDGET_NAMES)[number] =>
  BUDGET_NAMES.some((known) => known === name);

/** What is wrong with each entry of a text of budgets. */
export const budgetFaults = (text: string): readonly string[] => {
  const names = (list(text) ?? []).map((entry) => BUDGET.exec(entry)?.[1] ?? null);
  return (list(text) ?? ['']).flatMap((entry, index) => {
    const name = names[index] ?? null;
    if (name === null) return [`${JSON.stringify(entry)} is no budget`];
    if (!name.startsWith('+') && !isBudgetName(name)) return [`there is no budget called ${name}`];
    return names.indexOf(name) < index ? [`${name} is given twice`] : [];
  });
};

/** `total=2000, +966=50`: how many an hour; what is not named has its standard. */
export const budgets = (text: string): BudgetLimits | undefined => {
  if (budgetFaults(text).length > 0) return undefined;
  const given = new Map(
    (list(text) ?? []).map((entry): [string, number] => {
      const [, name = '', limit = ''] = BUDGET.exec(entry) ?? [];
      return [name, Number(limit)];
    }),
  );
  const of = (name: (typeof BUDGET_NAMES)[number]): number => given.get(name) ?? STANDARD_BUDGETS[name];
  return {
    ...{ total: of('total'), shop: of('shop'), address: of('address') },
    prefixes: new Map([...STANDARD_BUDGETS.prefixes, ...[...given].filter(([name]) => name.startsWith('+'))]),
  };
};
