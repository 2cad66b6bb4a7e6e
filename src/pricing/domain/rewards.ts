/** Loyalty rewards in a cart: units of plain lines that the card pays for (Decisions 11). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Balances, Programme } from '../../loyalty/domain/programme.ts';
import type { Reward, RewardUse } from '../../loyalty/domain/reward.ts';
import type { MenuItem } from '../../menu/domain/menubook.ts';
import { countsTowards } from '../../menu/domain/pool.ts';
import { CartFaults } from './cart/faults.ts';
import type { CartFault, CartLine, PricedLine } from './cart/types.ts';

/** Units of a line that a reward is to pay for. */
export interface RewardClaim {
  readonly rewardId: Uuid;
  readonly lineIndex: number;
  readonly units: number;
}

/** What decides over rewards. */
export type RewardRules = Pick<Programme, 'isEnabled' | 'mode' | 'rewards' | 'maxRewardsPerOrder'>;

/** Claims of a card whose phone is proven, or of a voucher. */
export interface Redemption {
  readonly claims: readonly RewardClaim[];
  /** Null: the shop has none. */
  readonly programme: RewardRules | null;
  readonly balances: Balances;
}

export interface GrantedReward {
  readonly reward: Reward;
  readonly lineIndex: number;
  readonly units: number;
  /** The price of the units with add-ons and optionals. */
  readonly discount: Piastres;
  /** Points or visits of the units. */
  readonly cost: number;
}

/** A line of which rewards pay for some units. */
export interface RewardedLine extends PricedLine {
  readonly rewardUnits: number;
  readonly rewardDiscount: Piastres;
}

const unitsOn = (claims: readonly RewardClaim[], line: number): number =>
  claims.reduce((sum, { lineIndex, units }) => sum + (lineIndex === line ? units : 0), 0);

/** Whether a reward pays for units of the line; a combo has none that it could pay for. */
export const paysFor = ({ items }: Reward, { dealUnits }: Pick<PricedLine, 'dealUnits'>): boolean =>
  dealUnits !== null && (items.length === 0 || countsTowards(dealUnits, items));

// ── Faults ──────────────────────────────────────────────────────────────────────────────────────

interface ClaimContext {
  readonly faults: CartFaults;
  readonly book: { readonly items: ReadonlyMap<Uuid, Pick<MenuItem, 'kind'>> };
  readonly asked: readonly Pick<CartLine, 'menuItemId' | 'quantity'>[];
  /** By index; absent where the line has faults of its own. */
  readonly priced: ReadonlyMap<number, Pick<PricedLine, 'dealUnits'>>;
  readonly redemption: Redemption & { readonly programme: RewardRules };
}

const checkLine = (claim: RewardClaim, reward: Reward | undefined, path: string, context: ClaimContext) => {
  const { faults, book, asked, priced } = context;
  const line = asked[claim.lineIndex];
  if (line === undefined) {
    faults.invalid(`${path}.line_index`, 'REWARD_OF_NO_LINE');
    return;
  }
  if (book.items.get(line.menuItemId)?.kind === 'combo') {
    faults.refuse(`${path}.line_index`, 'REWARD_IN_COMBO');
    return;
  }
  const sold = priced.get(claim.lineIndex);
  if (reward !== undefined && sold !== undefined && !paysFor(reward, sold))
    faults.invalid(
      `${path}.line_index`,
      'REWARD_OF_OTHER_ITEM',
      { reward: reward.name },
      {
        reward: reward.nameTranslations,
      },
    );
};

const checkUnits = (
  claims: readonly RewardClaim[],
  path: string,
  { asked, faults, redemption }: ClaimContext,
) => {
  const claim = claims.at(-1);
  if (claim === undefined) return;
  const { quantity } = asked[claim.lineIndex] ?? { quantity: Infinity };
  if (unitsOn(claims, claim.lineIndex) > quantity)
    faults.invalid(`${path}.units`, 'REWARDS_BEYOND_LINE', { quantity });
  const most = redemption.programme.maxRewardsPerOrder ?? Infinity;
  const before = claims.slice(0, -1).reduce((sum, { units }) => sum + units, 0);
  if (before <= most && before + claim.units > most)
    faults.invalid(`${path}.units`, 'REWARDS_TOO_MANY', { most });
};

const isRepeated = (claims: readonly RewardClaim[], index: number): boolean =>
  claims
    .slice(0, index)
    .some(
      ({ rewardId, lineIndex }) =>
        rewardId === claims[index]?.rewardId && lineIndex === claims[index].lineIndex,
    );

const costOf = (claims: readonly RewardClaim[], rewards: ReadonlyMap<Uuid, Reward>): number =>
  claims.reduce((sum, { rewardId, units }) => sum + units * (rewards.get(rewardId)?.cost ?? 0), 0);

const byId = ({ rewards }: RewardRules): ReadonlyMap<Uuid, Reward> =>
  new Map(rewards.map((reward) => [reward.id, reward]));

const checkClaims = (context: ClaimContext): void => {
  const { faults, redemption } = context;
  const { claims, programme, balances } = redemption;
  const rewards = byId(programme);
  const figures = { balance: balances[programme.mode], cost: costOf(claims, rewards) };
  for (const [index, claim] of claims.entries()) {
    const path = `rewards[${index}]`;
    const reward = rewards.get(claim.rewardId);
    if (isRepeated(claims, index)) faults.invalid(path, 'REWARD_TWICE');
    if (reward === undefined)
      faults.refuse(`${path}.reward_id`, 'REWARD_GONE', { ...figures, reward_id: claim.rewardId });
    checkLine(claim, reward, path, context);
    checkUnits(claims.slice(0, index + 1), path, context);
  }
  if (faults.count === 0 && figures.cost > figures.balance)
    faults.refuse('rewards', 'REWARD_UNAVAILABLE', figures);
};

/** The faults of the claims: malformed ones, those that no reward may pay for, and a balance that is too small. */
export const rewardFaults = (
  redemption: Redemption,
  cart: Pick<ClaimContext, 'book' | 'asked' | 'priced'>,
): readonly CartFault[] => {
  const { programme } = redemption;
  const faults = new CartFaults();
  if (redemption.claims.length === 0) return [];
  if (programme?.isEnabled === true)
    checkClaims({ ...cart, faults, redemption: { ...redemption, programme } });
  else faults.refuse('rewards', 'LOYALTY_OFF');
  return faults.all;
};

/** The claims that the programme grants for lines that are there; the balance is looked at when the card pays. */
export const validClaims = (
  claims: readonly RewardClaim[],
  programme: Programme | null,
  lines: readonly PricedLine[],
): readonly RewardClaim[] => {
  const rewards = programme === null ? new Map<Uuid, Reward>() : byId(programme);
  return claims.filter((claim, place) => {
    const [reward, line] = [rewards.get(claim.rewardId), lines[claim.lineIndex]];
    const units = unitsOn(claims.slice(0, place + 1), claim.lineIndex);
    return reward !== undefined && line !== undefined && units <= line.quantity && paysFor(reward, line);
  });
};

// ── Prices ──────────────────────────────────────────────────────────────────────────────────────

const unitPrice = ({ unitPrice: size, addonsTotal }: PricedLine): Piastres => size + addonsTotal;

/** The line pays for the other units alone, and only they count in deals. */
const rewarded = (line: PricedLine, units: number): RewardedLine => {
  if (units === 0) return { ...line, rewardUnits: 0, rewardDiscount: 0 };
  const discount = units * unitPrice(line);
  const quantity = line.quantity - units;
  const dealUnits = line.dealUnits === null || quantity === 0 ? null : { ...line.dealUnits, quantity };
  const lineTotal = line.lineTotal - discount;
  return { ...line, lineTotal, dealUnits, rewardUnits: units, rewardDiscount: discount };
};

/** The lines with rewards that have no faults. */
export const withRewards = (
  lines: readonly PricedLine[],
  redemption: Redemption | null,
): { readonly lines: readonly RewardedLine[]; readonly granted: readonly GrantedReward[] } => {
  const claims = redemption?.claims ?? [];
  const rewards = redemption?.programme ? byId(redemption.programme) : new Map<Uuid, Reward>();
  const granted = claims.flatMap(({ rewardId, lineIndex, units }): readonly GrantedReward[] => {
    const [reward, line] = [rewards.get(rewardId), lines[lineIndex]];
    if (reward === undefined || line === undefined) return [];
    return [{ reward, lineIndex, units, discount: units * unitPrice(line), cost: units * reward.cost }];
  });
  return { lines: lines.map((line) => rewarded(line, unitsOn(claims, line.index))), granted };
};

/** As the ledger tells it. */
export const rewardUse = ({ reward, units }: Pick<GrantedReward, 'reward' | 'units'>): RewardUse => ({
  reward_id: reward.id,
  name: reward.name,
  name_translations: reward.nameTranslations,
  units,
  cost: units * reward.cost,
});

export const rewardCostOf = (granted: readonly GrantedReward[]): number =>
  granted.reduce((sum, { cost }) => sum + cost, 0);
