/** Whether the device keeps another card; apart from the token of the card, which pages without requests read. */
import { ApiError, type Client } from '../../../client/client.ts';
import { readCard } from './card.ts';

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
