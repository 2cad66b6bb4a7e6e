/** The saved places of the card's owner, as the checkout offers them. */
import type { OrderIslandProps } from '../../../components/order.ts';
import type { member } from '../../../messages/compiled/member.ts';
import type { KnownPlace } from '../checkout.ts';
import type { OrderNow } from './member-context.ts';

type Address = NonNullable<OrderNow['full']>['addresses'][number];
type Messages = (typeof member)['ar' | 'en'];

const staleText = (t: Messages, { stale, stale_reason: reason }: Address): string | null => {
  if (!stale) return null;
  return {
    out_of_zone: t.outOfZone,
    zone_unavailable: t.zoneUnavailable,
    branch_unavailable: t.branchUnavailable,
  }[reason ?? 'branch_unavailable'];
};

/** A place of another branch is none of this one; where it is delivered to, the quote of this branch says whether it is near enough. */
export const placesOf = (
  t: Messages,
  { branch, channel }: Pick<OrderIslandProps, 'branch' | 'channel'>,
  { full }: OrderNow,
): readonly KnownPlace[] =>
  (full?.addresses ?? [])
    .filter((address) => address.channel === channel)
    .flatMap((address): readonly KnownPlace[] => {
      const isOthers = address.branch_id != null && address.branch_id !== branch.id;
      if (isOthers && channel !== 'outside') return [];
      const { lat, lng, ...place } = address;
      return [
        {
          key: address.id,
          place: { ...place, customer_lat: lat ?? null, customer_lng: lng ?? null },
          stale: isOthers ? null : staleText(t, address),
        },
      ];
    });
