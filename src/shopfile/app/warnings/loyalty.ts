/** Warnings about a programme that gives nothing, or gives it away. */
import { groupBy } from '../../../kernel/group-by.ts';
import type { Piastres } from '../../../kernel/money.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';
import type { Warning } from './warning.ts';

type Programme = Row<'loyalty_program'>;
type PoolRow = Pick<Row<'loyalty_visit_item'>, 'category_id' | 'menu_item_id'>;

/** Whether an active plain item is in the pool; switches of branches and windows change without an import. */
const isSoldIn = (rows: ShopRows): ((pool: readonly PoolRow[]) => boolean) => {
  const live = rows.menu_item.filter((item) => isLiveRow(item) && item.is_active && item.kind === 'item');
  const ids = new Set(live.flatMap(({ id, category_id: category }) => [id, category ?? id]));
  return (pool) =>
    pool.some(({ category_id: category, menu_item_id: item }) => ids.has(category ?? item ?? ''));
};

const poolWarnings = (rows: ShopRows): Warning[] => {
  const isSold = isSoldIn(rows);
  const pools = groupBy(rows.loyalty_reward_item, ({ reward_id: reward }) => reward);
  const rewards = rows.loyalty_reward.filter(isLiveRow).flatMap(({ id, name }): Warning[] => {
    const pool = pools.get(id);
    return pool === undefined || isSold(pool)
      ? []
      : [
          {
            key: `reward items ${id}`,
            text: `the reward ‘${name}’ pays for nothing: no item that it names is on the menu`,
          },
        ];
  });
  const visits = rows.loyalty_visit_item;
  return visits.length === 0 || isSold(visits)
    ? rewards
    : [
        ...rewards,
        { key: 'visit items', text: 'nothing counts as a visit: no item of `visit_items` is on the menu' },
      ];
};

/** The lowest catalogue price of an active plain item that costs something. */
const cheapestPrice = (rows: ShopRows): Piastres | null => {
  const live = new Set(
    rows.menu_item
      .filter((item) => isLiveRow(item) && item.is_active && item.kind === 'item')
      .map(({ id }) => id),
  );
  const prices = rows.price.filter(
    ({ subject_id: id, branch_id: branch, channel, amount }) =>
      live.has(id) && branch === null && channel === null && amount > 0,
  );
  return prices.length === 0 ? null : prices.reduce((least, { amount }) => Math.min(least, amount), Infinity);
};

/** What the cheapest item earns: a point per `earn_piastres_per_point`, or a visit. */
const leastEarned = (programme: Programme, rows: ShopRows): number | null => {
  if (programme.mode === 'visits') return 1;
  const price = cheapestPrice(rows);
  return price === null ? null : Math.floor(price / programme.earn_piastres_per_point);
};

const costWarnings = (programme: Programme, rows: ShopRows): Warning[] => {
  const earned = leastEarned(programme, rows);
  const { mode, balance_cap: cap } = programme;
  return rows.loyalty_reward.filter(isLiveRow).flatMap(({ id, name, cost_amount: cost }): Warning[] => {
    if (cap !== null && cost > cap)
      return [
        {
          key: `reward cap ${id} ${cost} ${cap}`,
          text: `the reward ‘${name}’ costs ${cost} ${mode}, and a card never holds more than ${cap}`,
        },
      ];
    return earned === null || cost > earned
      ? []
      : [
          {
            key: `reward cost ${id} ${cost}`,
            text: `the reward ‘${name}’ costs ${cost} ${mode}, which one item earns at once: is the cost complete?`,
          },
        ];
  });
};

const nameWarnings = (rows: ShopRows): Warning[] => {
  const named = groupBy(rows.loyalty_reward.filter(isLiveRow), ({ name }) => name);
  return [...named.values()].flatMap(([, ...others]) =>
    others.map(({ id, name }) => ({
      key: `reward name ${id}`,
      text: `two rewards are called ‘${name}’: is one of them the other?`,
    })),
  );
};

export const loyaltyWarnings = (rows: ShopRows): Warning[] =>
  rows.loyalty_program
    .filter(({ enabled }) => enabled)
    .flatMap((programme) => [
      ...(rows.loyalty_reward.some(isLiveRow)
        ? []
        : [
            {
              key: 'loyalty without rewards',
              text: 'the loyalty programme is on and has no reward, so that nobody can spend what they earn',
            },
          ]),
      ...costWarnings(programme, rows),
      ...poolWarnings(rows),
      ...nameWarnings(rows),
    ]);
