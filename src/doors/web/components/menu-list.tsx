/** The sections of a menu with their items: each item is a link, with or without script. */
import type { VNode } from 'preact';
import { menu } from '../messages/compiled/menu.ts';
import { dealsOf, dealText, discountText, singlePrice, type Menu, type MenuItem } from './deal-text.ts';
import { Icon } from './icon.tsx';
import { textIn, translated, useName } from './names.ts';
import { pictureAt } from './picture.tsx';
import { Price } from './price.tsx';
import { useMessages, useReader, type Reader } from './reader.ts';

/** What the script of a menu page needs: the items themselves come from the API. */
export interface MenuIslandProps {
  readonly branchId: string;
  /** Of the items' pages. */
  readonly menuPath: string;
  /** `?branch=…` or empty. */
  readonly query: string;
  /** Null: nothing can be ordered online. */
  readonly orderPath: string | null;
}

export interface Section {
  /** The anchor of its heading: short, because a menu has it five times. */
  readonly id: string;
  readonly name: string;
  readonly items: readonly MenuItem[];
}

/** The categories that have items, in the shop's order; items of no category come last. */
export const sectionsOf = (menuOnSale: Menu, { language }: Reader): readonly Section[] => {
  const sections = menuOnSale.categories.map((category) => ({
    name: translated(language, category),
    items: menuOnSale.items.filter((item) => item.category_id === category.id),
  }));
  const others = menuOnSale.items.filter((item) => item.category_id == null);
  return [...sections, { name: menu[language].menu, items: others }]
    .filter(({ items }) => items.length > 0)
    .map((section, at) => ({ id: `s${at + 1}`, ...section }));
};

export const SectionLinks = ({ sections }: { readonly sections: readonly Section[] }) => {
  const t = useMessages(menu);
  return (
    <nav class="sections" aria-label={t.categories}>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`}>
              <bdi>{section.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Of the sticky bar; without script it is not shown. */
export const SearchButton = ({ onClick }: { readonly onClick?: () => void }) => {
  const t = useMessages(menu);
  return (
    <button type="button" class="search-open" {...(onClick === undefined ? {} : { onClick })}>
      <Icon name="search" />
      <span class="visually-hidden">{t.search}</span>
    </button>
  );
};

/** From-price, and the price that a deal on single units has replaced. */
export const ItemPrice = ({ item, on }: { readonly item: MenuItem; readonly on: Menu }) => {
  const t = useMessages(menu);
  const cheapest = item.sizes.find(({ price }) => price === item.price);
  const deal = singlePrice(on, item, item.price, cheapest?.label);
  const isFrom = new Set(item.sizes.map(({ price }) => price)).size > 1;
  return (
    <>
      {isFrom && <span class="muted">{t.from} </span>}
      {deal === null ? <Price amount={item.price} /> : <Price amount={deal} before={item.price} />}
    </>
  );
};

interface ItemLinkProps {
  readonly item: MenuItem;
  readonly on: Menu;
  readonly href: string;
  /** Seen at once. */
  readonly isFirst: boolean;
}

/** Names and descriptions are isolated by the stylesheet: a menu has hundreds of them. */
const ItemLink = ({ item, on, href, isFirst }: ItemLinkProps) => {
  const reader = useReader();
  const nameOf = useName();
  const description = textIn(reader.language, item.description, item.description_translations);
  const picture = pictureAt(item.image_url, 192);
  const [deal] = dealsOf(on, item);
  return (
    <li>
      <a class="item" href={href}>
        <span>
          <b>{nameOf(item)}</b>
          {description != null && description !== '' && <small>{description}</small>}
          <span>
            <ItemPrice item={item} on={on} />
            {deal !== undefined && <em>{dealText(reader, deal)}</em>}
          </span>
        </span>
        {picture !== null && (
          <img src={picture} alt="" width="88" height="88" {...(isFirst ? {} : { loading: 'lazy' })} />
        )}
      </a>
    </li>
  );
};

/** Pictures of the first items are loaded at once. */
const FIRST = 4;

interface MenuSectionsProps {
  readonly menu: Menu;
  readonly sections: readonly Section[];
  readonly hrefOf: (item: MenuItem) => string;
  /** Drawn at the end of each section. */
  readonly after?: (section: Section) => VNode;
}

export const MenuSections = ({ menu: on, sections, hrefOf, after }: MenuSectionsProps) => (
  <>
    {sections.map((section, at) => (
      <section key={section.id} class="section" aria-labelledby={section.id}>
        <h2 id={section.id}>
          <bdi>{section.name}</bdi>
        </h2>
        <ul class="items">
          {section.items.map((item, index) => (
            <ItemLink
              key={item.id}
              {...{ item, on }}
              href={hrefOf(item)}
              isFirst={at === 0 && index < FIRST}
            />
          ))}
        </ul>
        {after?.(section)}
      </section>
    ))}
  </>
);

/** What is on offer, before the items. */
export const Offers = ({ menu: on }: { readonly menu: Menu }) => {
  const reader = useReader();
  const t = useMessages(menu);
  const nameOf = useName();
  if (on.deals.length === 0 && on.discount == null) return null;
  return (
    <section class="offers" aria-labelledby="offers">
      <h2 id="offers">{t.deals}</h2>
      <ul tabIndex={0} aria-labelledby="offers">
        {on.discount != null && (
          <li class="card">
            <Icon name="tag" />
            <span>
              <b>
                <bdi>{nameOf(on.discount)}</bdi>
              </b>
              <small>{discountText(reader, on.discount)}</small>
            </span>
          </li>
        )}
        {on.deals.map((deal) => (
          <li key={deal.id} class="card">
            <Icon name="tag" />
            <span>
              <b>
                <bdi>{nameOf(deal)}</bdi>
              </b>
              <small>{dealText(reader, deal)}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
