/** What search engines read of a page (schema.org, as JSON-LD). */
import type { Reply } from '../../client/client.ts';
import type { Language } from '../../kernel/names.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type { getLinks } from '../../shops/contract/shop.ts';
import type { Section } from './components/menu-list.tsx';
import { sizeName, taglineIn, textIn, translated } from './components/names.ts';
import type { Reader } from './components/reader.ts';
import type { Site } from './document.tsx';

type LinksReply = ReplyOf<typeof getLinks>;
type Branch = LinksReply['branches'][number];

const present = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ''));

const branchData = (branch: Branch, { language }: Reader): object =>
  present({
    '@type': 'Restaurant',
    name: translated(language, branch),
    telephone: branch.phone,
    hasMap: branch.directions_url,
    address: textIn(language, branch.address, branch.address_translations),
  });

/** The shop with its branches. */
export const restaurantOf = ({ baseUrl }: Site, page: LinksReply, reader: Reader): object => {
  const { brand, items, socials, branches, cover_image_url } = page;
  const address = `${baseUrl}/${brand.slug ?? ''}`;
  const hrefOf = (kind: string) => items.find((item) => item.kind === kind)?.href;
  return present({
    '@type': 'Restaurant',
    '@id': address,
    url: address,
    name: translated(reader.language, brand),
    description: taglineIn(reader.language, page),
    logo: brand.logo_url,
    image: cover_image_url ?? brand.logo_url,
    hasMenu: hrefOf('menu'),
    acceptsReservations: hrefOf('book') ?? false,
    currenciesAccepted: 'EGP',
    sameAs: socials.map(({ url }) => url),
    department: branches.map((branch) => branchData(branch, reader)),
  });
};

type Menu = Reply<'getBranchMenu'>;

const offerOf = (price: number): object => ({ '@type': 'Offer', price: price / 100, priceCurrency: 'EGP' });

const offersOf = ({ price, sizes }: Menu['items'][number], language: Language): readonly object[] =>
  sizes.length === 0
    ? [offerOf(price)]
    : sizes.map((size) => ({ ...offerOf(size.price), name: sizeName(language, size) }));

const priceRangeOf = ({ price, sizes }: Menu['items'][number]): object => {
  const highest = Math.max(price, ...sizes.map((size) => size.price));
  return highest === price
    ? offerOf(price)
    : { '@type': 'AggregateOffer', lowPrice: price / 100, highPrice: highest / 100, priceCurrency: 'EGP' };
};

/** The menu of a branch. Its sections stand beside their items. */
export const menuData = (
  { baseUrl }: Site,
  { brand }: Pick<LinksReply, 'brand'>,
  {
    reader: { language },
    name,
    sections,
  }: { readonly reader: Reader; readonly name: string; readonly sections: readonly Section[] },
): object => {
  const address = `${baseUrl}/${brand.slug ?? ''}`;
  return {
    ...{
      '@type': 'Menu',
      '@id': `${address}/menu`,
      name,
      inLanguage: language,
      isPartOf: { '@id': address },
    },
    hasMenuSection: sections.map((section) => ({ '@id': `#${section.id}` })),
  };
};

/** A section of a menu, with what its items cost. The page of an item has the price of each size. */
export const sectionData = (section: Section, { language }: Reader): object => ({
  ...{ '@type': 'MenuSection', '@id': `#${section.id}`, name: section.name },
  hasMenuItem: section.items.map((item) => ({
    ...{ '@type': 'MenuItem', name: translated(language, item), offers: priceRangeOf(item) },
  })),
});

/** An item with its price in every size. */
export const itemData = (
  { baseUrl }: Site,
  { page: { brand } }: { readonly page: LinksReply },
  { reader: { language }, item }: { readonly reader: Reader; readonly item: Menu['items'][number] },
): object =>
  present({
    '@type': 'MenuItem',
    '@id': `${baseUrl}/${brand.slug ?? ''}/menu/${item.id}`,
    name: translated(language, item),
    description: textIn(language, item.description, item.description_translations),
    image: item.image_url,
    offers: offersOf(item, language),
  });
