/** Pictures of shops, which other sites may show too. */
import { parseId, parseUuid, shortId } from '../../../kernel/ids.ts';
import { LANGUAGES } from '../../../kernel/names.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { FULL_WIDTH, PICTURE_WIDTHS } from '../../../pictures/domain/served.ts';
import { getShopLogo } from '../../../loyalty/app/wallets/pass-pictures.ts';
import { getPicture, getSocialCard } from '../../../shops/app/pictures.ts';
import { fileEndpoint, type Page, type PageInput } from '../page.ts';
import { slugIn } from '../shop-frame.ts';

const HEADERS: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none'"],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
  ...['Access-Control-Allow-Origin', '*'],
];

const requested = ({ path }: PageInput) => {
  const id = parseId(path['id'] ?? '');
  const isAsWritten = id !== null && [id, shortId(id)].some((written) => written === path['id']);
  const width = PICTURE_WIDTHS.find((each) => String(each) === (path['width'] ?? String(FULL_WIDTH)));
  // Each spelling is rendered and kept by itself.
  if (!isAsWritten || width === undefined) throw new Refusal('NOT_FOUND');
  return { id, width };
};

const pictureFile = (id: string, path: string): Page => ({
  endpoint: fileEndpoint(id, path, { cache: 'public, max-age=31536000, immutable', limit: 'files' }),
  handler:
    ({ app }) =>
    async (input) => {
      const { body, ...answer } = await getPicture(app)(requested(input));
      return { ...answer, body: { type: 'image/webp', body: Buffer.from(body), headers: HEADERS } };
    },
});

/** What messaging apps show beside a link to the shop. */
const socialCard: Page = {
  endpoint: fileEndpoint('socialCard', '/{slug}/preview.jpg', { query: ['lang'] }),
  handler:
    ({ app }) =>
    async (input) => {
      const { lang } = input.query;
      const language = LANGUAGES.find((each) => each === lang) ?? null;
      if (lang !== undefined && language === null) throw new Refusal('NOT_FOUND');
      const { body, ...answer } = await getSocialCard(app)({ slug: slugIn(input), language });
      return { ...answer, body: { type: 'image/jpeg', body: Buffer.from(body), headers: HEADERS } };
    },
};

/** Loaded by the servers of Google Wallet. */
const shopLogo: Page = {
  endpoint: fileEndpoint('shopLogo', '/wallet/logo/{id}.png'),
  handler:
    ({ app }) =>
    async ({ path }) => {
      const id = parseUuid(path['id'] ?? '');
      if (id === null) throw new Refusal('NOT_FOUND');
      const { body, ...answer } = await getShopLogo(app)(id);
      return { ...answer, body: { type: 'image/png', body: Buffer.from(body), headers: HEADERS } };
    },
};

export const pictureFiles: readonly Page[] = [
  pictureFile('pictureFile', '/pictures/{id}'),
  pictureFile('pictureFileInWidth', '/pictures/{id}/{width}'),
  socialCard,
  shopLogo,
];
