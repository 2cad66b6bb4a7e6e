import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { orgIdBySlug } from '../store/shop.ts';
import type { Database } from '../../platform/store/schema.ts';

export class UnknownShop extends Error {
  override readonly name = 'UnknownShop';

  constructor(slug: string) {
    super(`There is no shop with the address name ‘${slug}’.`);
  }
}

/** An `App` or a transaction. */
interface DatabaseAccess {
  readonly db: { readonly kysely: Kysely<Database> };
}

/** A current or former slug, active or not. Throws UnknownShop. */
export const orgBySlug = async ({ db }: DatabaseAccess, slug: string): Promise<Uuid> => {
  const orgId = await orgIdBySlug(db.kysely, slug.trim().toLowerCase());
  if (orgId === null) throw new UnknownShop(slug);
  return orgId;
};
