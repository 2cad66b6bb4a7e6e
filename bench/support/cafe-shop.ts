/** A café of ./cafe.ts as a shop file, and its carts as bodies of quotes. */
import { derivedId, shopIdOf } from '../../src/shopfile/app/entity-ids.ts';
import type { OrderItemInput } from '../../src/pricing/contract/cart.ts';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import type { Deal, DealPoolEntry } from '../../src/menu/domain/menubook.ts';
import type { Cafe, CafeItem, CafeLine } from './cafe.ts';
import { shopFile } from './shop.ts';

type Menu = ShopFile['menu'];
type ItemInFile = NonNullable<Menu['items']>[number];
type DealInFile = NonNullable<Menu['deals']>[number];

const EXTRAS = ['shot', 'syrup', 'cream'];
const EXTRA_PRICE = 1500;

const itemInFile = ({ id, category, sizes }: CafeItem, index: number): ItemInFile => ({
  key: id,
  name: { ar: `صنف من القائمة رقم ${index}`, en: `Item ${index} of the menu` },
  category,
  ...(sizes.length === 1
    ? { price: sizes[0]?.price ?? 0 }
    : { sizes: sizes.map(({ label, price }) => ({ label, price })) }),
  allowed_addons: EXTRAS,
});

const poolInFile = (pool: readonly DealPoolEntry[]) =>
  pool.map(({ categoryId, menuItemId }) =>
    categoryId === null ? { item: menuItemId } : { category: categoryId },
  );

const dealInFile = ({ id, terms, qty, maxPerOrder, pool, rewardPool }: Deal): DealInFile => ({
  key: id,
  name: { ar: `عرض ${id}`, en: `Offer ${id}` },
  kind: terms.kind,
  qty,
  ...(terms.kind === 'n_for_price'
    ? { price: terms.price }
    : { get_qty: terms.getQty, get_percent: terms.getPercent }),
  ...(maxPerOrder === null ? {} : { max_per_order: maxPerOrder }),
  pool: poolInFile(pool),
  ...(rewardPool.length === 0 ? {} : { reward_pool: poolInFile(rewardPool) }),
});

/** One branch that sells the café's menu on every channel. */
export const cafeShop = (slug: string, { items, deals }: Cafe): ShopFile => ({
  ...shopFile({ slug, items: 0, branches: 1, tables: 0 }),
  menu: {
    categories: [...new Set(items.map(({ category }) => category))].map((key, index) => ({
      key,
      name: { ar: `قسم ${index}`, en: `Category ${index}` },
    })),
    addons: EXTRAS.map((key, index) => ({
      key,
      name: { ar: `إضافة ${index}`, en: `Extra ${index}` },
      type: 'extra' as const,
      price: EXTRA_PRICE,
    })),
    items: items.map(itemInFile),
    deals: deals.map(dealInFile),
  },
});

/** The inputs of lines. Every second one has an add-on, which no deal covers. */
export const inputsOf = (slug: string, lines: readonly CafeLine[]): OrderItemInput[] => {
  const shop = shopIdOf(slug);
  const extra = derivedId(shop, 'addon', shop, { key: 'shot' });
  return lines.map(({ itemId, sizeLabel, quantity, line }) => ({
    menu_item_id: derivedId(shop, 'item', shop, { key: itemId }),
    quantity,
    ...(sizeLabel === '' ? {} : { size_label: sizeLabel }),
    ...(line % 2 === 0 ? { addons: [{ addon_item_id: extra, quantity: 1 }] } : {}),
  }));
};

export const quoteBody = (slug: string, lines: readonly CafeLine[], hints = false): string =>
  JSON.stringify({ channel: 'pickup', items: inputsOf(slug, lines), ...(hints ? { hints } : {}) });
