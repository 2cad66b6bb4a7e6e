/** A day of shops: what comes in each of its hours. */

const BRANCHES_PER_SHOP = 1.5;
const SALES_PER_BRANCH = 300;
const ONLINE = 0.3;
/** A till that can go on without the server asks for news this often, while its café is open. */
const PULL_SECONDS = 15;

/** Of a day's sales, in each hour from midnight on: open past midnight, fullest at seven in the evening. */
const HOURS = [
  ...[0.04, 0.03, 0.01, 0, 0, 0, 0.005, 0.015, 0.03, 0.045, 0.05, 0.05],
  ...[0.05, 0.055, 0.055, 0.05, 0.05, 0.06, 0.085, 0.12, 0.08, 0.06, 0.04, 0.02],
];
export const TOP_HOUR = HOURS.indexOf(Math.max(...HOURS));

const OF_SALE = { 'online sale': ONLINE, 'counter sale': 1 - ONLINE, sale: 1 } as const;

/**
 * How often each comes. Of pages and quotes: counted in a browser, in which a guest opens the links, the menu and the order
 * page, takes two items, orders and follows the order; half of the guests have the 46 files of these pages already. A page
 * that follows an order asks every ten seconds, here for thirteen minutes. Menus are also read by guests who leave again.
 */
const COMING = {
  'links page': { per: 'online sale', times: 1 },
  'menu page': { per: 'online sale', times: 1 },
  'order page': { per: 'online sale', times: 1 },
  'tracking page': { per: 'online sale', times: 1 },
  'file of a page': { per: 'online sale', times: 23 },
  menu: { per: 'sale', times: 10 },
  'cart quote': { per: 'online sale', times: 3 },
  'online order and its four steps': { per: 'online sale', times: 1 },
  'question for the status of an order': { per: 'online sale', times: 80 },
  'counter sale and its quote': { per: 'counter sale', times: 1 },
} as const satisfies Readonly<Record<string, { per: keyof typeof OF_SALE; times: number }>>;

const PULL = 'question of a till for news';
export type Visit = keyof typeof COMING | typeof PULL;

export const salesPerDay = (shops: number): number => shops * BRANCHES_PER_SHOP * SALES_PER_BRANCH;

/** Sales per second in an hour. */
export const salesPerSecond = (shops: number, hour: number): number =>
  (salesPerDay(shops) * (HOURS[hour] ?? 0)) / 3_600;

/** Of each kind per second, in an hour of so many shops. */
export const visitsPerSecond = (shops: number, hour: number): Readonly<Record<Visit, number>> => {
  const sales = salesPerSecond(shops, hour);
  const pulls = sales > 0 ? (shops * BRANCHES_PER_SHOP) / PULL_SECONDS : 0;
  const rates = Object.entries(COMING).map(([visit, { per, times }]) => [
    visit,
    sales * OF_SALE[per] * times,
  ]);
  return Object.fromEntries([...rates, [PULL, pulls]]) as Record<Visit, number>;
};

export const VISITS = Object.keys(visitsPerSecond(1, TOP_HOUR)) as readonly Visit[];
export const HOURS_OF_DAY = HOURS.map((_, hour) => hour);
