import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { shopNamed } from '../../shopfile/store/shopfile.ts';
import type { Database } from '../../platform/store/schema.ts';

/** No shop has this address name. */
export class UnknownShop extends Error {
  override readonly name = 'UnknownShop';

  constructor(slug: string) {
    super(`There is no shop with the address name ‘${slug}’.`);
  }
}

/** Outside of a transaction, or inside one. */
interface Asking {
  readonly db: { readonly kysely: Kysely<Database> };
}

/** The shop that an operator names by its address name, an old one too, switched off or not. Throws UnknownShop. */
export const orgNamed = async ({ db }: Asking, slug: string): Promise<Uuid> => {
  const orgId = await shopNamed(db.kysely, slug.trim().toLowerCase());
  if (orgId === null) throw new UnknownShop(slug);
  return orgId;
};
