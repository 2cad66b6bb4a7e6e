/** `/{slug}/menu/{item}`: one item as a page of its own. */
import { parseId } from '../../../kernel/ids.ts';
import { nameIn } from '../../../kernel/names.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { isItemOf } from '../../../menu/app/menu.ts';
import { Frame } from '../components/frame.tsx';
import type { MenuItem } from '../components/deal-text.ts';
import { Icon } from '../components/icon.tsx';
import { ItemDetails } from '../components/item-details.tsx';
import { textIn, translated } from '../components/names.ts';
import { useMessages, useReader } from '../components/reader.ts';
import { menu as messages } from '../messages/compiled/menu.ts';
import { pageEndpoint, type Page } from '../page.ts';
import { readerOf, shopDocument, shopFrameOf, slugIn } from '../shop-frame.ts';
import { itemData } from '../structured-data.ts';
import {
  BranchChoice,
  branchQuery,
  itemAddress,
  keptQuery,
  PriceNotes,
  readBranchMenu,
  type BranchMenu,
} from './menu-page.tsx';

const NotNow = () => {
  const t = useMessages(messages);
  return (
    <section class="state">
      <Icon name="clock" />
      <h1>{t.notNow}</h1>
      <p>{t.notNowHint}</p>
    </section>
  );
};

interface ItemPageProps {
  readonly shown: BranchMenu;
  /** Undefined: it is not on the menu now. */
  readonly item: MenuItem | undefined;
}

const ItemPage = ({ shown, item }: ItemPageProps) => {
  const t = useMessages(messages);
  const { language } = useReader();
  const shop = shopFrameOf(shown.page.brand, language);
  const offersOrders = shown.page.items.some(({ kind }) => kind === 'order');
  const hrefOf = ({ id }: MenuItem): string => itemAddress(shown, id);
  return (
    <Frame shop={shop} query={keptQuery(shown)}>
      <div class="menu">
        <a class="back" href={`/${shop.slug}/menu${branchQuery(shown)}`}>
          <Icon name="back" />
          {t.backToMenu}
        </a>
        {item === undefined ? (
          <NotNow />
        ) : (
          <>
            <ItemDetails menu={shown.menu} item={item} hrefOf={hrefOf} headingId="item" />
            <PriceNotes branch={shown.branch} />
          </>
        )}
        <BranchChoice {...shown} />
        {item !== undefined && offersOrders && (
          <p class="sticky">
            <a class="button wide" href={`/${shop.slug}/order`}>
              {t.orderThis}
            </a>
          </p>
        )}
      </div>
    </Frame>
  );
};

export const itemPage: Page = {
  endpoint: pageEndpoint('itemPage', '/{slug}/menu/{item}', { query: ['branch'], limit: 'ordering_reads' }),
  handler: (parts) => async (input) => {
    const itemId = parseId(input.path['item'] ?? '');
    if (itemId === null) throw new Refusal('NOT_FOUND');
    const answer = await readBranchMenu(parts, { slug: slugIn(input) }, input.query['branch']);
    const { page, menu, branch } = answer.body;
    const { brand } = page;
    const reader = readerOf(input, brand);
    const item = menu.items.find(({ id }) => id === itemId);
    if (item === undefined && !(await isItemOf(parts.app)(brand.org_id, itemId)))
      throw new Refusal('NOT_FOUND');
    const name = item === undefined ? messages[reader.language].notNow : translated(reader.language, item);
    const description =
      textIn(reader.language, item?.description, item?.description_translations) ??
      nameIn(reader.language, branch);
    const body = shopDocument(parts, input, brand, {
      reader,
      title: `${name} · ${translated(reader.language, brand)}`,
      description,
      canonical: item === undefined ? null : itemAddress(answer.body, item.id),
      styles: ['menu'],
      body: <ItemPage shown={answer.body} item={item} />,
      ...(item === undefined ? {} : { structuredData: itemData(parts, answer.body, { reader, item }) }),
    });
    return { ...answer, body };
  },
};
