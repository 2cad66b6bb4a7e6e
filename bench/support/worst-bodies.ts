/** The most expensive bodies of a cart quote, by kind, and their shop. */
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { CART_BODY_LIMIT } from '../../src/platform/contract/body-limits.ts';
import { cafeBy, fullestCart, HEAVY } from './cafe.ts';
import { cafeShop, quoteBody } from './cafe-shop.ts';
import { branchId } from './shop.ts';

const SLUG = 'worst-carts';
const CAFE = cafeBy(1, HEAVY, { items: 100, deals: 20 });
const LINES = fullestCart(CAFE, 100, 999);

/** 100 items and 20 overlapping deals. */
export const worstShop = (): ShopFile => cafeShop(SLUG, CAFE);

export const WORST_PATH = `/public/branches/${branchId(SLUG, 0)}/cart-quote`;

export const twoLineQuote = (): string => quoteBody(SLUG, LINES.slice(0, 2));

const repeated = (text: string, count: number): string => Array<string>(count).fill(text).join(',');

/** The longest JSON encoding of the text. */
const escaped = (text: string): string =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

interface Cart {
  readonly items: readonly object[];
}

/** The fullest cart with the longest notes in the longest encoding: 450 KB, valid. */
const longestCart = (hints: boolean): string => {
  const cart = JSON.parse(quoteBody(SLUG, LINES, hints)) as Cart;
  const notes = 'م'.repeat(500);
  return escaped(JSON.stringify({ ...cart, items: cart.items.map((item) => ({ ...item, notes })) }));
};

/** A cart of one line with this JSON text as its ignored price. */
const priced = (json: string): string => {
  const [line] = (JSON.parse(twoLineQuote()) as Cart).items;
  const text = JSON.stringify({ items: [{ ...line, unit_price: 0 }] });
  return text.replace('"unit_price":0', `"unit_price":${json}`);
};

/** The maximum of JSON values (brackets and commas count), less the cart around them. */
const VALUES = 39_900;
const ROOM = CART_BODY_LIMIT - 1024;

/** The maximum of unknown field names. */
const NAMES = Array.from({ length: 100 }, (_, n) => `"field-${n}":0`).join(',');

export interface WorstBodies {
  /** The most expensive carts to price. */
  readonly carts: Readonly<Record<string, string>>;
  /** Deep, wide, long, invalid and truncated JSON. */
  readonly odd: Readonly<Record<string, string>>;
}

export const worstBodies = (): WorstBodies => ({
  carts: {
    'the fullest cart, the longest notes': longestCart(false),
    'the same with hints': longestCart(true),
    'the fullest cart with hints, no notes': quoteBody(SLUG, LINES, true),
  },
  odd: {
    'nested 250 deep, 150 times': priced(`[${repeated('['.repeat(250) + ']'.repeat(250), 150)}]`),
    'nested 25 deep, 1,500 times': priced(`[${repeated('['.repeat(25) + ']'.repeat(25), 1_500)}]`),
    '39,900 numbers': priced(`[${repeated('0.1e-7', VALUES)}]`),
    '26,600 objects': priced(`[${repeated('{"a":{}}', VALUES / 3)}]`),
    '380 objects of 100 fields': priced(`[${repeated(`{${NAMES}}`, 380)}]`),
    '19,700 add-ons that are none': `{"items":[${repeated(`{"quantity":1,"addons":[${repeated('{"a":1}', 199)}]}`, 99)}]}`,
    'a number of 500,000 digits': priced('9'.repeat(ROOM)),
    'a text of 500,000 characters': priced(`"${'x'.repeat(ROOM)}"`),
    'a text of 87,000 escapes': priced(`"${'\\u0645'.repeat(Math.floor(ROOM / 6))}"`),
    '260,000 quotation marks': priced(`"${'\\"'.repeat(Math.floor(ROOM / 2))}"`),
    'cut off at its end': longestCart(true).slice(0, -2),
  },
});
