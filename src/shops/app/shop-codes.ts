/** The codes of shops, which ids and tokens carry. A code leads to one shop for good. */
import { LRUCache } from 'lru-cache';
import type { Kysely } from 'kysely';
import { shopScope } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { CODE_BYTES, ID_BYTES, idOfShop, shopCodeOf, type ShopCode } from '../../kernel/shop-code.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangePublisher } from '../../platform/app/changes/change-publisher.ts';
import type { Random } from '../../ports.ts';
import type { Database } from '../../platform/store/schema.ts';
import { codeOfShop, shopWithCode, takeShopCode } from '../store/shop-codes.ts';

/** Beyond them, the shop that was not used for longest is looked up again. */
const MAX_SHOPS = 20_000;

type Db = Kysely<Database>;

/** Of a new shop; drawn again where another shop has it. A shop that has one keeps it. */
export const giveShopCode = async (tx: Db, random: Pick<Random, 'bytes'>, orgId: Uuid): Promise<void> => {
  while ((await codeOfShop(tx, orgId)) === null)
    await takeShopCode(tx, orgId, shopCodeOf(random.bytes(CODE_BYTES)));
};

/** What this process has read. A shop that was removed, and has come back since, may have another code. */
export class ShopCodes {
  readonly #shops = new LRUCache<ShopCode, Uuid>({ max: MAX_SHOPS });
  readonly #codes = new LRUCache<Uuid, ShopCode>({ max: MAX_SHOPS });

  constructor(changes: Pick<ChangePublisher, 'subscribe'>) {
    changes.subscribe({
      changed: ({ orgId, scopes }) => {
        if (scopes.includes(shopScope)) this.#codes.delete(orgId);
      },
      missed: () => this.#codes.clear(),
    });
  }

  /** Null: no shop has the code. */
  async shopOf(db: Db, code: ShopCode): Promise<Uuid | null> {
    const orgId = this.#shops.get(code) ?? (await shopWithCode(db, code));
    if (orgId !== null) this.#shops.set(code, orgId);
    return orgId;
  }

  async codeOf(db: Db, orgId: Uuid): Promise<ShopCode> {
    const code = this.#codes.get(orgId) ?? (await codeOfShop(db, orgId));
    if (code === null) throw new Error(`The shop ${orgId} has no code.`);
    this.#codes.set(orgId, code);
    return code;
  }
}

/** A new id that carries its shop. */
export const newIdOf = async (
  { db, random, shopCodes }: Pick<App, 'db' | 'random' | 'shopCodes'>,
  orgId: Uuid,
): Promise<Uuid> => idOfShop(await shopCodes.codeOf(db.kysely, orgId), random.bytes(ID_BYTES));

declare module '../../platform/app/app.ts' {
  interface App {
    readonly shopCodes: ShopCodes;
  }
}
