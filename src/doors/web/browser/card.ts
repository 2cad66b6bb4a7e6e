/** The token of the guest's loyalty card at a shop, which the pages of the card keep. */
import { local, readStored, store } from './storage.ts';

const keyOf = (slug: string): string => `ahwa-card ${slug}`;

/** Null: none. */
export const readCard = (slug: string): string | null => {
  const kept = readStored(local, keyOf(slug));
  return typeof kept === 'string' ? kept : null;
};

export const keepCard = (slug: string, token: string): void => store(local, keyOf(slug), token);

/** A token that the server does not know any more. */
export const forgetCard = (slug: string): void => store(local, keyOf(slug), null);
