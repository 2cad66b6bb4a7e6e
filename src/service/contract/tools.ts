/**
 * The tools that AI assistants call, declared once: the list at `tools/list`, the reading of arguments, the cards,
 * docs/tools.md and the types of the functions behind them all read this (Behaviour, Tool server endpoint;
 * Decisions 14).
 */
import Type, { type Static, type TSchema } from 'typebox';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/domain/order.ts';
import type { ModuleKind, OnlineChannel } from '../../shops/domain/shop.ts';
import { optional, required, type QueryParameters, type ValuesOf } from '../../platform/contract/endpoint.ts';
import { dateScalar, integerScalar, slugScalar, uuidScalar } from '../../platform/contract/scalars.ts';

/** The protocol's revisions that are spoken, the default first (Behaviour, Versioning 2). */
export const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** One tool: its arguments are read by the scalars that read query text, its result is an object of `result`. */
export interface Tool<A extends QueryParameters = QueryParameters, R extends TSchema = TSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: A;
  readonly result: R;
}

const tool = <const A extends QueryParameters, const R extends TSchema>(declared: Tool<A, R>): Tool<A, R> =>
  declared;

// The shapes of results: lean, because a model pays for every character. What a shop has not said is left out. The
// descriptions are for docs/tools.md alone: `listingOf` leaves them out.

const maybe = Type.Optional;
const text = (description: string) => Type.String({ description });
/** One of a few words; the list would cost more than a model gains by it, so that it stands in the description alone. */
const word = <T extends string>(description: string) => Type.Unsafe<T>({ type: 'string', description });
const flag = (description: string) => Type.Boolean({ description });
const whole = (description: string) => Type.Integer({ description });
/** A fraction of one. */
const rate = (description: string) => Type.Number({ description });
/** Pounds as a decimal number: 45.5 is 45.50 EGP. */
const pounds = (description: string) =>
  Type.Number({ description: `${description}, in pounds: 45.5 is 45.50 EGP` });
const listOf = <T extends TSchema>(entry: T, description: string) => Type.Array(entry, { description });
const namesIn = (description: string) => Type.Unsafe<Record<string, string>>({ type: 'object', description });
const names = namesIn('The same in other languages, by language code');
const sparedNames = namesIn(
  'The same in other languages, by language code; fewer or left out where a menu is shortened',
);
const currency = text('Of every amount: `EGP`');

const shopSlug = text("The shop's address name, which the next call takes");
const shopNames = { shop_name: text('In the language of the shop'), shop_name_translations: maybe(names) };
const branchNames = {
  branch_name: text('In the language of the shop'),
  branch_name_translations: maybe(names),
};
const branchUuid = text("The branch's id, which the next call takes");
const zone = text("The branch's time zone, such as Africa/Cairo");
/** On a result that was shortened, with the sentence that says what was left out (Decisions 14). */
const shortened = {
  truncated: maybe(flag('True where the result was shortened, else left out')),
  left_out: maybe(text('There with `truncated`: a sentence on what was left out and where all of it is')),
};

const shopDetails = Type.Object({
  shop: shopSlug,
  name: text('In the language of the shop'),
  name_translations: maybe(names),
  tagline_ar: maybe(text('In Arabic')),
  tagline_en: maybe(text('In English')),
  links: listOf(
    Type.Object({
      kind: word<ModuleKind | 'custom'>(
        "`order`, `menu`, `rewards` or `book`; `custom` is a link of the shop's own",
      ),
      href: text('Where a person opens it'),
      title_ar: maybe(text("Of a `custom` link, the shop's title in Arabic")),
      title_en: maybe(text("Of a `custom` link, the shop's title in English")),
      branch_names: maybe(listOf(Type.String(), 'Of `order` and `book`: the branches where it is on')),
      channels: maybe(
        listOf(
          Type.Unsafe<'delivery' | Exclude<OnlineChannel, 'outside'>>({ type: 'string' }),
          'Of `order`: `pickup`, `delivery`, `in_mall`, `umbrella`, those on at any branch',
        ),
      ),
    }),
    "As on the shop's page and in its order",
  ),
  socials: listOf(
    Type.Object({ label: text('What the shop calls it'), url: text('Its address') }),
    "The shop's pages elsewhere",
  ),
  branches: listOf(
    Type.Object({
      id: text('What `branch_id` of other tools takes'),
      name: text('In the language of the shop'),
      name_translations: maybe(names),
      address: maybe(text('As the shop writes it')),
      address_translations: maybe(names),
      phone: maybe(text('As the shop writes it')),
      directions_url: maybe(text('A map with the branch')),
    }),
    'Every active branch, by name; of a shop that hides its branches, id and names alone',
  ),
  ...shortened,
});

const shopMenu = Type.Object({
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  currency,
  tax_inclusive: flag('Whether the prices contain the tax; otherwise it comes on top'),
  tax_rate: rate('0.14 is 14 %; 0 where there is no tax'),
  service_charge_rate: maybe(
    rate("What a table's bill adds for service: 0.12 is 12 %; left out where it adds nothing"),
  ),
  categories: listOf(
    Type.Object({
      category: text('In the language of the shop; `Other` where an item stands in none'),
      category_translations: maybe(names),
      items: listOf(
        Type.Object({
          name: text('In the language of the shop'),
          name_translations: maybe(sparedNames),
          description: maybe(text('As the shop writes it; left out where a menu is shortened')),
          combo: maybe(flag('True for a meal of several things at one price, else left out')),
          price_egp: pounds('The price eaten in, of sizes the cheapest'),
          sizes: maybe(
            listOf(
              Type.Object({
                label: text('In the language of the shop'),
                label_translations: maybe(sparedNames),
                price_egp: pounds('The price of this size'),
              }),
              'Where the item has sizes',
            ),
          ),
        }),
        'What can be had now, in the order of the menu',
      ),
    }),
    'In the order of the menu; none where nothing can be had now',
  ),
  menu_url: text('The menu as a page'),
  order_url: maybe(
    text('Where this branch takes online orders, at prices of its own; left out where it takes none'),
  ),
  ...shortened,
});

const bookingTimes = Type.Object({
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  date: text("The date asked for, on the branch's calendar"),
  weekday: text('Of that date, in English'),
  timezone: zone,
  party_size: whole('How many guests were asked for'),
  slots: listOf(
    Type.Object({
      starts_at: text('In UTC'),
      local: text("The same on the branch's clock, with its offset; after midnight it is on the next date"),
      available: flag('Whether a table is free for the party'),
      too_soon: maybe(flag('True where the start is past or too near to be booked, else left out')),
    }),
    'Every start of that date in order, free or not; none where no bookings are taken that day',
  ),
  why_not: maybe(
    text('Where no time on any date could seat such a party, were every table free: why, else left out'),
  ),
  largest_party: maybe(whole('There with `why_not`: the largest smaller party that could be seated, if any')),
  lead_minutes: maybe(
    whole('Where every start is past or too soon: how many minutes ahead a table is booked, else left out'),
  ),
  next_free_date: maybe(
    text('Where no time is free: the next date that has one, looked for a week ahead, else left out'),
  ),
  last_date: maybe(
    text('Where no date from the one asked for has a free time: the last that can be booked, else left out'),
  ),
  book_url: text('Where a person books'),
  ...shortened,
});

const orderStatus = Type.Object({
  order_id: text('As it was asked for'),
  delivery_ref: maybe(text('What branch and guest call the order')),
  status: word<OrderStatus>(
    `Where the order is now: ${ORDER_STATUSES.map((status) => `\`${status}\``).join(', ')}`,
  ),
  channel: word<OnlineChannel>('`pickup`, `outside` (delivery), `in_mall` or `umbrella`'),
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  timezone: zone,
  estimated_prep_minutes: whole('Minutes that preparing is estimated to take'),
  timeline: listOf(
    Type.Object({
      status: word<OrderStatus>('A status that was reached'),
      at: text('When, in UTC'),
      local: text("The same on the branch's clock, with its offset"),
    }),
    'What has happened so far, in order',
  ),
  items: listOf(
    Type.Object({
      name: text('As it was ordered'),
      name_translations: maybe(names),
      size: maybe(text('Where the item has sizes')),
      size_translations: maybe(names),
      quantity: whole('How many'),
      total_egp: pounds('For all of them, with add-ons and after deals'),
    }),
    'What was ordered',
  ),
  subtotal_egp: pounds('All items'),
  delivery_fee_egp: pounds('0 where there is none'),
  discount_egp: pounds('What is taken off'),
  tax_egp: pounds('0 where there is none'),
  tax_inclusive: flag('Whether the total contains the tax already; otherwise it was added'),
  total_egp: pounds('What the person pays'),
  currency,
  payment_method_hint: maybe(text('How the person said they would pay')),
  cancel_reason: maybe(text('Of an order that was cancelled or rejected, where one was given')),
  cancel_reason_translations: maybe(names),
  track_url: text('Where a person follows the order'),
  ...shortened,
});

const aboutAhwa = Type.Object({
  name: text('Of the service'),
  description: text('What the service is'),
  plans: listOf(
    Type.Object({ name: text('Of the plan'), monthly_egp_per_branch: pounds('A month, for each branch') }),
    'What shops pay; none where prices are to be asked for',
  ),
  currency,
  contact: text('How to reach sales'),
  links: Type.Unsafe<Readonly<Record<'website' | 'docs' | 'openapi' | 'mcp', string>>>({
    type: 'object',
    description: 'Addresses: `website`, `docs` and `openapi` of the public API, `mcp` of this tool server',
  }),
});

export type ShopDetails = Static<typeof shopDetails>;
export type ShopMenu = Static<typeof shopMenu>;
export type BookingTimes = Static<typeof bookingTimes>;
export type OrderStatusResult = Static<typeof orderStatus>;
export type AboutAhwa = Static<typeof aboutAhwa>;

const SHOP = 'The name in its link, such as beit-el-bunn';

/** In the order of Behaviour, Tool server endpoint, which is the order of `tools/list`. */
export const tools = {
  get_shop: tool({
    name: 'get_shop',
    title: "A shop's details",
    description: 'Name, tagline, links (order, menu, book, rewards), socials, and branches with ids.',
    args: { shop: required(slugScalar, SHOP) },
    result: shopDetails,
  }),
  get_menu: tool({
    name: 'get_menu',
    title: "A shop's menu",
    description:
      "A branch's menu now, by category, with sizes and eaten-in prices in EGP. Without branch_id: the first branch " +
      'by name.',
    args: {
      shop: required(slugScalar, SHOP),
      branch_id: optional(uuidScalar, 'Its id, from get_shop'),
    },
    result: shopMenu,
  }),
  get_booking_slots: tool({
    name: 'get_booking_slots',
    title: 'Table availability',
    description:
      "A branch's table times on a date for a party, free or not, and the link to book. Nothing is booked.",
    args: {
      branch_id: required(uuidScalar, 'Its id, from get_shop'),
      date: required(
        dateScalar,
        'The date there, such as 2026-12-04; after midnight, that of the evening before',
      ),
      party_size: required(integerScalar(1), 'Guests, such as 4'),
    },
    result: bookingTimes,
  }),
  track_order: tool({
    name: 'track_order',
    title: "An online order's status",
    description: 'Status, timeline, items and total, without who ordered or where to.',
    args: {
      order_id: required(uuidScalar, "The last part of the order's tracking link"),
    },
    result: orderStatus,
  }),
  about_ahwa: tool({
    name: 'about_ahwa',
    title: 'About the service',
    description: 'What this service is, its plans and prices, how to reach sales.',
    args: {},
    result: aboutAhwa,
  }),
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;
export type ToolOf<Name extends ToolName> = (typeof tools)[Name];
/** Arguments as the tool's function takes them. */
export type ArgsOf<T extends Tool> = ValuesOf<T['args']>;
export type ResultOf<T extends Tool> = Static<T['result']>;

/** Only reads, changes nothing, and knows nothing but this service (Behaviour, Tool server endpoint). */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

type Json = Readonly<Record<string, unknown>>;

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations?: Json;
}

/** What a model needs to know of one argument: flat, with an example. */
const propertyOf = ({ scalar, description }: QueryParameters[string]): Json => {
  const { type, format, minimum, examples } = scalar.schema as TSchema & Json;
  return {
    type,
    // A number's format says how many bits hold it, which is no matter of the caller's.
    ...(type === 'string' && format !== undefined ? { format } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    description,
    examples,
  };
};

/** Leaves descriptions out of a schema's JSON; a field that is named so has a schema, no text. */
const withoutDescription = (key: string, value: unknown): unknown =>
  key === 'description' && typeof value === 'string' ? undefined : value;

export const listingOf = (declared: Tool): ToolListing => {
  const args = Object.entries(declared.args);
  const needed = args.filter(([, arg]) => arg.required).map(([name]) => name);
  return {
    name: declared.name,
    title: declared.title,
    description: declared.description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(args.map(([name, arg]) => [name, propertyOf(arg)])),
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
    },
    outputSchema: JSON.parse(JSON.stringify(declared.result, withoutDescription)) as Json,
    annotations: ANNOTATIONS,
  };
};
