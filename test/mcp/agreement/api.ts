/** Expected tool results, derived from the API without the tools' code. */
import type { ErrorBody } from '../../../src/platform/contract/error.ts';
import type { ReadOf, World } from '../../support/server/world.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Branches = ReadOf<'listBranches'>;
type Page = ReadOf<'getLinks'>;
type Menu = ReadOf<'getBranchMenu'>;
type Tracking = ReadOf<'trackOrder'>;

const saysNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Removes empty fields, which tools leave out. */
const saying = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !saysNothing(value)));

/** Shop-written texts, each on one line. */
const onOneLine = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim();
  if (Array.isArray(value)) return value.map(onOneLine);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, onOneLine(inner)]));
};

const egp = (piastres: number): number => piastres / 100;

export const readShop = async (world: World, slug: string): Promise<{ page: Page; branches: Branches }> => {
  const page = await world.read('getLinks', `/public/orgs/links?slug=${slug}`);
  const branches = await world.read(
    'listBranches',
    `/public/branches?org_id=${page.brand.org_id}&browse=true`,
  );
  return { page, branches };
};
export type Shop = Awaited<ReturnType<typeof readShop>>;

/** get_shop: the links page, and all active branches; id and name only when the page hides them. */
export const detailsOf = ({ page, branches }: Shop): unknown =>
  onOneLine({
    ...saying({
      shop: page.brand.slug,
      name: page.brand.name,
      name_translations: page.brand.name_translations,
      tagline_ar: page.tagline_ar,
      tagline_en: page.tagline_en,
    }),
    links: page.items.map(({ kind, href, title_ar, title_en, branch_names, channels }) =>
      saying({ kind, href, title_ar, title_en, branch_names, channels }),
    ),
    socials: page.socials.map(({ label, url }) => ({ label, url })),
    branches: (page.branches.length > 0 ? page.branches : branches).map((branch) => {
      const { id, name, name_translations } = branch;
      if (!('address' in branch)) return saying({ id, name, name_translations });
      const { address, address_translations, phone, directions_url } = branch;
      return saying({ id, name, name_translations, address, address_translations, phone, directions_url });
    }),
  });

const itemOf = (item: Menu['items'][number]): Fields => ({
  ...saying({
    name: item.name,
    name_translations: item.name_translations,
    description: item.description,
    combo: item.kind === 'combo' ? true : null,
    sizes: item.sizes.map(({ label, label_translations, price }) => ({
      ...saying({ label, label_translations }),
      price_egp: egp(price),
    })),
  }),
  price_egp: egp(item.price),
});

/** In menu order; items without a category are last. */
const categoriesOf = ({ categories, items }: Menu): Fields[] => {
  const known = new Set(categories.map(({ id }) => id));
  const inNone = items.filter(({ category_id: id }) => typeof id !== 'string' || !known.has(id));
  return [
    ...categories.map(({ id, name, name_translations }) => ({
      ...saying({ category: name, category_translations: name_translations }),
      items: items.filter(({ category_id }) => category_id === id).map(itemOf),
    })),
    { category: 'Other', category_translations: { ar: 'أخرى' }, items: inNone.map(itemOf) },
  ].filter(({ items: some }) => some.length > 0);
};

const namesOf = ({ page: { brand } }: Shop, { name, name_translations }: Branches[number]): Fields =>
  saying({
    shop_name: brand.name,
    shop_name_translations: brand.name_translations,
    branch_name: name,
    branch_name_translations: name_translations,
  });

/** get_menu: eat-in items of the branch, tax, and service charge if any. */
export const menuOf = async (world: World, shop: Shop, branch: Branches[number]): Promise<unknown> => {
  const menu = await world.read('getBranchMenu', `/public/branches/${branch.id}/menu?channel=dine_in`);
  const { slug } = shop.page.brand;
  const order = shop.page.items.find(({ kind }) => kind === 'order');
  const takesOrders = [
    branch.pickup_enabled,
    branch.outside_enabled,
    branch.in_mall_enabled,
    branch.umbrella_enabled,
  ].some(Boolean);
  return onOneLine({
    ...namesOf(shop, branch),
    shop: slug,
    branch_id: branch.id,
    currency: 'EGP',
    tax_rate: branch.tax_policy.tax_rate,
    tax_inclusive: branch.tax_policy.tax_inclusive,
    ...(branch.service_charge_rate > 0 ? { service_charge_rate: branch.service_charge_rate } : {}),
    categories: categoriesOf(menu),
    menu_url: `https://ahwa.example/${slug ?? ''}/menu`,
    ...(order !== undefined && takesOrders ? { order_url: order.href } : {}),
  });
};

const wallClock = (timeZone: string, moment: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(moment);

/** Local time with UTC offset. */
const localOf = (timeZone: string, moment: string): string => {
  const [date = '', time = ''] = wallClock(timeZone, Date.parse(moment)).split(' ');
  const wall = Date.parse(`${date}T${time}:00Z`);
  const minutes = (wall - Math.floor(Date.parse(moment) / 60_000) * 60_000) / 60_000;
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${date}T${time}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
};

/** A query of a branch's calendar. */
export interface SlotsAsked {
  readonly branch: Branches[number];
  readonly date: string;
  readonly party_size: number;
}

const followingDates = (date: string, days: number): string[] =>
  Array.from({ length: days }, (_, at) =>
    new Date(Date.parse(date) + (at + 1) * 86_400_000).toISOString().slice(0, 10),
  );

const hasFree = ({ slots }: ReadOf<'getBookingSlots'>): boolean => slots.some(({ available }) => available);

/** The first of the next seven dates with a free time; else the last bookable date, if it is among them. */
const furtherOf = async (world: World, { branch, date, party_size }: SlotsAsked): Promise<Fields> => {
  for (const [at, day] of followingDates(date, 8).entries()) {
    const { status, body } = await world.get(
      `/public/branches/${branch.id}/booking-slots?date=${day}&party_size=${party_size}`,
    );
    if (status !== 200) return { last_date: (body as ErrorBody).vars?.['last'] };
    if (at < 7 && hasFree(body as ReadOf<'getBookingSlots'>)) return { next_free_date: day };
  }
  return {};
};

/** Why the party finds no time on any date. */
const whyNot = ({ unfit_reason: reason, max_covers }: ReadOf<'getBookingSlots'>, party: number): Fields => ({
  why_not: {
    no_tables: 'no table can be booked there at the moment',
    tables: `no tables there seat ${party}, whatever the time`,
    covers: `the branch takes at most ${max_covers ?? 0} guest${max_covers === 1 ? '' : 's'} at one start`,
    none: null,
  }[reason ?? 'none'],
});

/** get_booking_slots, or the API's refusal; `leadMinutes`: minimum notice of a booking. */
export const timesOf = async (
  world: World,
  shop: Shop,
  asked: SlotsAsked,
  leadMinutes: number,
): Promise<{ readonly times: unknown } | { readonly refused: ErrorBody }> => {
  const { branch, date, party_size } = asked;
  const { status, body } = await world.get(
    `/public/branches/${branch.id}/booking-slots?date=${date}&party_size=${party_size}`,
  );
  if (status !== 200) return { refused: body as ErrorBody };
  const reply = body as ReadOf<'getBookingSlots'>;
  const { timezone, slots, party_fits: fits } = reply;
  const areAllLate = fits && slots.length > 0 && slots.every(({ reason }) => reason === 'too_soon');
  const times = onOneLine({
    ...namesOf(shop, branch),
    ...saying({
      ...whyNot(reply, party_size),
      largest_party: fits ? null : reply.largest_party,
      lead_minutes: areAllLate ? leadMinutes : null,
      ...(hasFree(reply) || !fits ? {} : await furtherOf(world, asked)),
    }),
    shop: shop.page.brand.slug,
    branch_id: branch.id,
    date,
    weekday: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(date)),
    timezone,
    party_size,
    slots: slots.map(({ starts_at, available, reason }) => ({
      starts_at,
      local: localOf(timezone, starts_at),
      available,
      ...(reason === 'too_soon' ? { too_soon: true } : {}),
    })),
    book_url: `https://ahwa.example/${shop.page.brand.slug ?? ''}/book`,
  });
  return { times };
};

const STEPS = [
  ['received', 'created_at'],
  ['confirmed', 'confirmed_at'],
  ['preparing', 'preparing_at'],
  ['ready', 'ready_at'],
  ['out_for_delivery', 'out_for_delivery_at'],
  ['delivered', 'delivered_at'],
  ['cancelled', 'cancelled_at'],
  ['rejected', 'rejected_at'],
] as const satisfies readonly (readonly [string, keyof Tracking])[];

/** track_order: past steps, lines and sums, without personal data. */
export const orderOf = async (world: World, id: string): Promise<unknown> => {
  const order = await world.read('trackOrder', `/public/delivery-orders/${id}/track`);
  return onOneLine({
    order_id: order.id,
    shop: order.org_slug,
    branch_id: order.branch_id,
    ...saying({
      shop_name: order.org_name,
      shop_name_translations: order.org_name_translations,
      branch_name_translations: order.branch_name_translations,
      delivery_ref: order.delivery_ref,
      payment_method_hint: order.payment_method_hint,
      cancel_reason: order.cancel_reason,
      cancel_reason_translations: order.cancel_reason_translations,
    }),
    status: order.status,
    channel: order.channel,
    branch_name: order.branch_name,
    timezone: order.timezone,
    estimated_prep_minutes: order.estimated_prep_minutes,
    timeline: STEPS.flatMap(([status, field]) => {
      const at = order[field] ?? null;
      return at === null ? [] : [{ status, at, local: localOf(order.timezone, at) }];
    }),
    items: (order.items ?? []).map(
      ({ name, name_translations, size_label, size_translations, quantity, line_total }) => ({
        ...saying({ name, name_translations, size: size_label, size_translations }),
        quantity,
        total_egp: egp(line_total),
      }),
    ),
    subtotal_egp: egp(order.subtotal),
    delivery_fee_egp: egp(order.delivery_fee),
    discount_egp: egp(order.discount_amount),
    tax_egp: egp(order.tax_amount),
    tax_inclusive: order.tax_inclusive,
    total_egp: egp(order.total),
    currency: 'EGP',
    track_url: `https://ahwa.example/track/${id}`,
  });
};
