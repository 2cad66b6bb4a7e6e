/** `/card/{member_token}`: a loyalty card, to whoever holds its link. */
import { getCard } from '../../../loyalty/app/card-view.ts';
import { pastOrders } from '../../../orders/app/past-orders.ts';
import { salesOf } from '../../../orders/app/sales.ts';
import { activeBranches, getBrand } from '../../../shops/app/shop.ts';
import type { ReplyOf } from '../../../platform/contract/endpoint.ts';
import type { getBrand as brandContract } from '../../../shops/contract/shop.ts';
import { CardView, type CardProps } from '../components/card/card-view.tsx';
import { Frame } from '../components/frame.tsx';
import { Icon } from '../components/icon.tsx';
import { translated } from '../components/names.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { cardpage as messages } from '../messages/compiled/cardpage.ts';
import { frame } from '../messages/compiled/frame.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf } from '../shop-frame.ts';

type Brand = ReplyOf<typeof brandContract>;

const ignore = (): void => undefined;

const CardPage = ({ brand, island }: { readonly brand: Brand; readonly island: CardProps }) => {
  const t = useMessages(messages);
  const around = useMessages(frame);
  const { language } = useReader();
  return (
    <Frame shop={shopFrameOf(brand, language)}>
      <div class="loyalty">
        <div id="island">
          <CardView
            {...{ ...island, isAlive: false, notice: null, said: null }}
            {...{ onAgain: ignore, onPreferences: ignore, onEnlarge: ignore, onVoucher: ignore }}
          />
        </div>
        <noscript>
          <p class="notice">
            <Icon name="code" />
            <span>
              {t.noScript} <a href="">{around.refresh}</a>
            </span>
          </p>
        </noscript>
      </div>
    </Frame>
  );
};

/** Of what is drawn at once: 60 lines weigh as much as the rest of the page. */
const MAX_ENTRIES = 40;
const MAX_ORDERS = 15;

/** A shop without a branch is in Egypt, as most are. */
const HOME_ZONE = 'Africa/Cairo';

export const cardPage: Page = {
  endpoint: pageEndpoint('cardPage', '/card/{member_token}', {
    cache: 'no-store',
    limit: 'booking_and_loyalty_reads',
  }),
  handler: (parts) => async (input) => {
    const { app } = parts;
    const path = { member_token: input.path['member_token'] ?? '' };
    const card = await getCard(app, salesOf)({ path });
    const { orders } = await pastOrders(app)({ path });
    const { body: brand } = await getBrand(app)({ query: { slug: card.brand.slug } });
    const { body: branches } = await activeBranches(app)(brand.org_id);
    const reader = readerOf(input, brand);
    const island: CardProps = {
      card: {
        ...card,
        entries: card.entries.slice(0, MAX_ENTRIES),
        has_older_entries: card.has_older_entries || card.entries.length > MAX_ENTRIES,
      },
      ...{ orders: orders.slice(0, MAX_ORDERS), slug: card.brand.slug },
      zone: branches[0]?.zone ?? HOME_ZONE,
    };
    return shopDocument(parts, input, brand, {
      reader,
      canonical: null,
      title: messages[reader.language].title({ shop: translated(reader.language, brand) }),
      styles: ['loyalty'],
      body: <CardPage brand={brand} island={island} />,
      island: { name: 'card', props: island },
    });
  },
};
