/** Files about the service itself, for browsers and search engines. */
import type { PlainDocument } from '../http/documents.ts';
import { FILE_HEADERS } from './headers.ts';
import { ICON_SVG } from './icon.ts';
import { REFERENCE_PAGES } from './pages/docs/pages.ts';
import { SITEMAP_TYPE, sitemapOf } from './sitemap.ts';

/** Pages that a secret address opens, tables, and the API: search engines have no use for them. */
const NOT_CRAWLED = ['/track/', '/manage/', '/card/', '/t/', '/public/', '/staff/'];

const OWN_PAGES = ['/', ...REFERENCE_PAGES.map(({ path }) => path)];

const robots = (baseUrl: string): string =>
  [
    'User-agent: *',
    ...NOT_CRAWLED.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n');

export const serviceFiles = (baseUrl: string): readonly PlainDocument[] => [
  { id: 'robots', path: '/robots.txt', type: 'text/plain; charset=utf-8', write: () => robots(baseUrl) },
  {
    ...{ id: 'sitemap', path: '/sitemap.xml', type: SITEMAP_TYPE, headers: FILE_HEADERS },
    write: () => sitemapOf(OWN_PAGES.map((path) => `${baseUrl}${path}`)),
  },
  {
    ...{ id: 'icon', path: '/icon.svg', type: 'image/svg+xml', headers: FILE_HEADERS },
    write: () => ICON_SVG,
  },
];
