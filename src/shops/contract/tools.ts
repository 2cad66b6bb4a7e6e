import Type, { type Static } from 'typebox';
import { required } from '../../platform/contract/endpoint.ts';
import { slugScalar } from '../../platform/contract/scalars.ts';
import { listOf, optionalField, names, shortened, text, tool, word } from '../../platform/contract/tool.ts';
import type { ModuleKind, OnlineChannel } from '../domain/shop.ts';

export const shopSlug = text("The shop's address name, which the next call takes");
export const shopNames = {
  shop_name: text('In the language of the shop'),
  shop_name_translations: optionalField(names),
};
export const branchNames = {
  branch_name: text('In the language of the shop'),
  branch_name_translations: optionalField(names),
};
export const branchUuid = text("The branch's id, which the next call takes");
export const zone = text("The branch's time zone, such as Africa/Cairo");
export const SHOP = 'The name in its link, such as beit-el-bunn';

const shopDetails = Type.Object({
  shop: shopSlug,
  name: text('In the language of the shop'),
  name_translations: optionalField(names),
  tagline_ar: optionalField(text('In Arabic')),
  tagline_en: optionalField(text('In English')),
  links: listOf(
    Type.Object({
      kind: word<ModuleKind | 'custom'>(
        "`order`, `menu`, `rewards` or `book`; `custom` is a link of the shop's own",
      ),
      href: text('Where a person opens it'),
      title_ar: optionalField(text("Of a `custom` link, the shop's title in Arabic")),
      title_en: optionalField(text("Of a `custom` link, the shop's title in English")),
      branch_names: optionalField(
        listOf(Type.String(), 'Of `order` and `book`: the branches where it is on'),
      ),
      channels: optionalField(
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
      name_translations: optionalField(names),
      address: optionalField(text('As the shop writes it')),
      address_translations: optionalField(names),
      phone: optionalField(text('As the shop writes it')),
      directions_url: optionalField(text('A map with the branch')),
    }),
    'Every active branch, by name; of a shop that hides its branches, id and names alone',
  ),
  ...shortened,
});

export type ShopDetails = Static<typeof shopDetails>;

export const tools = {
  get_shop: tool({
    name: 'get_shop',
    title: "A shop's details",
    description: 'Name, tagline, links (order, menu, book, rewards), socials, and branches with ids.',
    args: { shop: required(slugScalar, SHOP) },
    result: shopDetails,
  }),
};
