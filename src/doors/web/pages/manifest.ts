/** `/{slug}/manifest.webmanifest`: the shop as an app on the home screen. */
import { getBrand } from '../../../shops/app/shop.ts';
import { translated } from '../components/names.ts';
import { pictureAt } from '../components/picture.tsx';
import { fileEndpoint, type Page } from '../page.ts';
import { slugIn } from '../shop-frame.ts';
import { palettesOf } from '../theme.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import type { getBrand as contract } from '../../../shops/contract/shop.ts';
import { FILE_HEADERS } from '../headers.ts';

type Brand = ReplyOf<typeof contract>;

export const manifestAddress = ({ slug }: Brand, language: 'ar' | 'en'): string =>
  `/${slug ?? ''}/manifest.webmanifest?lang=${language}`;

const manifestOf = (brand: Brand, language: 'ar' | 'en'): object => {
  const { light } = palettesOf(brand);
  const icons = ([192, 384] as const).flatMap((size) => {
    const src = pictureAt(brand.logo_url, size);
    return src === null ? [] : [{ src, sizes: `${size}x${size}`, type: 'image/webp' }];
  });
  return {
    name: translated(language, brand),
    short_name: translated(language, brand),
    ...{ lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' },
    ...{ start_url: `/${brand.slug ?? ''}`, scope: '/', display: 'standalone' },
    ...{ background_color: light.ground, theme_color: light.ground, icons },
  };
};

export const manifestFile: Page = {
  endpoint: fileEndpoint('manifestFile', '/{slug}/manifest.webmanifest', { query: ['lang'] }),
  handler:
    ({ app }) =>
    async (input) => {
      const answer = await getBrand(app)({ query: { slug: slugIn(input) } });
      const language = input.query.lang ?? answer.body.main_language;
      const body = {
        type: 'application/manifest+json; charset=utf-8',
        body: JSON.stringify(manifestOf(answer.body, language === 'en' ? 'en' : 'ar')),
        headers: FILE_HEADERS,
      };
      return { ...answer, body };
    },
};
