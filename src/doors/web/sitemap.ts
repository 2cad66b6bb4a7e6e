/** What search engines may list (sitemaps.org), each page in both languages. */
import { LANGUAGES } from '../../kernel/names.ts';
import { addressIn } from './address.ts';

export const SITEMAP_TYPE = 'application/xml; charset=utf-8';

const escaped = (address: string): string => address.replaceAll('&', '&amp;');

const alternate = (language: string, address: string): string =>
  `<xhtml:link rel="alternate" hreflang="${language}" href="${escaped(address)}"/>`;

/** Every version of a page is an entry that names all versions. */
const entriesOf = (address: string): readonly string[] => {
  const versions = LANGUAGES.map((language) => ({ language, at: addressIn(address, language) }));
  const alternates = [
    ...versions.map(({ language, at }) => alternate(language, at)),
    alternate('x-default', address),
  ].join('');
  return [address, ...versions.map(({ at }) => at)].map(
    (at) => `<url><loc>${escaped(at)}</loc>${alternates}</url>`,
  );
};

/** `addresses`: absolute, without language. */
export const sitemapOf = (addresses: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...addresses.flatMap(entriesOf),
    '</urlset>',
    '',
  ].join('\n');
