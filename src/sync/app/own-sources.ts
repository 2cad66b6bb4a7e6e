/** Rows of the sync feed that several topics make up together. */
import type { Static } from 'typebox';
import { maskPhone } from '../../kernel/phone.ts';
import { addMinutes, formatWallTime } from '../../kernel/time.ts';
import { programmeOfShop } from '../../loyalty/app/shared.ts';
import type { Programme } from '../../loyalty/domain/programme.ts';
import type { VoucherKey } from '../../loyalty/domain/voucher.ts';
import { poolReply } from '../../menu/app/menu-reply.ts';
import { smallSource, type FeedPlace, type FeedSource } from '../../platform/app/feed.ts';
import type { VoucherKeys } from '../../ports.ts';
import { tablesOfBranch } from '../../shops/app/shared.ts';
import type { BranchCustomer, BranchSettings, DiningTable } from '../contract/rows.ts';
import { settingsOf, type StoredSettings } from '../store/branch-settings.ts';
import { customersOfCards, guestsAfter, guestsByIds, type BranchGuest } from '../store/customers.ts';

type Settings = Static<typeof BranchSettings>;

// ── Settings ────────────────────────────────────────────────────────────────────────────────────

const loyaltyOf = (programme: Programme, keys: readonly VoucherKey[]): Settings['loyalty'] => ({
  ...{ enabled: programme.isEnabled, mode: programme.mode },
  ...{ earn_piastres_per_point: programme.earnPiastresPerPoint, earn_on_tax: programme.earnOnTax },
  visit_items: programme.visitItems?.map(poolReply) ?? null,
  ...{ balance_cap: programme.balanceCap, max_rewards_per_order: programme.maxRewardsPerOrder },
  offline_limit: programme.offlineLimit,
  voucher_keys: programme.offlineLimit === null ? [] : keys.map((key) => ({ ...key })),
  rewards: programme.rewards.map(({ id, name, nameTranslations, cost, items }) => ({
    ...{ id, name, name_translations: nameTranslations, cost, items: items.map(poolReply) },
  })),
});

const settingsRow = (settings: StoredSettings, loyalty: Settings['loyalty']): Settings => ({
  ...{ id: settings.id, name: settings.name, name_translations: settings.translations },
  ...{ org_id: settings.orgId, shop_name: settings.shopName },
  ...{ shop_name_translations: settings.shopTranslations, main_language: settings.mainLanguage },
  ...{ active: settings.isActive && settings.isShopActive, code: settings.code },
  ...{ address: settings.address, phone: settings.phone, timezone: settings.zone },
  ...{ day_starts_at: formatWallTime(settings.dayStartsAt), payment_methods: settings.paymentMethods },
  ...{ sales_need_till: settings.needsTill, staff_drinks_per_day: settings.staffDrinksPerDay },
  ...{ tax_rate: Number(settings.taxRate), tax_inclusive: settings.taxInclusive },
  service_charge_rate: Number(settings.serviceRate),
  service_charge_taxable: settings.serviceTaxable,
  ...{ stations: settings.stations, loyalty },
});

/** A change of the shop, which names it, is one of the settings of each of its branches. */
export const settingsSource = ({ published }: Pick<VoucherKeys, 'published'>): FeedSource => ({
  ...smallSource(['branch_settings', 'shop'], async (tx, { orgId, branchId }) => {
    const settings = await settingsOf(tx, orgId, branchId);
    if (settings === null) return [];
    const programme = await programmeOfShop(tx, orgId);
    return [settingsRow(settings, programme && loyaltyOf(programme, published))];
  }),
  idsOf: (_tx, { branchId }, ids) => Promise.resolve(new Map(ids.map((id) => [id, branchId]))),
});

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────

export const tableSource: FeedSource = smallSource(['table'], async (tx, { orgId, branchId }) =>
  (await tablesOfBranch(tx, orgId, branchId)).map(
    ({ seatsMin, seatsMax, ...table }): Static<typeof DiningTable> => ({
      ...{ ...table, seats_min: seatsMin, seats_max: seatsMax },
    }),
  ),
);

// ── Customers ───────────────────────────────────────────────────────────────────────────────────

/** From a guest's last order or sale with a card. */
export const MINUTES_OF_CUSTOMERS = 90 * 24 * 60;

const since = ({ orgId, branchId, now }: FeedPlace) => ({
  ...{ orgId, branchId, since: addMinutes(now, -MINUTES_OF_CUSTOMERS) },
});

const customerRow = ({
  id,
  name,
  phone,
  cardId,
  points,
  visits,
}: BranchGuest): Static<typeof BranchCustomer> => ({
  ...{ id, name, phone: phone === null ? null : maskPhone(phone), member_id: cardId, points, visits },
});

export const customerSource: FeedSource = {
  logTypes: ['customer', 'card'],
  idsOf: async (tx, { orgId }, ids) =>
    new Map([...ids.map((id): [string, string] => [id, id]), ...(await customersOfCards(tx, orgId, ids))]),
  page: async (tx, place, page) =>
    (await guestsAfter(tx, since(place), page)).map((guest) => ({ id: guest.id, data: customerRow(guest) })),
  changes: async (tx, place, ids) => {
    const guests = await guestsByIds(tx, since(place), ids);
    return guests.map(({ id, guest }) => ({ id, data: guest && customerRow(guest) }));
  },
};
