/** The kitchen over HTTP. */
import type { Reply } from '../server/http-client.ts';
import { done, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { branchId } from '../shops/cafe.ts';
import type { SignedIn, StaffReply } from './staff.ts';

export type KitchenTicket = StaffReply<'bumpKitchenTicket'>;

/** The hands of one person in the kitchen of a world. */
export const kitchenBy = (world: World, who: SignedIn) => {
  const ask = (
    id: string,
    what: 'bump' | 'recall',
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> => post(world, `/staff/kitchen/${id}/${what}`, body, { ...who, ...headers });
  const board = async (more = '', slug?: string): Promise<StaffReply<'getKitchen'>> =>
    done('getKitchen', await world.get(`/staff/kitchen?branch_id=${branchId('zamalek', slug)}${more}`, who));
  return {
    ask,
    board,
    /** What a ticket, a sale or an order has fired and is not done. */
    of: async (sourceId: string, slug?: string): Promise<KitchenTicket[]> =>
      (await board(`&source_id=${sourceId}`, slug)).tickets,
    bump: async (id: string, itemIds?: string[]): Promise<KitchenTicket> =>
      done('bumpKitchenTicket', await ask(id, 'bump', itemIds === undefined ? {} : { item_ids: itemIds })),
    recall: async (id: string, itemIds?: string[]): Promise<KitchenTicket> =>
      done(
        'recallKitchenTicket',
        await ask(id, 'recall', itemIds === undefined ? {} : { item_ids: itemIds }),
      ),
  };
};
