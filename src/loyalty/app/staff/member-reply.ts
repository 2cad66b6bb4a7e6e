import type { Static } from 'typebox';
import { firstWord } from '../../../kernel/names.ts';
import type { LoyaltyMember } from '../../contract/staff-members.ts';
import type { Programme } from '../../domain/programme.ts';
import { progressOf } from '../../domain/progress.ts';
import type { Member } from '../../store/card.ts';
import { rewardsReply } from '../programme.ts';

const LAST_DIGITS = 4;

/** Only what the staff need to greet the guest and to spend rewards. */
export const memberReply = (member: Member, programme: Programme): Static<typeof LoyaltyMember> => {
  const balance = member[programme.mode];
  const progress = progressOf(programme, balance);
  return {
    ...{ id: member.cardId, customer_id: member.customerId },
    first_name: firstWord(member.name),
    phone_last_four: (member.phone ?? '').slice(-LAST_DIGITS),
    ...{ enabled: programme.isEnabled, balance, mode: programme.mode },
    next_reward_cost: progress.nextRewardCost,
    rewards_ready: progress.rewardsReady,
    points_to_next_reward: progress.pointsToNextReward,
    can_redeem: progress.canRedeem,
    rewards: rewardsReply(programme),
  };
};
