import type { Uuid } from '../domain/ids.ts';
import { shopNamed } from '../store/shopfile.ts';
import type { App } from './app.ts';
import { UnknownShop } from './shopfile/importing.ts';

/** The shop that an operator names by its address name, an old one too, switched off or not. Throws UnknownShop. */
export const orgNamed = async ({ db }: Pick<App, 'db'>, slug: string): Promise<Uuid> => {
  const orgId = await shopNamed(db.kysely, slug.trim().toLowerCase());
  if (orgId === null) throw new UnknownShop(slug);
  return orgId;
};
