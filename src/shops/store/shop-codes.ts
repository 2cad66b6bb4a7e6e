import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { ShopCode } from '../../kernel/shop-code.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

export const shopWithCode = async (db: Db, code: ShopCode): Promise<Uuid | null> => {
  const row = await db.selectFrom('shop_code').select('org_id').where('code', '=', code).executeTakeFirst();
  return row?.org_id ?? null;
};

export const codeOfShop = async (db: Db, orgId: Uuid): Promise<ShopCode | null> => {
  const row = await db.selectFrom('shop_code').select('code').where('org_id', '=', orgId).executeTakeFirst();
  return row?.code ?? null;
};

/** Nothing is written where another shop has the code. */
export const takeShopCode = async (tx: Db, orgId: Uuid, code: ShopCode): Promise<void> => {
  await tx
    .insertInto('shop_code')
    .values({ code, org_id: orgId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
