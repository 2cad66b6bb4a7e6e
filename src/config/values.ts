/** undefined means invalid. */
import type { Plan } from '../shops/domain/plan.ts';
import { STANDARD_BUDGETS, type BudgetLimits } from '../messaging/domain/budget.ts';
import { parseIpRange } from '../platform/domain/ip-address.ts';
import { isLoopback } from '../platform/domain/loopback.ts';
import { parseLocalDate, type Instant } from '../kernel/time.ts';

/** Digits only, within the bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : undefined;
  };

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
export const boolean = (text: string): boolean | undefined =>
  Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
/** Accepted by `boolean`. */
export const BOOLEAN_WORDS = 'true, false, 1 or 0';

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | undefined =>
    values.find((value) => value === text);

/** Comma-separated, trimmed; at least one entry. */
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

/** Without trailing slashes; credentials, query and hash are invalid. */
export const baseUrl = (text: string): string | undefined => {
  const url = parseUrl(text, ['http:', 'https:']);
  const plain =
    url !== undefined && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return plain ? url.href.replace(/\/+$/, '') : undefined;
};

/** https, or http to this machine; credentials, query and hash are invalid. */
export const gatewayUrl = (text: string): string | undefined => {
  if (baseUrl(text) === undefined || /[{}]/.test(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || isLoopback(href) ? href : undefined;
};

const consoleOrigin = (text: string): string | undefined => {
  const url = parseUrl(text, ['http:', 'https:']);
  if (url === undefined || url.href !== `${url.origin}/`) return undefined;
  return url.protocol === 'https:' || isLoopback(url.origin) ? url.origin : undefined;
};

/** As browsers write them in `Origin`. */
export const consoleOrigins = (text: string): string[] | undefined => {
  const entries = list(text) ?? [];
  const origins = entries.map(consoleOrigin).filter((origin) => origin !== undefined);
  return origins.length > 0 && origins.length === entries.length ? origins : undefined;
};

/**
 * A Unix socket URL has no host: `postgres://name@/database?host=/var/run/postgresql`. An `@` or `#` after the host is of a
 * password that is not percent-encoded, and would be read as the name of the database.
 */
export const databaseUrl = (text: string): string | undefined => {
  const url = parseUrl(text.replace('@/', '@localhost/'), ['postgres:', 'postgresql:']);
  const isEncoded = url !== undefined && !`${url.pathname}${url.search}`.includes('@') && url.hash === '';
  return isEncoded ? text : undefined;
};

const INSTANT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** `Date.parse` reads 30 February as 2 March, so the date is checked separately. */
export const parseInstant = (text: string): Instant | undefined => {
  const date = INSTANT.exec(text)?.[1];
  return date === undefined || parseLocalDate(date) === null ? undefined : Date.parse(text);
};

export const proxies = (text: string): string[] | undefined => {
  const entries = list(text);
  return entries?.every((entry) => parseIpRange(entry) !== null) === true ? entries : undefined;
};

export const shortText = (text: string): string | undefined =>
  text.length <= 80 && !/[\p{Cc}\u2028\u2029]/u.test(text) ? text : undefined;

/** Checks the characters only; listening shows whether the address is local. */
export const hostName = (text: string): string | undefined =>
  /^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? text : undefined;

/** Not negative. */
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

/** `Menu=0, Orders=450.50`: names with pounds; `none`: prices on request. */
export const plans = (text: string): readonly Plan[] | undefined => {
  if (text === 'none') return [];
  const entries = list(text) ?? [];
  const known = entries.map(plan).filter((entry) => entry !== undefined);
  const names = new Set(known.map(({ name }) => name));
  // Names must be unique.
  return names.size > 0 && names.size === entries.length ? known : undefined;
};

const CONTACT = /^(mailto:[!-?A-~]+@[A-Za-z0-9.-]+|https:\/\/[A-Za-z0-9][\x21-\x7e]*)$/;

/** URIs without characters that could start another line. */
export const contacts = (text: string): readonly string[] | undefined => {
  const entries = list(text);
  return entries?.every((entry) => CONTACT.test(entry)) === true ? entries : undefined;
};

/** Printable, without spaces. */
export const secretText = (text: string): string | undefined =>
  /^[\x21-\x7e]{1,1024}$/.test(text) ? text : undefined;

/** The value of a header line. */
export const headerText = (text: string): string | undefined =>
  /^[\x20-\x7e]{1,1024}$/.test(text) ? text : undefined;

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

export const budgetFaults = (text: string): readonly string[] => {
  const names = (list(text) ?? []).map((entry) => BUDGET.exec(entry)?.[1] ?? null);
  return (list(text) ?? ['']).flatMap((entry, index) => {
    const name = names[index] ?? null;
    if (name === null) return [`${JSON.stringify(entry)} is no budget`];
    if (!name.startsWith('+') && !isBudgetName(name)) return [`there is no budget called ${name}`];
    return names.indexOf(name) < index ? [`${name} is given twice`] : [];
  });
};

/** `total=2000, +966=50`, per hour; missing names have their default. */
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
