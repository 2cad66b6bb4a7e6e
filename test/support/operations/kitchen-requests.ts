/** A valid request of every operation of the kitchen, by the owner of a shop. */
import { kitchenBy } from '../people/kitchen.ts';
import { signInAs } from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { branchId } from '../shops/cafe.ts';
import type { Asked, Case } from './staff-requests.ts';
import { anOpenTicket } from './ticket-requests.ts';

/** A recall is of a kitchen ticket that is bumped. */
const asking =
  (what: 'bump' | 'recall') =>
  async (world: World, slug?: string): Promise<Asked> => {
    const kitchen = kitchenBy(world, await signInAs(world, 'owner', slug));
    const ticket = await anOpenTicket(world, slug);
    const [fired] = await kitchen.of(ticket.id, slug);
    if (fired === undefined) throw new Error('a ticket is fired');
    if (what === 'recall') await kitchen.bump(fired.id);
    return { method: 'POST', address: `/staff/kitchen/${fired.id}/${what}`, body: {} };
  };

const reading = (slug?: string): Asked => ({
  address: `/staff/kitchen?branch_id=${branchId('zamalek', slug)}`,
});

export const KITCHEN_CASES = {
  getKitchen: { ask: (_: World, slug?: string) => reading(slug), otherShopStatus: 404 },
  bumpKitchenTicket: { ask: asking('bump'), otherShopStatus: 404 },
  recallKitchenTicket: { ask: asking('recall'), otherShopStatus: 404 },
} as const satisfies Record<string, Case>;

/** One call of each, by the owner. */
export const kitchenCalls = (world: World, headers: Readonly<Record<string, string>>) => {
  const call = (what: 'bump' | 'recall') => async () => {
    const { address, body } = await asking(what)(world);
    return { address, headers, ...(body === undefined ? {} : { body }) };
  };
  return {
    getKitchen: () => Promise.resolve({ address: reading().address, headers }),
    bumpKitchenTicket: call('bump'),
    recallKitchenTicket: call('recall'),
  };
};
