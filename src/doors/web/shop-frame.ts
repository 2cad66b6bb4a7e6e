/** The shop of a page: brand, language of the reader, frame, document. */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import { isSlug } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isReservedSlug } from '../../kernel/slugs.ts';
import type { Content } from '../../platform/app/answer.ts';
import type { getBrand } from '../../shops/contract/shop.ts';
import type { ShopFrame } from './components/frame.tsx';
import { translated } from './components/names.ts';
import { pictureAt } from './components/picture.tsx';
import type { Reader } from './components/reader.ts';
import { documentOf, type PageDocument, type Site } from './document.tsx';
import type { PageInput } from './page.ts';

type Brand = ReplyOf<typeof getBrand>;

/** Throws NOT_FOUND for a text that no shop can have as its address name. */
export const slugIn = ({ path }: PageInput): string => {
  const { slug = '' } = path;
  if (!isSlug(slug) || isReservedSlug(slug)) throw new Refusal('NOT_FOUND');
  return slug;
};

/** Chosen, remembered or preferred; else the shop's own. */
export const readerOf = ({ query, caller }: PageInput, brand: Brand): Reader => ({
  language: query.lang ?? caller.language ?? brand.main_language,
  digits: brand.digits,
});

export const shopFrameOf = (brand: Brand, language: Language): ShopFrame => ({
  name: translated(language, brand),
  slug: brand.slug ?? '',
  logoUrl: brand.logo_url ?? null,
  isMark: brand.logo_is_mark,
});

/** A page of the shop: in its colours, with its logo, and its picture where the page is shared. */
export const shopDocument = (
  site: Site,
  { query }: PageInput,
  brand: Brand,
  page: Omit<PageDocument, 'chosen' | 'colors' | 'icon' | 'preview'>,
): Content =>
  documentOf(site, {
    ...page,
    ...{ chosen: query.lang, colors: brand, icon: pictureAt(brand.logo_url, 192) },
    preview: `${site.baseUrl}/${brand.slug ?? ''}/preview.jpg?lang=${page.reader.language}`,
  });
