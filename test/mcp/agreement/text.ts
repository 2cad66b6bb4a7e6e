/**
 * Facts parsed from the text of an answer, and the same facts from its structured content; both must be
 * equal.
 */
import type { BookingTimes } from '../../../src/bookings/contract/tools.ts';
import type { OrderStatusResult } from '../../../src/orders/contract/tools.ts';
import type { ShopDetails } from '../../../src/shops/contract/tools.ts';
import type { ShopMenu } from '../../../src/menu/contract/tools.ts';

type Names = Readonly<Record<string, string>> | undefined;

/** A name with its unique translations. */
const inEveryLanguage = (name: string, translations: Names): string => {
  const others = Object.values(translations ?? {}).filter((text) => text !== name);
  return others.length === 0 ? name : `${name} (${[...new Set(others)].join(', ')})`;
};

/** A shop-written text, quoted. */
const marked = (text: string): string => `"${text.replaceAll('"', '’')}"`;

const linesOf = (text: string): string[] => text.split('\n');

/** Null when the line is no list entry. */
const entryOf = (line: string): string | null => (line.startsWith('- ') ? line.slice(2) : null);

const split = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
};

// ── Money ───────────────────────────────────────────────────────────────────────────────────────

/** Unique sums in the text, in piastres. */
export const sumsInText = (text: string): number[] => {
  const sums = text.matchAll(/(\d+)\.(\d\d) EGP/g);
  return [...new Set([...sums].map(([, pounds, rest]) => Number(`${pounds ?? ''}${rest ?? ''}`)))].sort(
    (a, b) => a - b,
  );
};

const moneyIn = (value: unknown, field = ''): number[] => {
  if (typeof value === 'number') return /_egp($|_per_branch$)/.test(field) ? [Math.round(value * 100)] : [];
  if (typeof value !== 'object' || value === null) return [];
  const inList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) => moneyIn(inner, inList ? field : name));
};

/** Unique sums in the structured content, in piastres. */
export const sumsInStructured = (structured: unknown): number[] =>
  [...new Set(moneyIn(structured))].sort((a, b) => a - b);

// ── get_shop ────────────────────────────────────────────────────────────────────────────────────

const URL = /https?:\/\/[^\s;]+/g;

export const shopInText = (text: string) => {
  const lines = linesOf(text);
  const at = lines.indexOf('Branches:');
  const before = at < 0 ? lines : lines.slice(0, at);
  return {
    title: split(lines[0] ?? '', ': ')[0],
    tagline: split(lines[0] ?? '', '. ')[1],
    addresses: before.flatMap((line) => line.match(URL) ?? []),
    branches: at < 0 ? [] : lines.slice(at + 1, -1).map(entryOf),
    shop: /^shop: (\S+)$/.exec(lines.at(-1) ?? '')?.[1],
  };
};

const branchEntry = (branch: ShopDetails['branches'][number]): string => {
  const address = inEveryLanguage(branch.address ?? '', branch.address_translations);
  const where = [
    address === '' ? '' : marked(address),
    branch.phone === undefined ? '' : `phone ${marked(branch.phone)}`,
    branch.directions_url === undefined ? '' : `directions ${branch.directions_url}`,
  ].filter((part) => part !== '');
  const name = `${marked(inEveryLanguage(branch.name, branch.name_translations))}, branch_id ${branch.id}`;
  return [name, where.join('; ')].filter((part) => part !== '').join(': ');
};

export const shopInStructured = (shop: ShopDetails): ReturnType<typeof shopInText> => ({
  title: inEveryLanguage(shop.name, shop.name_translations),
  tagline: [shop.tagline_ar, shop.tagline_en]
    .filter((text) => text !== undefined)
    .map((text, index) => (index === 0 ? text : `(${text})`))
    .join(' '),
  addresses: [...shop.links.map(({ href }) => href), ...shop.socials.map(({ url }) => url)],
  branches: shop.branches.map(branchEntry),
  shop: shop.shop,
});

// ── get_menu ────────────────────────────────────────────────────────────────────────────────────

interface ParsedItem {
  readonly name: string;
  readonly combo: boolean;
  /** Piastres by size; '' for an item with a single price. */
  readonly prices: readonly (readonly [size: string, piastres: number])[];
  readonly description: string;
}

const parsedItem = (entry: string): ParsedItem => {
  const [words, told] = split(entry, ': ');
  const combo = words.endsWith(', combo');
  const prices: [string, number][] = [];
  let rest = told;
  for (let more = true; more;) {
    const [whole = '', size = '', pounds = '', piastres = '', mark] =
      /^(?:(.*?) )??(\d+)\.(\d\d) EGP(, |\. |$)/.exec(rest) ?? [];
    if (whole === '') throw new Error(`no price in “${entry}”`);
    prices.push([size, Number(pounds + piastres)]);
    rest = rest.slice(whole.length);
    more = mark === ', ';
  }
  return { name: combo ? words.slice(0, -', combo'.length) : words, combo, prices, description: rest };
};

/** Each line is the headline, a category, an item of the last category, or a line with URLs. */
export const menuInText = (text: string) => {
  const [first = '', ...lines] = linesOf(text);
  const categories: { category: string; items: ParsedItem[] }[] = [];
  const addresses: string[] = [];
  for (const line of lines) {
    const entry = entryOf(line);
    if (entry !== null) categories.at(-1)?.items.push(parsedItem(entry));
    else if (line.startsWith('Category '))
      categories.push({ category: line.slice('Category '.length, -1), items: [] });
    else addresses.push(...(line.match(URL) ?? []));
  }
  const [, percent = '', words = ''] = /([\d.]+) % tax (is included|comes on top)/.exec(first) ?? [];
  const tax = /\bno tax\b/.test(first) ? 'none' : `${percent} ${words.includes('on top') ? 'on top' : words}`;
  const service = Number(/, and the bill adds ([\d.]+) % service\.$/.exec(first)?.[1] ?? 0);
  return { title: split(first, ': ')[0], tax, service, categories, addresses: [...new Set(addresses)] };
};

/** A rate has at most six decimals. */
const percentOf = (rate: number): number => Math.round(rate * 1_000_000) / 10_000;

const taxGiven = ({ tax_rate, tax_inclusive, categories }: ShopMenu): string => {
  if (categories.length === 0) return ' ';
  if (tax_rate === 0) return 'none';
  return `${percentOf(tax_rate)} ${tax_inclusive ? 'is included' : 'on top'}`;
};

export const menuInStructured = (menu: ShopMenu): ReturnType<typeof menuInText> => ({
  title:
    `${inEveryLanguage(menu.shop_name, menu.shop_name_translations)}, branch ` +
    inEveryLanguage(menu.branch_name, menu.branch_name_translations),
  tax: taxGiven(menu),
  service: menu.categories.length === 0 ? 0 : percentOf(menu.service_charge_rate ?? 0),
  categories: menu.categories.map(({ category, category_translations, items }) => ({
    category: inEveryLanguage(category, category_translations),
    items: items.map(({ name, name_translations, combo, price_egp, sizes, description }) => ({
      name: inEveryLanguage(name, name_translations),
      combo: combo === true,
      prices: sizes?.map((size) => [
        inEveryLanguage(size.label, size.label_translations),
        Math.round(size.price_egp * 100),
      ]) ?? [['', Math.round(price_egp * 100)]],
      description: description ?? '',
    })),
  })),
  addresses: [
    menu.menu_url,
    ...(menu.left_out === undefined
      ? []
      : [menu.menu_url.replace(/[^/]+\/menu$/, `public/branches/${menu.branch_id}/menu`)]),
    ...(menu.order_url === undefined ? [] : [menu.order_url]),
  ],
});

// ── get_booking_slots ───────────────────────────────────────────────────────────────────────────

type StartState = 'free' | 'taken' | 'late';
const HEADINGS: readonly (readonly [RegExp, StartState])[] = [
  [/^Free:$/, 'free'],
  [/^Taken \(no room for \d+\):$|^Not for \d+:$/, 'taken'],
  [/^Past, or too soon to be booked:$/, 'late'],
];

/** `Friday 4 December 2026`. */
const longDate = (date: string): string => {
  const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
  return written.format(Date.parse(date)).replace(',', '');
};

/** Lead times of these shops are whole hours. */
const hours = (minutes: number): string => (minutes === 60 ? '1 hour' : `${minutes / 60} hours`);

/** Starts under their headings: UTC, local time, and the date if it differs. */
export const timesInText = (text: string) => {
  const starts: { start: string; local: string; standing: StartState | null }[] = [];
  let standing: StartState | null = null;
  for (const line of linesOf(text)) {
    const entry = entryOf(line);
    if (entry === null) standing = HEADINGS.find(([heading]) => heading.test(line))?.[1] ?? null;
    else {
      const [, local = '', start = ''] =
        /^(.*?)(?:, (?:before|after) the clocks.*)? \((.+)\)$/.exec(entry) ?? [];
      starts.push({ start, local, standing });
    }
  }
  const [first = ''] = linesOf(text);
  return {
    free: Number(/\b(\d+) free times? /.exec(first)?.[1] ?? 0),
    next: /^The next date with a free time for \d+ is .* \((.*)\)\.$/m.exec(text)?.[1],
    last: / up to (.*), the last that can be booked|^(.*) is the last date/m.exec(text)?.slice(1).join(''),
    whyNot: /; (no tables? .*|the branch takes at most .*)\.$|bookings that day, and (.*)\.$/
      .exec(first)
      ?.slice(1)
      .join(''),
    largest: /^A smaller party, of (\d+) at most/m.exec(text)?.[1],
    lead: / booked at least (.*) ahead\.$/.exec(first)?.[1],
    isFor: [/ (on \w+ \d+ \w+ \d{4}) at /.exec(first)?.[1], / at (.+?)(?:[.;:] .*|\.)$/.exec(first)?.[1]],
    starts: starts.sort((a, b) => a.start.localeCompare(b.start)),
    book: /To book, the person opens (\S+)/.exec(text)?.[1],
  };
};

export const timesInStructured = (times: BookingTimes): ReturnType<typeof timesInText> => ({
  free: times.slots.filter(({ available }) => available).length,
  next: times.next_free_date,
  last: times.last_date === undefined ? undefined : longDate(times.last_date),
  whyNot: times.why_not,
  largest: times.largest_party?.toString(),
  lead: times.lead_minutes === undefined ? undefined : hours(times.lead_minutes),
  isFor: [
    `on ${longDate(times.date)}`,
    `${inEveryLanguage(times.shop_name, times.shop_name_translations)}, ` +
      inEveryLanguage(times.branch_name, times.branch_name_translations),
  ],
  starts: times.slots.map(({ starts_at, local, available, too_soon }) => ({
    start: starts_at,
    local:
      local.slice(0, 10) === times.date
        ? local.slice(11, 16)
        : `${local.slice(11, 16)} on ${longDate(local.slice(0, 10))}`,
    standing: available ? ('free' as const) : too_soon === true ? ('late' as const) : ('taken' as const),
  })),
  book: times.book_url,
});

// ── track_order ─────────────────────────────────────────────────────────────────────────────────

/** The headline's words for each status. */
const STATES = {
  received: /was received/,
  confirmed: /is confirmed/,
  preparing: /is being prepared/,
  ready: /is ready/,
  out_for_delivery: /is on its way/,
  delivered: /was delivered|was picked up/,
  cancelled: /was cancelled/,
  rejected: /was not accepted/,
};

const piastresBehind = (text: string, words: RegExp): number => {
  const [, pounds = '', piastres = ''] = new RegExp(`${words.source} (\\d+)\\.(\\d\\d) EGP`).exec(text) ?? [];
  return Number(pounds + piastres);
};

export const orderInText = (text: string) => {
  const lines = linesOf(text);
  const [first = ''] = lines;
  const entries = lines.flatMap((line) => entryOf(line) ?? []);
  const sums = lines.find((line) => line.startsWith('Subtotal ')) ?? '';
  return {
    states: Object.entries(STATES).flatMap(([status, words]) => (words.test(first) ? [status] : [])),
    timeline: entries.filter((entry) => entry.endsWith('Z)')),
    items: entries.filter((entry) => entry.endsWith(' EGP')),
    sums: [/^Subtotal/, / discount/, / delivery fee/, / tax/, / total/].map((of) => piastresBehind(sums, of)),
    isInside: /tax [\d.]+ EGP, (inside the total|added on top)/.exec(sums)?.[1] ?? null,
    place: / at (.*?) (?:is|was) /.exec(first)?.[1],
    reason: /Reason: (.*)$/.exec(first)?.[1],
    link: /can follow the order at (\S+)/.exec(text)?.[1],
    ids: lines.at(-1),
  };
};

export const orderInStructured = (order: OrderStatusResult): ReturnType<typeof orderInText> => ({
  states: [order.status],
  timeline: order.timeline.map(
    ({ status, at, local }) =>
      `${status.replaceAll('_', ' ')}: ${local.slice(11, 16)} on ${longDate(local.slice(0, 10))} (${at})`,
  ),
  items: order.items.map(
    ({ quantity, name, name_translations, size, size_translations, total_egp }) =>
      `${quantity} × ${inEveryLanguage(name, name_translations)}${size === undefined ? '' : `, ${inEveryLanguage(size, size_translations)}`}: ${total_egp.toFixed(2)} EGP`,
  ),
  sums: [order.subtotal_egp, order.discount_egp, order.delivery_fee_egp, order.tax_egp, order.total_egp].map(
    (pounds) => Math.round(pounds * 100),
  ),
  isInside: order.tax_egp === 0 ? null : order.tax_inclusive ? 'inside the total' : 'added on top',
  place:
    `${inEveryLanguage(order.shop_name, order.shop_name_translations)}, ` +
    inEveryLanguage(order.branch_name, order.branch_name_translations),
  reason:
    order.cancel_reason === undefined
      ? undefined
      : inEveryLanguage(order.cancel_reason, order.cancel_reason_translations),
  link: order.track_url,
  ids: `shop: ${order.shop}, branch_id: ${order.branch_id}, order_id: ${order.order_id}`,
});
