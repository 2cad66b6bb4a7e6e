/** A valid request of every operation about what devices did without the server. */
import { isoInstant } from '../../../src/kernel/time.ts';
import { newId } from '../database/ids.ts';
import { pairedTill, type SignedIn } from '../people/staff.ts';
import type { World } from '../server/world.ts';
import { branchId, SLUG } from '../shops/cafe.ts';
import { eventsOf } from '../sync/device-events.ts';
import { anOpenReview } from '../sync/reviews.ts';
import type { Asked, Case } from './staff-requests.ts';

const aReplay = (world: World, slug = SLUG): Asked => ({
  ...{ method: 'POST', address: '/sync/replay' },
  body: {
    ...{ branch_id: branchId('zamalek', slug), device_time: isoInstant(world.now) },
    events: [eventsOf(world, 'teller', world.now, slug)('ticket_open', { ticket_id: newId() })],
  },
});

const pulling = (slug?: string): Asked => ({
  ...{ method: 'POST', address: '/sync/pull', body: { branch_id: branchId('zamalek', slug) } },
});

const reading = (slug?: string): Asked => ({
  address: `/staff/reviews?branch_id=${branchId('zamalek', slug)}`,
});

const closing = async (world: World, slug?: string): Promise<Asked> => ({
  ...{ method: 'POST', address: `/staff/reviews/${await anOpenReview(world, slug)}/close` },
  body: { note: 'سعر الأسبوع الماضي' },
});

const OF_OTHER_BRANCH = { otherShopStatus: 404, otherShopCode: 'DEVICE_OF_OTHER_BRANCH' } as const;

export const SYNC_CASES = {
  pullChanges: { ask: (_: World, slug?: string) => pulling(slug), ...OF_OTHER_BRANCH },
  replayEvents: { ask: aReplay, ...OF_OTHER_BRANCH },
  listReviews: { ask: (_: World, slug?: string) => reading(slug), otherShopStatus: 404 },
  closeReview: { ask: closing, otherShopStatus: 404 },
} as const satisfies Record<string, Case>;

export const syncCalls = (world: World, owner: SignedIn) => ({
  pullChanges: async () => ({ ...pulling(), headers: (await pairedTill(world)).device }),
  replayEvents: async () => ({ ...aReplay(world), headers: (await pairedTill(world)).device }),
  listReviews: () => Promise.resolve({ ...reading(), headers: { ...owner } }),
  closeReview: async () => ({ ...(await closing(world)), headers: { ...owner } }),
});
