/** Builders whose defaults are live and priced. */
import type { AvailabilityEntry } from './availability.ts';
import type {
  Addon,
  Category,
  ChannelDiscount,
  ChannelToggles,
  Combo,
  ComboChoice,
  ComboSlot,
  Deal,
  MenuBook,
  ModifierGroup,
  PlainItem,
} from './menubook.ts';
import type { PriceEntry, SalePoint } from './price.ts';
import type { SaleWindow } from '../../kernel/sale-windows.ts';

export const ZONE = 'Africa/Cairo';
export const BRANCH = 'zamalek';
/** Thursday 2026-07-02, 12:00 in Cairo (summer time). */
export const NOON = Date.parse('2026-07-02T09:00:00Z');

export const PICKUP: SalePoint = { branchId: BRANCH, zone: ZONE, channel: 'pickup' };
export const DINE_IN: SalePoint = { ...PICKUP, channel: 'dine_in' };

export const price = (amount: number, entry: Partial<PriceEntry> = {}): PriceEntry => ({
  sizeLabel: '',
  branchId: null,
  channel: null,
  amount,
  ...entry,
});

export const availability = (entry: Partial<AvailabilityEntry> = {}): AvailabilityEntry => ({
  branchId: BRANCH,
  channel: null,
  isOn: true,
  soldOutUntil: null,
  stock: null,
  ...entry,
});
export const OFF = availability({ isOn: false });
export const SOLD_OUT = availability({ stock: 0 });

export const aWindow = (window: Partial<SaleWindow> = {}): SaleWindow => ({
  branchId: null,
  weekdays: 127,
  startsAt: null,
  endsAt: null,
  validFrom: null,
  validTo: null,
  ...window,
});

const named = (id: string) => ({ id, name: `اسم ${id}`, nameTranslations: { en: id } });
const SORT = { sort: 0 } as const;
const sellable = (id: string) => ({
  ...named(id),
  ...SORT,
  categoryId: null,
  description: null,
  descriptionTranslations: {},
  imageUrl: null,
  pictureId: null,
  isLive: true,
  prices: [price(5000)],
  availability: [],
  windows: [],
});

export const aCategory = (id: string): Category => ({
  ...{ ...named(id), ...SORT },
  ...{ imageUrl: null, pictureId: null },
});

export const anItem = (id: string, item: Partial<PlainItem> = {}): PlainItem => ({
  ...sellable(id),
  kind: 'item',
  sizes: [],
  optionals: [],
  allowedAddonIds: null,
  groups: [],
  defaults: { milk_type: null, coffee_type: null },
  meal: null,
  ...item,
});

export const inSizes = (prices: Readonly<Record<string, number>>): Pick<PlainItem, 'sizes' | 'prices'> => ({
  sizes: Object.keys(prices).map((label) => ({ label, labelTranslations: {} })),
  prices: Object.entries(prices).map(([sizeLabel, amount]) => price(amount, { sizeLabel })),
});

export const anAddon = (id: string, addon: Partial<Addon> = {}): Addon => ({
  ...named(id),
  ...SORT,
  type: 'extra',
  isLive: true,
  prices: [price(1000)],
  availability: [],
  ...addon,
});

export const aGroup = (
  id: string,
  addonIds: readonly string[],
  group: Partial<ModifierGroup> = {},
): ModifierGroup => ({
  ...named(id),
  selectionType: 'single',
  minSelections: 1,
  maxSelections: 1,
  isRequired: true,
  addonType: null,
  addonIds,
  ...group,
});

export const everywhere: ChannelToggles = { pos: true, qr: true, online: true, delivery: true };

export const aChoice = (itemId: string, choice: Partial<ComboChoice> = {}): ComboChoice => ({
  itemId,
  includedSizeLabel: '',
  surcharge: 0,
  sizeExtras: new Map(),
  ...choice,
});

export const aSlot = (
  id: string,
  choices: readonly ComboChoice[],
  slot: Partial<ComboSlot> = {},
): ComboSlot => ({
  ...named(id),
  sort: 1,
  min: 1,
  max: 1,
  defaultItemId: null,
  defaultSizeLabel: null,
  choices,
  ...slot,
});

export const aCombo = (id: string, slots: readonly ComboSlot[], combo: Partial<Combo> = {}): Combo => ({
  ...sellable(id),
  kind: 'combo',
  sell: everywhere,
  slots,
  ...combo,
});

export const aDeal = (id: string, deal: Partial<Deal> = {}): Deal => ({
  ...named(id),
  terms: { kind: 'n_for_price', price: 10_000 },
  qty: 3,
  maxPerOrder: null,
  sort: 1,
  isActive: true,
  sell: everywhere,
  pool: [],
  rewardPool: [],
  windows: [],
  branchOverrides: [],
  createdAt: 0,
  updatedAt: 0,
  ...deal,
});

export const aDiscount = (id: string, discount: Partial<ChannelDiscount> = {}): ChannelDiscount => ({
  ...named(id),
  branchId: null,
  channel: 'pickup',
  isActive: true,
  validFrom: null,
  validTo: null,
  cut: { dtype: 'percentage', rate: '0.100000' },
  ...discount,
});

export const aBook = (book: Partial<MenuBook> = {}): MenuBook => ({
  categories: [],
  items: [],
  addons: [],
  groups: [],
  deals: [],
  discounts: [],
  ...book,
});
