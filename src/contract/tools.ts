/**
 * The tools that AI assistants call, declared once: the list at `tools/list`, the reading of arguments, the cards,
 * docs/tools.md and the types of the functions behind them all read this (Behaviour, Tool server endpoint;
 * Decisions 14).
 */
import Type, { type Static, type TSchema } from 'typebox';
import { ORDER_STATUSES } from '../domain/order.ts';
import { optional, required, type QueryParameters, type ValuesOf } from './endpoint.ts';
import { dateScalar, integerScalar, slugScalar, uuidScalar, Word } from './scalars.ts';

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

// The shapes of results: lean, because a model pays for every character. What a shop has not said is left out.

const text = Type.String();
/** Pounds as a decimal number: 45.5 is 45.50 EGP. */
const pounds = Type.Number();
const maybe = Type.Optional;
/** Language code to text. */
const names = Type.Unsafe<Record<string, string>>({ type: 'object' });
/** Set, with the sentence that says what was left out, on a result that was shortened (Decisions 14). */
const shortened = { truncated: maybe(Type.Boolean()), left_out: maybe(text) };

const shopDetails = Type.Object({
  shop: text,
  name: text,
  name_translations: maybe(names),
  tagline_ar: maybe(text),
  tagline_en: maybe(text),
  links: Type.Array(
    Type.Object({
      kind: text,
      href: text,
      title_ar: maybe(text),
      title_en: maybe(text),
      branch_names: maybe(Type.Array(text)),
      channels: maybe(Type.Array(text)),
    }),
  ),
  socials: Type.Array(Type.Object({ label: text, url: text })),
  branches: Type.Array(
    Type.Object({
      id: text,
      name: text,
      name_translations: maybe(names),
      address: maybe(text),
      address_translations: maybe(names),
      phone: maybe(text),
      directions_url: maybe(text),
    }),
  ),
  ...shortened,
});

const shopMenu = Type.Object({
  shop: text,
  shop_name: text,
  shop_name_translations: maybe(names),
  branch_id: text,
  branch_name: text,
  branch_name_translations: maybe(names),
  currency: Word(['EGP']),
  tax_inclusive: Type.Boolean(),
  tax_rate: Type.Number({ description: '0.14 is 14 %' }),
  categories: Type.Array(
    Type.Object({
      category: text,
      category_translations: maybe(names),
      items: Type.Array(
        Type.Object({
          name: text,
          name_translations: maybe(names),
          description: maybe(text),
          /** A meal of several things for one price. */
          combo: maybe(Type.Boolean()),
          price_egp: pounds,
          sizes: maybe(
            Type.Array(Type.Object({ label: text, label_translations: maybe(names), price_egp: pounds })),
          ),
        }),
      ),
    }),
  ),
  menu_url: text,
  /** Where this branch takes online orders, at prices of its own. */
  order_url: maybe(text),
  ...shortened,
});

const bookingTimes = Type.Object({
  shop: text,
  shop_name: text,
  shop_name_translations: maybe(names),
  branch_id: text,
  branch_name: text,
  branch_name_translations: maybe(names),
  date: text,
  weekday: text,
  timezone: text,
  party_size: Type.Integer(),
  slots: Type.Array(
    Type.Object({
      starts_at: text,
      local: text,
      available: Type.Boolean(),
      too_soon: maybe(Type.Boolean()),
    }),
  ),
  book_url: text,
  ...shortened,
});

const orderStatus = Type.Object({
  order_id: text,
  delivery_ref: maybe(text),
  status: Word(ORDER_STATUSES),
  channel: text,
  branch_name: text,
  timezone: text,
  estimated_prep_minutes: Type.Integer(),
  timeline: Type.Array(Type.Object({ status: text, at: text, local: text })),
  items: Type.Array(
    Type.Object({
      name: text,
      name_translations: maybe(names),
      size: maybe(text),
      quantity: Type.Integer(),
      total_egp: pounds,
    }),
  ),
  subtotal_egp: pounds,
  delivery_fee_egp: pounds,
  discount_egp: pounds,
  tax_egp: pounds,
  tax_inclusive: Type.Boolean(),
  total_egp: pounds,
  currency: text,
  payment_method_hint: maybe(text),
  cancel_reason: maybe(text),
  track_url: text,
  ...shortened,
});

const aboutAhwa = Type.Object({
  name: text,
  description: text,
  plans: Type.Array(Type.Object({ name: text, monthly_egp_per_branch: pounds })),
  currency: text,
  contact: text,
  links: Type.Object({ website: text, docs: text, openapi: text, mcp: text }),
});

export type ShopDetails = Static<typeof shopDetails>;
export type ShopMenu = Static<typeof shopMenu>;
export type BookingTimes = Static<typeof bookingTimes>;
export type OrderStatusResult = Static<typeof orderStatus>;
export type AboutAhwa = Static<typeof aboutAhwa>;

const SHOP = "The shop's address name, as in its page's address, such as beit-el-bunn";

/** In the order of Behaviour, Tool server endpoint, which is the order of `tools/list`. */
export const tools = {
  get_shop: tool({
    name: 'get_shop',
    title: "A shop's details",
    description:
      'Name, tagline, links (order online, menu, book a table, rewards), social links, and branches with their ids.',
    args: { shop: required(slugScalar, SHOP) },
    result: shopDetails,
  }),
  get_menu: tool({
    name: 'get_menu',
    title: "A shop's menu",
    description:
      "What a branch sells, by category, with eaten-in prices in EGP and sizes. Without branch_id, the shop's first " +
      'branch by name, which the answer names.',
    args: {
      shop: required(slugScalar, SHOP),
      branch_id: optional(uuidScalar, "A branch's id, from get_shop"),
    },
    result: shopMenu,
  }),
  get_booking_slots: tool({
    name: 'get_booking_slots',
    title: 'Table availability',
    description:
      "A branch's table-booking times on a date for a party, each free or not, and the link where a person books. " +
      'Nothing is booked.',
    args: {
      branch_id: required(uuidScalar, "A branch's id, from get_shop"),
      date: required(dateScalar, "YYYY-MM-DD on the branch's calendar, such as 2026-12-04"),
      party_size: required(integerScalar(1), 'How many guests, such as 4'),
    },
    result: bookingTimes,
  }),
  track_order: tool({
    name: 'track_order',
    title: "An online order's status",
    description: 'Status, timeline, items and total. Who ordered, and where to, is left out.',
    args: {
      order_id: required(uuidScalar, "The order's id, the last part of its tracking link"),
    },
    result: orderStatus,
  }),
  about_ahwa: tool({
    name: 'about_ahwa',
    title: 'About the service',
    description: 'What this service is, its plans and monthly prices per branch, how to reach sales.',
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
    outputSchema: JSON.parse(JSON.stringify(declared.result)) as Json,
    annotations: ANNOTATIONS,
  };
};
