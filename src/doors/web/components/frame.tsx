/** What stands around the content of every page: the shop's name and logo, the language, the foot. */
import type { ComponentChildren } from 'preact';
import type { Language } from '../../../kernel/names.ts';
import { frame } from '../messages/compiled/frame.ts';
import { Icon } from './icon.tsx';
import { Picture } from './picture.tsx';
import { useMessages, useReader } from './reader.ts';

export interface ShopFrame {
  readonly name: string;
  readonly slug: string;
  readonly logoUrl: string | null;
  /** Painted in the colour of the text. */
  readonly isMark: boolean;
}

const OTHER: Readonly<Record<Language, { readonly language: Language; readonly name: string }>> = {
  ar: { language: 'en', name: 'English' },
  en: { language: 'ar', name: 'العربية' },
};

/** Opens the same page in the other language. `query`: what the page keeps of its address. */
const LanguageLink = ({ query }: { readonly query: string }) => {
  const { language, name } = OTHER[useReader().language];
  return (
    <a class="language" href={`?${query}lang=${language}`} hreflang={language} lang={language}>
      <Icon name="globe" />
      {name}
    </a>
  );
};

export const Logo = ({ shop, size }: { readonly shop: ShopFrame; readonly size: number }) => (
  <Picture
    address={shop.logoUrl}
    alt=""
    width={size}
    height={size}
    class={shop.isMark ? 'logo mark' : 'logo'}
    isFirst
  />
);

const FrameHead = ({ shop, query }: { readonly shop: ShopFrame | null; readonly query: string }) => (
  <header class="head">
    {shop === null ? (
      <a class="home" href="/">
        Ahwa
      </a>
    ) : (
      <a class="home" href={`/${shop.slug}`}>
        <Logo shop={shop} size={36} />
        <bdi>{shop.name}</bdi>
      </a>
    )}
    <LanguageLink query={query} />
  </header>
);

interface FrameProps {
  /** Null: the page belongs to no shop. */
  readonly shop: ShopFrame | null;
  /** Query text that the language link keeps, such as `branch=…&`. */
  readonly query?: string;
  readonly children: ComponentChildren;
}

export const Frame = ({ shop, query = '', children }: FrameProps) => {
  const t = useMessages(frame);
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <FrameHead shop={shop} query={query} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <p>
          {t.madeWith} <a href="/">Ahwa</a>
        </p>
      </footer>
    </>
  );
};
