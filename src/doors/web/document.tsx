/** A whole HTML document. Text of shops and guests is escaped, also inside data blocks. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { LANGUAGES, type Language } from '../../kernel/names.ts';
import type { Content } from '../../platform/app/answer.ts';
import { addressIn } from './address.ts';
import type { Assets } from './assets.ts';
import { DataBlock, StructuredData } from './data-block.tsx';
import { ReaderContext, type Reader } from './components/reader.ts';
import { NOT_INDEXED, pageHeaders, rememberLanguage } from './headers.ts';
import { OWN_COLORS, themeStyle, type BrandColors } from './theme.ts';

export interface Site {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly assets: Assets;
}

export interface PageDocument {
  readonly reader: Reader;
  /** The language that the address names: it is remembered. */
  readonly chosen: Language | undefined;
  readonly title: string;
  readonly description?: string;
  /** Null: the page belongs to no shop. */
  readonly colors: BrandColors | null;
  /** Path and query without language; null: a page that search engines do not list. */
  readonly canonical: string | null;
  /** Stylesheets besides that of every page. */
  readonly styles?: readonly string[];
  readonly body: VNode;
  /** The script that makes the page lively, and its data. */
  readonly island?: { readonly name: string; readonly props: unknown };
  /** For search engines (schema.org). */
  readonly structuredData?: object;
  /** Absolute addresses of the preview picture and of the web app manifest. */
  readonly preview?: string;
  readonly manifest?: string;
  /** Default: our own mark. */
  readonly icon?: string | null;
  /** Addresses of the same content in other types, such as `text/markdown`. */
  readonly alternates?: Readonly<Record<string, string>>;
  readonly sitemap?: string;
}

const Alternates = ({ at, chosen }: { readonly at: string; readonly chosen: Language | undefined }) => (
  <>
    <link rel="canonical" href={chosen === undefined ? at : addressIn(at, chosen)} />
    {LANGUAGES.map((language) => (
      <link key={language} rel="alternate" hreflang={language} href={addressIn(at, language)} />
    ))}
    <link rel="alternate" hreflang="x-default" href={at} />
  </>
);

interface Property {
  readonly name: string;
  readonly content: string | undefined;
}

/** What messaging apps show of a link (ogp.me). */
const OpenGraph = ({ page, at }: { readonly page: PageDocument; readonly at: string }) => {
  const properties: readonly Property[] = [
    { name: 'og:type', content: 'website' },
    { name: 'og:title', content: page.title },
    { name: 'og:description', content: page.description },
    { name: 'og:url', content: at },
    { name: 'og:locale', content: page.reader.language === 'ar' ? 'ar_EG' : 'en_GB' },
    { name: 'og:image', content: page.preview },
    { name: 'og:image:width', content: page.preview && '1200' },
    { name: 'og:image:height', content: page.preview && '630' },
    { name: 'twitter:card', content: page.preview && 'summary_large_image' },
  ];
  return (
    <>
      {properties
        .filter(({ content }) => content !== undefined)
        .map(({ name, content }) => (
          <meta key={name} {...{ property: name }} content={content} />
        ))}
    </>
  );
};

const Links = ({ page }: { readonly page: PageDocument }) => (
  <>
    {page.icon == null ? (
      <link rel="icon" type="image/svg+xml" href="/icon.svg" />
    ) : (
      <link rel="icon" href={page.icon} />
    )}
    <link rel="apple-touch-icon" href={page.icon ?? '/apple-touch-icon.png'} />
    {Object.entries(page.alternates ?? {}).map(([type, address]) => (
      <link key={type} rel="alternate" type={type} href={address} />
    ))}
    {page.sitemap !== undefined && <link rel="sitemap" type="application/xml" href={page.sitemap} />}
  </>
);

const Head = ({
  page,
  site,
  theme,
}: {
  readonly page: PageDocument;
  readonly site: Site;
  readonly theme: string;
}) => {
  const { assets, baseUrl } = site;
  const script = page.island === undefined ? null : assets.script(page.island.name);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{page.title}</title>
      <meta name="description" content={page.description ?? page.title} />
      <meta name="color-scheme" content="light dark" />
      <meta name="format-detection" content="telephone=no" />
      <style dangerouslySetInnerHTML={{ __html: theme }} />
      {['base', ...(page.styles ?? [])].map((name) => (
        <link key={name} rel="stylesheet" href={assets.stylesheet(name)} />
      ))}
      {script?.imports.map((address) => (
        <link key={address} rel="modulepreload" href={address} />
      ))}
      {script !== null && <script type="module" src={script.src} />}
      {page.canonical === null ? (
        <meta name="robots" content="noindex, nofollow" />
      ) : (
        <Alternates at={`${baseUrl}${page.canonical}`} chosen={page.chosen} />
      )}
      {page.canonical !== null && <OpenGraph page={page} at={`${baseUrl}${page.canonical}`} />}
      {page.manifest !== undefined && <link rel="manifest" href={page.manifest} />}
      <Links page={page} />
      {page.structuredData !== undefined && <StructuredData data={page.structuredData} />}
    </head>
  );
};

const Body = ({ page }: { readonly page: PageDocument }) => (
  <body>
    {page.body}
    {page.island !== undefined && (
      <DataBlock
        type="application/json"
        id="island-data"
        data={{ reader: page.reader, props: page.island.props }}
      />
    )}
  </body>
);

/** The document and its header lines. */
export const documentOf = (site: Site, page: PageDocument): Content => {
  const { language } = page.reader;
  const theme = themeStyle(page.colors ?? OWN_COLORS);
  const html = renderToString(
    <ReaderContext.Provider value={page.reader}>
      <html lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
        <Head page={page} site={site} theme={theme} />
        <Body page={page} />
      </html>
    </ReaderContext.Provider>,
  );
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>${html}`,
    headers: [
      ...pageHeaders([theme]),
      ...(page.canonical === null ? NOT_INDEXED : []),
      ...(page.chosen === undefined ? [] : rememberLanguage(page.chosen, site.baseUrl.startsWith('https:'))),
    ],
  };
};
