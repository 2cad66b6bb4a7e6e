import Type, { type Static } from 'typebox';
import { optional, required } from '../../platform/contract/endpoint.ts';
import { slugScalar, uuidScalar } from '../../platform/contract/scalars.ts';
import {
  currency,
  flag,
  listOf,
  optionalField,
  names,
  pounds,
  rate,
  shortened,
  shortenableNames,
  text,
  tool,
} from '../../platform/contract/tool.ts';
import { SHOP, branchNames, branchUuid, shopNames, shopSlug } from '../../shops/contract/tools.ts';

const shopMenu = Type.Object({
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  currency,
  tax_inclusive: flag('Whether the prices contain the tax; otherwise it comes on top'),
  tax_rate: rate('0.14 is 14 %; 0 where there is no tax'),
  service_charge_rate: optionalField(
    rate("What a table's bill adds for service: 0.12 is 12 %; left out where it adds nothing"),
  ),
  categories: listOf(
    Type.Object({
      category: text('In the language of the shop; `Other` where an item stands in none'),
      category_translations: optionalField(names),
      items: listOf(
        Type.Object({
          name: text('In the language of the shop'),
          name_translations: optionalField(shortenableNames),
          description: optionalField(text('As the shop writes it; left out where a menu is shortened')),
          combo: optionalField(flag('True for a meal of several things at one price, else left out')),
          price_egp: pounds('The price eaten in, of sizes the cheapest'),
          sizes: optionalField(
            listOf(
              Type.Object({
                label: text('In the language of the shop'),
                label_translations: optionalField(shortenableNames),
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
  order_url: optionalField(
    text('Where this branch takes online orders, at prices of its own; left out where it takes none'),
  ),
  ...shortened,
});

export type ShopMenu = Static<typeof shopMenu>;

export const tools = {
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
};
