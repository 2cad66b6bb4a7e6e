/**
 * A shop for a load of orders, and the n-th order of that load: every channel, codes at one branch, inclusive and
 * exclusive tax, a deal, a discount, ample stock of one item and scarce stock of another.
 */
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import { branchId, daily } from './cafe.ts';
import { aMember } from '../people/staff.ts';
import { PLACES, type Guest, type OrderInput } from '../people/guests.ts';
import { aProgramme } from '../people/members.ts';
import { addon, aQuotingBranch, aQuotingMenu, aQuotingShop, line, meal, pick } from './quoting-shop.ts';

export const CAKES = 50_000;
/** Initial stock of `rare` at the branch `open`, below the demand. */
export const RARE = 12;
/** Minutes until unconfirmed orders of the branch `garden` are rejected. */
export const GARDEN_MINUTES = 300;

export const BRANCHES = ['open', 'asking', 'garden'] as const;
export type BusyBranch = (typeof BRANCHES)[number];

const channels = {
  pickup: {},
  in_mall: { fee: 1000 },
  umbrella: { fee: 1500 },
  outside: { fee: 2500, max_distance_meters: 5000 },
};
const everyDay = {
  ...{ channels, location: { lat: 30.06, lng: 31.22 }, otp_required: false },
  online_hours: daily('00:00', '00:00'),
};

const counted = (stock: number) => BRANCHES.map((branch) => ({ branch, stock }));

const menu = (): ShopFile['menu'] => {
  const base = aQuotingMenu();
  return {
    ...base,
    items: [
      ...(base.items ?? []).map((item) =>
        item.key === 'cake' ? { ...item, availability: counted(CAKES) } : item,
      ),
      {
        ...{ key: 'rare', name: { ar: 'قهوة نادرة', en: 'Rare coffee' }, category: 'coffee', price: 33_333 },
        availability: [{ branch: 'open', stock: RARE }],
      },
    ],
    deals: [
      {
        ...{ key: 'trio', name: { ar: 'تلاتة بمية', en: 'Three for 100' }, kind: 'n_for_price' },
        ...{ qty: 3, price: 10_000, pool: [{ item: 'turkish' }] },
      },
    ],
    discounts: [{ key: 'beach', name: 'خصم البحر', percent: 12.5, on: [{ channel: 'umbrella' }] }],
  };
};

export const MANAGER = 'manager@beit-el-bunn.example';

export const aBusyShop = (): ShopFile =>
  aQuotingShop({
    branches: [
      aQuotingBranch({ key: 'open', code: 'OPN', ...everyDay }),
      aQuotingBranch({
        ...{ key: 'asking', code: 'ASK', ...everyDay, otp_required: true },
        tax: { rate: 0.14, inclusive: false },
      }),
      aQuotingBranch({ key: 'garden', code: 'GRD', ...everyDay, auto_reject_minutes: GARDEN_MINUTES }),
    ],
    menu: menu(),
    loyalty: aProgramme(),
    staff: [aMember('manager', 'manager')],
  });

// ── Guests ──────────────────────────────────────────────────────────────────────────────────────

/** A guest whose number occurs nowhere else, so that a search for leaks finds it. */
export const canaryGuest = (n: number): Guest => {
  const digits = `5${String(n).padStart(3, '0')}7391`;
  return { typed: `010${digits}`, phone: `2010${digits}` };
};

export interface Known extends Guest {
  readonly deviceToken: string;
  readonly memberToken?: string;
}

const UNPROVEN_GUESTS = 30;

const CARTS: readonly (() => OrderInput['items'])[] = [
  () => [line('turkish', { quantity: 4 })],
  () => [
    line('cake', { quantity: 2 }),
    line('latte', { size_label: 'كبير', addons: [{ addon_item_id: addon('oat') }] }),
  ],
  () => [meal([pick('drink', 'turkish'), pick('sweet', 'cake')], { quantity: 2 }), line('turkish')],
  () => [line('rare'), line('cake')],
];

const at = <T>(list: readonly T[], place: number): T => {
  const found = list[place % list.length];
  if (found === undefined) throw new Error('an empty list has no places');
  return found;
};

const CHANNELS = ['pickup', 'umbrella', 'outside', 'in_mall'] as const;

/** Whether the n-th order is always refused, for its invalid device token. */
export const isForged = (n: number): boolean => n % 25 === 0;

export const branchOf = (n: number): BusyBranch => {
  if (isForged(n)) return 'asking';
  return at(['open', 'asking', 'open', 'garden', 'asking'] as const, n);
};

/** The n-th order; `known` guests can order where a code is required. */
export const orderOf = (n: number, known: readonly Known[]): OrderInput => {
  const branch = branchOf(n);
  const channel = at(CHANNELS, Math.floor(n / 2));
  // Only the branch `open` stocks `rare`.
  const cart = at(CARTS, Math.floor(n / 3));
  const items = branch === 'open' || cart !== CARTS[3] ? cart() : [line('cake', { quantity: 3 })];
  const common = {
    ...{ branch_id: branchId(branch), channel, items, ...PLACES[channel] },
    ...{
      customer_name: `ضيف ${n}`,
      payment_method_hint: 'cash' as const,
      locale: at(['ar', 'en'] as const, n),
    },
  };
  if (isForged(n))
    return { ...common, customer_phone: at(known, n).typed, device_token: `dev_${'x'.repeat(43)}` };
  if (branch !== 'asking') return { ...common, customer_phone: canaryGuest(n % UNPROVEN_GUESTS).typed };
  const guest = at(known, Math.floor(n / 5));
  return {
    ...common,
    customer_phone: guest.typed,
    device_token: guest.deviceToken,
    ...(guest.memberToken === undefined ? {} : { member_token: guest.memberToken }),
    delivery_notes: `لا تتصل، رقم الطلب ${n}`,
  };
};
