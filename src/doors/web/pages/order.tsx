/** `/{slug}/order`: branch and channel first, then the channel's menu with cart and checkout. */
import { combineAnswers, type Answer } from '../../../platform/app/answer.ts';
import { addDays, earliest, localDateOf, resolveStart, type Instant } from '../../../kernel/time.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import { getJoinInfo } from '../../../loyalty/app/join-info.ts';
import { getBranchMenu } from '../../../menu/app/menu.ts';
import { isDeliveryRef } from '../../../orders/domain/reference.ts';
import { activeBranches, getBrand, listBranches } from '../../../shops/app/shop.ts';
import type { getBrand as brandContract } from '../../../shops/contract/shop.ts';
import type { Branch, OnlineChannel } from '../../../shops/domain/shop.ts';
import { wayQuery } from '../components/again-address.ts';
import type { Menu } from '../components/deal-text.ts';
import { telephone } from '../components/format.ts';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { itemHref } from '../components/item-address.ts';
import { MenuSections, Offers, SearchButton, SectionLinks, sectionsOf } from '../components/menu-list.tsx';
import { translated } from '../components/names.ts';
import {
  CARD_PLACE,
  CHANNEL_ICONS,
  type ChoiceIslandProps,
  type OrderBranch,
  type OrderIslandProps,
} from '../components/order.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { channels } from '../messages/compiled/channels.ts';
import { menu as menuMessages } from '../messages/compiled/menu.ts';
import { order } from '../messages/compiled/order.ts';
import { ordering } from '../messages/compiled/ordering.ts';
import { pageEndpoint, type Page, type PageInput, type PageParts } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf, slugIn } from '../shop-frame.ts';
import { manifestAddress } from './manifest.ts';
import { offered, Opening, OrderChoice } from './order-choice.tsx';

interface Chosen {
  readonly branch: OrderBranch;
  readonly channel: OnlineChannel;
  readonly menu: Menu;
}

interface OrderShown {
  readonly brand: ReplyOf<typeof brandContract>;
  readonly branches: readonly OrderBranch[];
  readonly places: readonly Branch[];
  /** A loyalty programme that a guest can join. */
  readonly hasProgramme: boolean;
  /** Null: still to be chosen. */
  readonly chosen: Chosen | null;
  /** Reference of the earlier order that is ordered again; null: none. */
  readonly again: string | null;
  readonly now: number;
}

interface Way {
  readonly branch: OrderBranch;
  readonly channel: OnlineChannel;
}

const waysOf = (branches: readonly OrderBranch[]): readonly Way[] =>
  branches.flatMap((branch) => offered(branch).map((channel) => ({ branch, channel })));

/** The way that the address names; of a shop with one way that one. Null: to be chosen. */
const wayOf = (branches: readonly OrderBranch[], { query }: PageInput): Way | null => {
  const ways = waysOf(branches);
  const named = ways.find(
    ({ branch, channel }) => branch.id === query['branch']?.toLowerCase() && channel === query['channel'],
  );
  return named ?? (ways.length === 1 ? (ways[0] ?? null) : null);
};

const againIn = ({ query: { again } }: PageInput): string | null =>
  again !== undefined && isDeliveryRef(again) ? again : null;

/** The end of the day at a branch. */
const midnightAt = ({ timezone }: OrderBranch, now: Instant): Instant =>
  resolveStart(timezone, addDays(localDateOf(timezone, now), 1), 0);

const readOrder = async ({ app }: PageParts, input: PageInput): Promise<Answer<OrderShown>> => {
  const brand = await getBrand(app)({ query: { slug: slugIn(input) } });
  const orgId = brand.body.org_id;
  const [branches, places, joining] = [
    await listBranches(app)({ query: { org_id: orgId } }),
    await activeBranches(app)(orgId),
    await getJoinInfo(app)({ query: { org_id: orgId } }),
  ];
  const way = wayOf(branches.body, input);
  const now = app.clock.now();
  const hasProgramme = joining.body.enabled;
  const common = {
    ...{ brand: brand.body, branches: branches.body, places: places.body },
    ...{ hasProgramme, again: againIn(input), now },
  };
  // An opening tomorrow is one today after midnight.
  const validUntil = earliest([branches.validUntil, ...branches.body.map((each) => midnightAt(each, now))]);
  const listed = { ...branches, validUntil };
  if (way === null) return combineAnswers({ ...common, chosen: null }, brand, listed, places, joining);
  const { branch, channel } = way;
  const menu = await getBranchMenu(app)({ path: { id: branch.id }, query: { channel, preview: true } });
  const chosen = { branch, channel, menu: menu.body };
  return combineAnswers({ ...common, chosen }, brand, listed, places, joining, menu);
};

const hasOtherWays = ({ branches }: OrderShown): boolean => waysOf(branches).length > 1;

const phoneOf = ({ places }: OrderShown, { branch }: Way): string | null =>
  places.find(({ id }) => id === branch.id)?.phone ?? null;

/** What was chosen, and the way to choose again. */
const WayLine = ({ shown, chosen }: { readonly shown: OrderShown; readonly chosen: Chosen }) => {
  const { language } = useReader();
  const names = useMessages(channels);
  const t = useMessages(ordering);
  const { branch, channel } = chosen;
  return (
    <p class="way-line">
      <Icon name={CHANNEL_ICONS[channel]} />
      <span>
        <b>{names[channel]}</b>
        {' · '}
        <bdi>{translated(language, branch)}</bdi>
        {' · '}
        <span class="muted">
          <Opening {...{ branch, channel, now: shown.now }} />
        </span>
      </span>
      {hasOtherWays(shown) && (
        <a href="?">
          {t.change}
          <span class="visually-hidden"> {t.changeLabel}</span>
        </a>
      )}
    </p>
  );
};

interface NoScriptProps extends Pick<OrderShown, 'again'> {
  readonly phone: string | null;
}

const NoScript = ({ phone, again }: NoScriptProps) => {
  const t = useMessages(ordering);
  const { call } = useMessages(order);
  return (
    <noscript>
      <div class="notice">
        <Icon name="phone" />
        <div>
          <p>{t.noScript}</p>
          {again !== null && (
            <p>
              {t.noScriptAgain}{' '}
              <b class="price">
                <bdi dir="ltr">{again}</bdi>
              </b>
            </p>
          )}
          {phone !== null && (
            <p class="actions">
              <a class="button quiet" href={telephone(phone)}>
                {call} <bdi dir="ltr">{phone}</bdi>
              </a>
            </p>
          )}
        </div>
      </div>
    </noscript>
  );
};

const OrderMenu = ({ shown, chosen }: { readonly shown: OrderShown; readonly chosen: Chosen }) => {
  const t = useMessages(ordering);
  const words = useMessages(menuMessages);
  const { language } = useReader();
  const { branch, channel, menu } = chosen;
  const sections = sectionsOf(menu, useReader());
  return (
    <div class="menu order">
      <h1>{t.title({ shop: translated(language, shown.brand) })}</h1>
      <WayLine {...{ shown, chosen }} />
      {!branch[`${channel}_open_now`] && (
        <p class="notice">
          <Icon name="clock" />
          {t.closedNotice}
        </p>
      )}
      <div id={CARD_PLACE} class="card-way" hidden />
      <NoScript phone={phoneOf(shown, chosen)} again={shown.again} />
      {sections.length === 0 && (
        <section class="state">
          <Icon name="menu" />
          <h2>{words.empty}</h2>
          <p>{words.emptyHint}</p>
        </section>
      )}
      <div class="bar">
        <SectionLinks sections={sections} />
        <div id="island">
          <SearchButton />
        </div>
      </div>
      <Offers menu={menu} />
      <MenuSections
        {...{ menu, sections }}
        hrefOf={({ id }) => itemHref(`/${shown.brand.slug ?? ''}/menu`, id, `?branch=${branch.id}`)}
      />
    </div>
  );
};

const OrderView = ({ shown }: { readonly shown: OrderShown }) => {
  const { language } = useReader();
  const { chosen, again } = shown;
  const query =
    chosen === null ? '' : `${wayQuery({ branchId: chosen.branch.id, channel: chosen.channel, again })}&`;
  return (
    <Frame shop={shopFrameOf(shown.brand, language)} query={query}>
      {chosen === null ? <OrderChoice {...shown} /> : <OrderMenu {...{ shown, chosen }} />}
    </Frame>
  );
};

const choiceIslandOf = ({ brand, branches }: OrderShown) => ({
  name: 'order-choice',
  props: {
    orgId: brand.org_id,
    slug: brand.slug ?? '',
    branches: branches.map(({ id, name, name_translations }) => ({ id, name, name_translations })),
  } satisfies ChoiceIslandProps,
});

const islandOf = (shown: OrderShown, chosen: Chosen) => ({
  name: 'order',
  props: {
    orgId: shown.brand.org_id,
    slug: shown.brand.slug ?? '',
    branch: chosen.branch,
    branchPhone: phoneOf(shown, chosen),
    channel: chosen.channel,
    hasOtherWays: hasOtherWays(shown),
    hasProgramme: shown.hasProgramme,
  } satisfies OrderIslandProps,
});

export const orderPage: Page = {
  endpoint: pageEndpoint('orderPage', '/{slug}/order', {
    query: ['branch', 'channel', 'again'],
    limit: 'ordering_reads',
  }),
  handler: (parts) => async (input) => {
    const answer = await readOrder(parts, input);
    const { brand, chosen } = answer.body;
    const reader = readerOf(input, brand);
    const body = shopDocument(parts, input, brand, {
      reader,
      title: ordering[reader.language].title({ shop: translated(reader.language, brand) }),
      canonical: `/${brand.slug ?? ''}/order`,
      styles: chosen === null ? ['order'] : ['menu', 'order'],
      body: <OrderView shown={answer.body} />,
      island: chosen === null ? choiceIslandOf(answer.body) : islandOf(answer.body, chosen),
      manifest: manifestAddress(brand, reader.language),
    });
    return { ...answer, body };
  },
};
