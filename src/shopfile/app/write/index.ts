/** From a shop's rows to the file that describes them: every id given, archived things left out. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ShopRows } from '../../store/tables.ts';
import { writtenText } from '../localized.ts';
import { writeBranches } from './branch.ts';
import { writeMenu } from './menu.ts';
import { writeBrake, writeBrand, writeLinks, writeLoyalty, writePaymentMethods } from './shop.ts';
import { writeStaff } from './staff.ts';
import { given, listed, unless, writingOf } from './writing.ts';

/** `slugs` are all address names the shop ever had. The shop must exist. */
export const writeShopFile = (shopId: Uuid, rows: ShopRows, slugs: readonly string[]): ShopFile => {
  const shop = rows.shop[0];
  if (shop === undefined) throw new RangeError(`There are no rows of the shop ${shopId}.`);
  const writing = writingOf(rows, shopId);
  return {
    format: 1,
    id: shopId,
    slug: shop.slug,
    ...listed('former_slugs', slugs.filter((slug) => slug !== shop.slug).sort()),
    name: writtenText(shop.name, shop.name_translations, writing.main),
    main_language: writing.main,
    ...unless(true, 'active', shop.is_active),
    ...given('digits', shop.digits === 'arab' ? ('arab' as const) : null),
    ...given('payment_methods', writePaymentMethods(shop)),
    ...given('order_brake', writeBrake(shop)),
    ...given('brand', writeBrand(shop)),
    ...given('links', writeLinks(writing, shop)),
    ...given('loyalty', writeLoyalty(writing)),
    branches: writeBranches(writing),
    staff: writeStaff(writing),
    menu: writeMenu(writing),
  };
};
