/** What lines name: from the book, or stand-ins for what is not in it, so that every line is recorded (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Named } from '../../../kernel/names.ts';
import type { Addon, ComboSlot, MenuItem, OptionalField, PlainItem } from '../../../menu/domain/menubook.ts';
import type { RecordedPricing } from './types.ts';

const unknown = (en: string, ar: string): Named => ({ name: ar, nameTranslations: { en, ar } });

const UNKNOWN_ITEM = unknown('Unknown item', 'صنف غير معروف');
const UNKNOWN_ADDON = unknown('Unknown add-on', 'إضافة غير معروفة');
const UNKNOWN_OPTION = unknown('Unknown option', 'اختيار غير معروف');
const UNKNOWN_SLOT = unknown('Unknown part', 'جزء غير معروف');

const namesOf = ({ name, nameTranslations }: Named): Named => ({ name, nameTranslations });

const plainStandIn = (id: Uuid, named: Named): PlainItem => ({
  ...{ id, ...namesOf(named), kind: 'item', sort: 0, categoryId: null, isLive: false },
  ...{ description: null, descriptionTranslations: {}, imageUrl: null, pictureId: null },
  ...{ prices: [], availability: [], windows: [], sizes: [], optionals: [], groups: [] },
  ...{ allowedAddonIds: null, defaults: { milk_type: null, coffee_type: null }, meal: null },
});

const addonStandIn = (id: Uuid, named: Named): Addon => ({
  ...{ id, ...namesOf(named), sort: 0, type: 'extra', isLive: false, prices: [], availability: [] },
});

const slotStandIn = (id: Uuid, named: Named): ComboSlot => ({
  ...{ id, ...namesOf(named), sort: 0, min: 0, max: 0 },
  ...{ choices: [], defaultItemId: null, defaultSizeLabel: null },
});

/** Null for what nobody knows. */
const reviewIfGone = (
  id: Uuid,
  stored: (Named & { readonly isLive: boolean }) | undefined,
  { archived, reasons }: RecordedPricing,
): Named | null => {
  const named = stored ?? archived.get(id) ?? null;
  if (named === null) reasons.add('item_unknown');
  else if (stored?.isLive !== true) reasons.add('item_archived', { item: named.name });
  return named;
};

export const soldItem = (id: Uuid, pricing: RecordedPricing): MenuItem => {
  const stored = pricing.book.items.get(id);
  const named = reviewIfGone(id, stored, pricing);
  return stored ?? plainStandIn(id, named ?? UNKNOWN_ITEM);
};

export const soldAddon = (id: Uuid, pricing: RecordedPricing): Addon => {
  const stored = pricing.book.addons.get(id);
  const named = reviewIfGone(id, stored, pricing);
  return stored ?? addonStandIn(id, named ?? UNKNOWN_ADDON);
};

/** A combo as an item, where only items may be. */
export const asPlain = (item: MenuItem): PlainItem =>
  item.kind === 'item' ? item : plainStandIn(item.id, item);

export const soldOptional = (id: Uuid, item: PlainItem, { archived }: RecordedPricing): OptionalField =>
  item.optionals.find((field) => field.id === id) ?? {
    ...{ id, ...namesOf(archived.get(id) ?? UNKNOWN_OPTION), sizeLabel: null, prices: [] },
  };

export const soldSlot = (id: Uuid, combo: MenuItem, { archived }: RecordedPricing): ComboSlot =>
  (combo.kind === 'combo' ? combo.slots.find((slot) => slot.id === id) : undefined) ??
  slotStandIn(id, archived.get(id) ?? UNKNOWN_SLOT);
