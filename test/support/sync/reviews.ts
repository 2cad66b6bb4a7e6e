/** Reviews of what devices recorded. */
import { expect } from 'vitest';
import { withoutVoucher } from '../../../src/sync/domain/kept-data.ts';
import { pairedTill, type SignedIn, type StaffReply } from '../people/staff.ts';
import { newId } from '../database/ids.ts';
import { done } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { branchId, SLUG } from '../shops/cafe.ts';
import { eventsOf, paid, recordedCoffees, replayed, type DeviceEvent } from './device-events.ts';

export type Review = StaffReply<'listReviews'>[number];

/** The id of an open review of `zamalek`: a coffee was sold for a total that it never cost. */
export const anOpenReview = async (world: World, slug = SLUG): Promise<string> => {
  const { device } = await pairedTill(world, 'zamalek', slug);
  const sale = { items: recordedCoffees(1, undefined, slug), total: 4_000, payments: paid(4_000, 'card') };
  const event = eventsOf(world, 'teller', world.now - 60_000, slug)('sale', { sale_id: newId(), ...sale });
  await replayed(world, device, [event], { branch: branchId('zamalek', slug) });
  return event.id;
};

/** The reviews of `zamalek`, as somebody reads them. */
export const reviewsBy = async (world: World, who: SignedIn, more = ''): Promise<readonly Review[]> =>
  done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}${more}`, { ...who }));

/** Filled in, in both languages. */
export const expectWords = ({ reasons }: Review): void => {
  for (const { en, ar } of reasons) {
    expect(`${en}${ar}`).not.toMatch(/[{}]|undefined|null/);
    expect([en, ar]).toEqual([
      expect.stringMatching(/^[A-Z]?\S.*\S$/u),
      expect.stringMatching(/[\u0600-\u06ff]/u),
    ]);
  }
};

interface Sent {
  readonly device: SignedIn;
  readonly owner: SignedIn;
  readonly event: DeviceEvent;
}

/** An event that was sent must be listed in review, for this reason before others. */
export const expectListed = async (
  world: World,
  { owner, event }: Omit<Sent, 'device'>,
  code: string,
  vars: object = {},
): Promise<Review> => {
  const listed = (await reviewsBy(world, owner)).find(({ id }) => id === event.id);
  const data = withoutVoucher({ ...event.data });
  expect(listed).toMatchObject({ status: 'open', outcome: 'review', kind: event.kind, data });
  if (listed === undefined) throw new Error('it is not listed');
  expect(listed.reasons[0]).toMatchObject({ code, vars });
  expectWords(listed);
  return listed;
};

/** An event of a device must be in review, for this reason before others, and must be listed so. */
export const expectReview = async (
  world: World,
  { device, ...of }: Sent,
  code: string,
  vars: object = {},
): Promise<Review> => {
  const [result] = await replayed(world, device, [of.event]);
  expect(result).toMatchObject({ id: of.event.id, outcome: 'review', code, vars });
  return expectListed(world, of, code, vars);
};
