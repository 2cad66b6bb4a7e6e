/** Converts a shop's rows into a file: with every id, without archived entities. */
import type { ShopFile } from '../../contract/shopfile.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ShopRows } from '../../store/tables.ts';
import { fieldsFrom, inContractOrder } from '../fields.ts';
import { toLocalText } from '../localized.ts';
import { writeBranches } from './branch.ts';
import { writeLoyalty } from './loyalty.ts';
import { writeMenu } from './menu.ts';
import { writeBrand, writeLinks, writePaymentMethods } from './shop.ts';
import { writeStaff } from './staff.ts';
import { ifPresent, ifNotEmpty, writeContextOf } from './context.ts';

/** `slugs`: all current and former slugs. Throws RangeError without a shop row. */
export const writeShopFile = (shopId: Uuid, rows: ShopRows, slugs: readonly string[]): ShopFile => {
  const shop = rows.shop[0];
  if (shop === undefined) throw new RangeError(`There are no rows of the shop ${shopId}.`);
  const context = writeContextOf(rows, shopId);
  const fields = fieldsFrom('shop', shop);
  return inContractOrder('shop', {
    ...fields,
    format: 1,
    id: shopId,
    slug: shop.slug,
    ...ifNotEmpty('former_slugs', slugs.filter((slug) => slug !== shop.slug).sort()),
    name: toLocalText(shop.name, shop.name_translations, context.main),
    main_language: context.main,
    ...ifPresent('digits', shop.digits === 'arab' ? ('arab' as const) : null),
    ...ifPresent('payment_methods', writePaymentMethods(shop)),
    ...ifPresent('brand', writeBrand(shop, fields.brand)),
    ...ifPresent('links', writeLinks(context, fields.links)),
    ...ifPresent('loyalty', writeLoyalty(context)),
    branches: writeBranches(context),
    staff: writeStaff(context),
    menu: writeMenu(context),
  });
};
