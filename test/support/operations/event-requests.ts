/** A valid request of every operation about the events of a branch. */
import { type SignedIn, signInAs, streamAddress } from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { branchId, SLUG } from '../shops/cafe.ts';
import type { Asked, Case } from './staff-requests.ts';

const reading = (slug?: string): Asked => ({
  address: `/staff/events?branch_id=${branchId('zamalek', slug)}`,
});

const makingToken = (slug?: string): Asked => ({
  ...{ method: 'POST', address: '/staff/events/token', body: { branch_id: branchId('zamalek', slug) } },
});

const withToken = async (world: World, slug = SLUG): Promise<Asked> => {
  const owner = await signInAs(world, 'owner', slug);
  return { address: await streamAddress(world, owner, branchId('zamalek', slug)) };
};

export const EVENT_CASES = {
  boardEvents: { ask: (_: World, slug?: string) => reading(slug), otherShopStatus: 404 },
  makeStreamToken: { ask: (_: World, slug?: string) => makingToken(slug), otherShopStatus: 404 },
  streamBoardEvents: { ask: withToken, otherShopStatus: null, isOnce: true },
} as const satisfies Record<string, Case>;

export const eventCalls = (world: World, owner: SignedIn) => ({
  boardEvents: () => Promise.resolve({ ...reading(), headers: { ...owner } }),
  makeStreamToken: () => Promise.resolve({ ...makingToken(), headers: { ...owner } }),
  streamBoardEvents: () => withToken(world),
});
