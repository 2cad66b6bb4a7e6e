/** The token of the guest's loyalty card at a shop, which the pages of the card keep. */
import { ApiError, type Client } from '../../../client/client.ts';
import { local, readStored, store } from './storage.ts';

const keyOf = (slug: string): string => `ahwa-card ${slug}`;

/** Null: none. */
export const readCard = (slug: string): string | null => {
  const kept = readStored(local, keyOf(slug));
  return typeof kept === 'string' ? kept : null;
};

export const keepCard = (slug: string, token: string): void => store(local, keyOf(slug), token);

/** Whether no card has the token any more. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether the device keeps another card of the shop than this, which must not replace it. */
export const keepsAnotherCard = async (client: Client, slug: string, token: string): Promise<boolean> => {
  const kept = readCard(slug);
  if (kept === null || kept === token) return false;
  return client.getCard({ path: { member_token: kept } }).then(
    ({ body }) => body?.member_token !== token,
    (error: unknown) => !isGone(error),
  );
};

/** A token that the server does not know any more. */
export const forgetCard = (slug: string): void => store(local, keyOf(slug), null);
