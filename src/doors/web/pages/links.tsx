/** `/{slug}`: the shop's links page, complete without script. */
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { getLinks } from '../../../shops/app/shop.ts';
import type { getLinks as contract } from '../../../shops/contract/shop.ts';
import { telephone } from '../components/format.ts';
import { Frame, Logo } from '../components/frame.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { taglineIn, textIn, translated } from '../components/names.ts';
import { Picture } from '../components/picture.tsx';
import { useMessages, useReader } from '../components/reader.ts';
import { links } from '../messages/compiled/links.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { manifestAddress } from './manifest.ts';
import { shopSitemapAddress } from './shop-sitemap.ts';
import { readerOf, shopDocument, shopFrameOf, slugIn } from '../shop-frame.ts';
import { restaurantOf } from '../structured-data.ts';

type LinksReply = ReplyOf<typeof contract>;
type Item = LinksReply['items'][number];
type Branch = LinksReply['branches'][number];

const ICONS: Readonly<Record<Item['kind'], IconName>> = {
  ...{ order: 'bag', menu: 'menu', rewards: 'gift', book: 'calendar', custom: 'link' },
};

/** What the button leads to, in a few words; null: its title says it. */
const useHint = (item: Item, { loyalty_mode: mode, branches }: LinksReply): string | null => {
  const t = useMessages(links);
  const { language } = useReader();
  if (item.kind === 'order') return item.channels.map((channel) => t[channel]).join(' · ');
  if (item.kind === 'rewards') return mode == null ? null : t[mode];
  if (item.kind !== 'book' || item.branch_names.length === 0) return null;
  const named = item.branch_names.map((name) => branches.find((branch) => branch.name === name));
  return item.branch_names
    .map((name, at) => (named[at] === undefined ? name : translated(language, named[at])))
    .join(' · ');
};

const titleOf = (t: (typeof links)['ar' | 'en'], language: 'ar' | 'en', item: Item): string => {
  if (item.kind !== 'custom') return t[item.kind];
  const titles = { ar: item.title_ar, en: item.title_en };
  return titles[language] ?? item.title_ar ?? item.title_en ?? item.href;
};

const LinkButton = ({ item, page }: { readonly item: Item; readonly page: LinksReply }) => {
  const t = useMessages(links);
  const { language } = useReader();
  const hint = useHint(item, page);
  const href = item.path == null ? item.href : `/${page.brand.slug ?? ''}${item.path}`;
  return (
    <li>
      <a
        class={item.kind === 'order' ? 'tile main' : 'tile'}
        href={href}
        {...(item.kind === 'custom' ? { rel: 'noopener nofollow ugc' } : {})}
      >
        <Icon name={ICONS[item.kind]} />
        <span>
          <bdi>{titleOf(t, language, item)}</bdi>
          {hint !== null && hint !== '' && <small>{hint}</small>}
        </span>
        <Icon name="forward" />
      </a>
    </li>
  );
};

const BranchCard = ({ branch }: { readonly branch: Branch }) => {
  const t = useMessages(links);
  const { language } = useReader();
  const name = translated(language, branch);
  const address = textIn(language, branch.address, branch.address_translations);
  return (
    <li class="card branch">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {address != null && (
        <p class="muted">
          <bdi>{address}</bdi>
        </p>
      )}
      <p class="actions">
        {branch.directions_url != null && (
          <a class="button quiet" href={branch.directions_url} rel="noopener">
            <Icon name="pin" />
            {t.directions}
            <span class="visually-hidden">{t.toBranch({ branch: name })}</span>
          </a>
        )}
        {branch.phone != null && (
          <a class="button quiet" href={telephone(branch.phone)}>
            <Icon name="phone" />
            <span class="visually-hidden">{t.callBranch({ branch: name })}</span>
            <bdi dir="ltr">{branch.phone}</bdi>
          </a>
        )}
      </p>
    </li>
  );
};

const LinksPage = ({ page }: { readonly page: LinksReply }) => {
  const t = useMessages(links);
  const { language } = useReader();
  const shop = shopFrameOf(page.brand, language);
  const tagline = taglineIn(language, page);
  return (
    <Frame shop={shop}>
      <div class="links">
        <section class="hero">
          <Picture
            class="cover"
            address={page.cover_image_url}
            alt=""
            width={1200}
            height={675}
            sizes="(min-width: 45rem) 45rem, 100vw"
            isFirst
          />
          <Logo shop={shop} size={88} />
          <h1>
            <bdi>{shop.name}</bdi>
          </h1>
          {tagline !== null && (
            <p class="tagline">
              <bdi>{tagline}</bdi>
            </p>
          )}
        </section>
        <nav aria-label={t.links({ shop: shop.name })}>
          <ul class="tiles">
            {page.items.map((item) => (
              <LinkButton key={item.href} item={item} page={page} />
            ))}
          </ul>
        </nav>
        {page.branches.length > 0 && (
          <section aria-labelledby="branches">
            <h2 id="branches">{t.branches}</h2>
            <ul class="cards">
              {page.branches.map((branch) => (
                <BranchCard key={branch.id} branch={branch} />
              ))}
            </ul>
          </section>
        )}
        {page.socials.length > 0 && (
          <section aria-labelledby="follow">
            <h2 id="follow">{t.follow}</h2>
            <ul class="socials">
              {page.socials.map((social) => (
                <li key={social.url}>
                  <a class="button quiet" href={social.url} rel="me noopener">
                    <bdi>{social.label}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Frame>
  );
};

export const linksPage: Page = {
  endpoint: pageEndpoint('linksPage', '/{slug}'),
  handler: (parts) => async (input) => {
    const answer = await getLinks(parts.app)({ query: { slug: slugIn(input) } });
    const { brand } = answer.body;
    const reader = readerOf(input, brand);
    const tagline = taglineIn(reader.language, answer.body);
    const body = shopDocument(parts, input, brand, {
      reader,
      title: translated(reader.language, brand),
      ...(tagline === null ? {} : { description: tagline }),
      canonical: `/${brand.slug ?? ''}`,
      styles: ['links'],
      body: <LinksPage page={answer.body} />,
      structuredData: restaurantOf(parts, answer.body, reader),
      manifest: manifestAddress(brand, reader.language),
      sitemap: shopSitemapAddress(brand.slug ?? ''),
    });
    return { ...answer, body };
  },
};
