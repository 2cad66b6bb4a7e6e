/** The rows of the sync feed by type (Decisions 13). */
import Type, { type Static, type TSchema } from 'typebox';
import { FeedBooking } from '../../bookings/contract/feed.ts';
import { FeedTicket } from '../../floor/contract/feed.ts';
import { FeedKitchenTicket } from '../../kitchen/contract/feed.ts';
import { MODES } from '../../loyalty/domain/programme.ts';
import {
  FeedAddon,
  FeedCategory,
  FeedDeal,
  FeedDiscount,
  FeedMenuItem,
  FeedModifierGroup,
} from '../../menu/contract/feed.ts';
import { DealPoolEntry } from '../../menu/contract/menu.ts';
import { FeedOrder } from '../../orders/contract/feed.ts';
import {
  Flag,
  Int32,
  MaskedPhone,
  Money,
  nullable,
  Rate,
  Text,
  TranslationsMap,
  UuidText,
  WALL_TIME_PATTERN,
  Word,
} from '../../platform/contract/scalars.ts';
import type { FeedType } from '../../platform/domain/feed.ts';
import { FeedSale, FeedTill } from '../../sales/contract/feed.ts';
import { NEEDS_TILL } from '../../shops/domain/shop.ts';
import { FeedStaff } from '../../staff/contract/feed.ts';

const Station = Type.Object({
  ...{ id: UuidText(), name: Text(), name_translations: TranslationsMap },
  ...{ category_ids: Type.Array(UuidText()), item_ids: Type.Array(UuidText()) },
});

const Reward = Type.Object({
  ...{ id: UuidText(), name: Text(), name_translations: TranslationsMap },
  cost: Int32({ minimum: 0, description: 'Points or visits.' }),
  items: Type.Array(DealPoolEntry, { description: 'Of which one unit is free; empty: of any plain item.' }),
});

/** A public key (JWK). */
const VoucherKey = Type.Object({
  ...{ kid: Text(), kty: Type.Literal('EC'), crv: Type.Literal('P-256') },
  ...{ x: Text({ description: 'Base64url.' }), y: Text({ description: 'Base64url.' }) },
});

const Loyalty = Type.Object(
  {
    enabled: Flag(),
    mode: Word(MODES),
    earn_piastres_per_point: Money(),
    earn_on_tax: Flag(),
    visit_items: nullable(
      Type.Array(DealPoolEntry, {
        description: 'A visit for each paid unit of them; null: one for each sale.',
      }),
    ),
    balance_cap: nullable(Int32({ minimum: 0 })),
    max_rewards_per_order: nullable(Int32({ minimum: 0 })),
    offline_limit: nullable(
      Int32({ minimum: 1, description: 'What one voucher is good for at most; null: the shop gives none.' }),
    ),
    voucher_keys: Type.Array(VoucherKey, { description: 'What verifies vouchers, found by `kid`.' }),
    rewards: Type.Array(Reward),
  },
  { description: 'Null: the shop never had a programme.' },
);

/** Its id is that of the branch. */
export const BranchSettings = Type.Object({
  ...{ id: UuidText(), name: Text(), name_translations: TranslationsMap },
  org_id: UuidText(),
  ...{ shop_name: Text(), shop_name_translations: TranslationsMap },
  main_language: Word(['ar', 'en']),
  active: Flag({ description: 'Neither the branch nor the shop is switched off.' }),
  code: Text({ description: 'The first part of references.', examples: ['ZML'] }),
  ...{ address: nullable(Text()), phone: nullable(Text({ description: 'Of the branch.' })) },
  timezone: Text({ examples: ['Africa/Cairo'] }),
  day_starts_at: Type.String({ pattern: WALL_TIME_PATTERN, description: 'When its business date begins.' }),
  payment_methods: Type.Array(Text()),
  sales_need_till: Word(NEEDS_TILL),
  staff_drinks_per_day: Int32({ minimum: 0 }),
  tax_rate: Rate(),
  tax_inclusive: Flag({ description: 'True: prices contain the tax.' }),
  service_charge_rate: Rate({ description: 'Of tickets at a table.' }),
  service_charge_taxable: Flag(),
  stations: Type.Array(Station, { description: 'In the order of the kitchen.' }),
  loyalty: nullable(Loyalty),
});

export const DiningTable = Type.Object({
  ...{ id: UuidText(), label: Text(), section: nullable(Text()) },
  ...{ seats_min: Int32({ minimum: 0 }), seats_max: Int32({ minimum: 0 }), bookable: Flag() },
});

/** Who ordered at the branch, or bought with a card, within 90 days. */
export const BranchCustomer = Type.Object({
  ...{ id: UuidText(), name: Text() },
  phone: nullable(MaskedPhone()),
  member_id: nullable(UuidText({ description: 'The loyalty card.' })),
  ...{ points: Int32({ minimum: 0 }), visits: Int32({ minimum: 0 }) },
});

export const ROWS = {
  branch_settings: BranchSettings,
  staff: FeedStaff,
  category: FeedCategory,
  addon: FeedAddon,
  modifier_group: FeedModifierGroup,
  menu_item: FeedMenuItem,
  deal: FeedDeal,
  discount: FeedDiscount,
  table: DiningTable,
  customer: BranchCustomer,
  till: FeedTill,
  booking: FeedBooking,
  open_ticket: FeedTicket,
  kitchen_ticket: FeedKitchenTicket,
  delivery: FeedOrder,
  sale: FeedSale,
} as const satisfies Readonly<Record<FeedType, TSchema>>;

/** A row of a type. */
export type Row<T extends FeedType> = Static<(typeof ROWS)[T]>;
