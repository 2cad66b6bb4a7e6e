/** Rewards that a member spends when a ticket is settled (Decisions 11, 12). */
import type { Static } from 'typebox';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, refusedFor } from '../../kernel/refusal.ts';
import type { CardOfSale } from '../../loyalty/app/shared.ts';
import { MEMBER_NEEDED } from '../../pricing/app/cart-input.ts';
import { rewardFaults, type RewardClaim } from '../../pricing/domain/rewards.ts';
import type { TicketReward } from '../contract/settle.ts';
import type { PaidByReward } from '../domain/ticket-sale.ts';
import type { ItemWithOffers } from '../store/ticket-item.ts';

/** As carts name lines: by their place. */
const claimsOf = (
  items: readonly ItemWithOffers[],
  rewards: readonly Static<typeof TicketReward>[],
): readonly RewardClaim[] =>
  rewards.map(({ reward_id: id, item_id: item, units }) => ({
    ...{ rewardId: id.toLowerCase(), units },
    lineIndex: items.findIndex((one) => one.id === item.toLowerCase()),
  }));

const kindsOf = (items: readonly ItemWithOffers[]): ReadonlyMap<Uuid, { readonly kind: 'item' | 'combo' }> =>
  new Map(items.map(({ line }) => [line.menu_item_id, { kind: line.combo === null ? 'item' : 'combo' }]));

/** Throws INVALID_INPUT and the refusals of rewards in a cart. */
export const claimedRewards = (
  items: readonly ItemWithOffers[],
  rewards: readonly Static<typeof TicketReward>[],
  member: CardOfSale | null,
): readonly PaidByReward[] => {
  if (rewards.length === 0) return [];
  if (member === null) throw invalidInput(MEMBER_NEEDED);
  const { programme, balances } = member;
  const claims = claimsOf(items, rewards);
  const asked = items.map(({ line, quantity }) => ({ menuItemId: line.menu_item_id, quantity }));
  const priced = new Map(
    items.map(({ units, quantity }, line) => [line, { dealUnits: units && { ...units, line, quantity } }]),
  );
  const faults = rewardFaults(
    { claims, programme, balances },
    { book: { items: kindsOf(items) }, asked, priced },
  );
  if (faults.length > 0)
    throw refusedFor(
      faults.map((fault) => ({ ...fault, path: fault.path.replace(/\.line_index$/, '.item_id') })),
    );
  return claims.flatMap(({ rewardId, lineIndex, units }): PaidByReward[] => {
    const reward = programme?.rewards.find(({ id }) => id === rewardId);
    const item = items[lineIndex];
    return reward === undefined || item === undefined ? [] : [{ reward, itemId: item.id, units }];
  });
};
