/** A shop that sells every kind of cart line, builders of carts, and quotes over HTTP. */
import type { OrderItemInput } from '../../../src/pricing/contract/cart.ts';
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../../src/platform/contract/error.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { derivedId, type EntityKind } from '../../../src/shopfile/app/entity-ids.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import { aBranch, aShopFile, aTable, branchId, shopId, SLUG, tableId, thingId } from './cafe.ts';
import type { BranchEntry } from './shop-file.ts';
import { post, refusalOf } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';

export type CartQuote = ReadOf<'quoteCart'>;
export type CartBody = BodyOf<EndpointOf<'quoteCart'>>;

type MenuFile = ShopFile['menu'];

/** Open 09:00–23:00, 14 % tax included; at its table 12 % untaxed service charge. */
export const aQuotingBranch = (overrides: Partial<BranchEntry> = {}): BranchEntry =>
  aBranch({
    channels: { pickup: {}, outside: {} },
    tax: { rate: 0.14, inclusive: true },
    service_charge: { rate: 0.12 },
    tables: [aTable('t1', 4)],
    ...overrides,
  });

/** Latte in two sizes with milks, Turkish coffee, a sandwich with a required sauce, cake, and a breakfast combo. */
export const aQuotingMenu = (overrides: Partial<MenuFile> = {}): MenuFile => ({
  categories: [
    { key: 'coffee', name: { ar: 'قهوة', en: 'Coffee' } },
    { key: 'food', name: { ar: 'أكل', en: 'Food' } },
  ],
  addons: [
    { key: 'whole', name: 'كامل', type: 'milk_type', price: 800 },
    { key: 'oat', name: 'شوفان', type: 'milk_type', price: 2000 },
    { key: 'syrup', name: 'شراب', type: 'extra', price: 1200 },
    { key: 'ketchup', name: 'كاتشب', type: 'extra', price: 0 },
    { key: 'tahini', name: 'طحينة', type: 'extra', price: 500 },
  ],
  modifier_groups: [
    {
      key: 'sauce',
      name: 'الصوص',
      selection: 'multi',
      required: true,
      min: 1,
      max: 2,
      options: ['ketchup', 'tahini'],
    },
  ],
  items: [
    {
      key: 'latte',
      name: { ar: 'لاتيه', en: 'Latte' },
      category: 'coffee',
      sizes: [
        { label: { ar: 'صغير', en: 'Small' }, price: 5000 },
        { label: { ar: 'كبير', en: 'Large' }, price: 7000, prices: [{ channel: 'pickup', price: 7500 }] },
      ],
      default_milk: 'whole',
      allowed_addons: ['whole', 'oat', 'syrup'],
      optionals: [
        { key: 'ice', name: 'ثلج', price: 0 },
        { key: 'cup', name: 'كوب', size: 'كبير', price: 300 },
      ],
    },
    { key: 'turkish', name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, category: 'coffee', price: 4500 },
    { key: 'sandwich', name: 'ساندويتش', category: 'food', price: 8000, modifier_groups: ['sauce'] },
    { key: 'cake', name: 'كيك', category: 'food', price: 6000 },
  ],
  combos: [
    {
      key: 'breakfast',
      name: { ar: 'فطار', en: 'Breakfast' },
      price: 9000,
      slots: [
        {
          key: 'drink',
          name: 'المشروب',
          choices: [
            { item: 'latte', included_size: 'صغير', size_extras: [{ size: 'كبير', extra: 1000 }] },
            { item: 'turkish', surcharge: 500 },
          ],
        },
        { key: 'sweet', name: 'الحلو', min: 1, max: 2, choices: [{ item: 'cake' }] },
      ],
    },
  ],
  ...overrides,
});

export const aQuotingShop = (overrides: Partial<ShopFile> = {}): ShopFile =>
  aShopFile({ branches: [aQuotingBranch()], menu: aQuotingMenu(), ...overrides });

const partOf = (kind: EntityKind, parent: Uuid, key: string, slug = SLUG): Uuid =>
  derivedId(shopId(slug), kind, parent, { key });

export const item = (key: string, slug?: string): Uuid => thingId('item', key, slug);
export const addon = (key: string): Uuid => thingId('addon', key);
export const optional = (of: string, key: string): Uuid => partOf('optional', item(of), key);
export const combo = (key = 'breakfast'): Uuid => thingId('combo', key);
export const slot = (key: string, of = 'breakfast'): Uuid => partOf('slot', combo(of), key);

export type Line = OrderItemInput;
type Pick = NonNullable<Line['combo']>['picks'][number];

export const line = (key: string, more: Partial<Line> = {}): Line => ({
  menu_item_id: item(key),
  quantity: 1,
  ...more,
});
export const pick = (from: string, key: string, more: Partial<Pick> = {}): Pick => ({
  slot_id: slot(from),
  menu_item_id: item(key),
  ...more,
});
/** A breakfast; by default of a small latte and a cake. */
export const meal = (
  picks: readonly Pick[] = [pick('drink', 'latte'), pick('sweet', 'cake')],
  more: Partial<Line> = {},
): Line => ({ menu_item_id: combo(), quantity: 1, combo: { picks: [...picks] }, ...more });

export const atBranch = (branch?: string, slug?: string): string =>
  `/public/branches/${branchId(branch, slug)}/cart-quote`;
export const atTable = (table = 't1', branch?: string): string =>
  `/public/tables/${tableId(table, branch)}/cart-quote`;

/** The quote of a cart that has a price. */
export const quoteOf = async (
  world: World,
  items: readonly Line[],
  { address = atBranch(), ...more }: { address?: string } & Partial<CartBody> = {},
): Promise<CartQuote> => {
  const { status, body, text } = await post(world, address, { items, ...more });
  if (status !== 200) throw new Error(`${address} answered ${status}: ${text}`);
  // The shape was checked against the document by `send`.
  return body as CartQuote;
};

/** The refusal of a cart that has no price, with its status. */
export const cartRefusal = async (
  world: World,
  body: unknown,
  address = atBranch(),
  language: 'en' | 'ar' = 'en',
): Promise<ErrorBody & { readonly status: number }> =>
  refusalOf(await post(world, address, body, { 'accept-language': language }));
