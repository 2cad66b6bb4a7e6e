/** Combos: their slots, what may fill them, and what a bigger size adds. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage, type Thing } from '../register.ts';
import { itemColumns } from './items.ts';
import type { ComboEntry, Entry, ItemEntry, Reading } from './reading.ts';
import { readAvailability, readPrices, readWindows, sellColumns } from './sale.ts';
import { itemAt, resolveSize } from './sizes.ts';

type SlotEntry = ComboEntry['slots'][number];
type ChoiceEntry = SlotEntry['choices'][number];
type ExtraEntry = Entry<NonNullable<ChoiceEntry['size_extras']>>;

/** Combos come after the items of their category, at places that do not change as items are added. */
const FIRST_COMBO_SORT = 10_000;

export const readCombos = (reading: Reading): void => {
  const first = Math.max(FIRST_COMBO_SORT, reading.file.menu.items?.length ?? 0);
  for (const [index, combo] of (reading.file.menu.combos ?? []).entries()) {
    const path = entryPath('menu.combos', index);
    const columns = itemColumns(reading, combo, path);
    reading.rows.menu_item.push({
      ...columns,
      kind: 'combo',
      sort: first + index,
      default_milk_addon_id: null,
      default_coffee_addon_id: null,
      takes_addons: true,
      ...sellColumns(combo.sell),
      meal_combo_id: null,
      meal_slot_id: null,
    });
    readPrices(reading, combo, path, columns.id);
    readAvailability(reading, combo.availability, path, columns.id);
    readWindows(reading, combo.windows, path, columns.id);
    for (const [sort, slot] of combo.slots.entries())
      readSlot(reading, slot, entryPath(fieldPath(path, 'slots'), sort), columns.id, sort);
  }
};

/** How many picks a slot takes: one, where the file leaves it open. */
const boundsOf = ({ min, max }: SlotEntry) => {
  const least = min ?? Math.min(1, max ?? 1);
  return { least, most: max ?? Math.max(1, least) };
};

const readSlot = (reading: Reading, slot: SlotEntry, path: string, comboId: Uuid, sort: number): void => {
  const { rows, faults, main, register } = reading;
  checkLanguage(slot.name, path, 'name', main, faults);
  const { least, most } = boundsOf(slot);
  if (least > most) faults.rule(path, 'max', 'is less than `min`');
  const id = register.idAt(path);
  const preset = readDefault(reading, slot, path);
  rows.combo_slot.push({
    id,
    combo_id: comboId,
    ...nameColumns(slot.name, main),
    sort,
    min: least,
    max: most,
    default_item_id: preset.item?.id ?? null,
    default_size_label: preset.size,
    archived_at: null,
  });
  const offered = new Set<Uuid>();
  for (const [index, choice] of slot.choices.entries())
    readChoice(reading, choice, entryPath(fieldPath(path, 'choices'), index), {
      slotId: id,
      sort: index,
      offered,
    });
  if (preset.item !== null && !offered.has(preset.item.id) && !hasWrongChoice(reading, slot, path))
    faults.add(fieldPath(path, 'default'), 'is not among the choices of this slot');
};

const hasWrongChoice = ({ register }: Reading, slot: SlotEntry, path: string): boolean =>
  slot.choices.some((_, index) => register.isWrong(`${entryPath(fieldPath(path, 'choices'), index)}.item`));

/** What a slot holds before the guest chooses. */
const readDefault = (
  reading: Reading,
  slot: SlotEntry,
  path: string,
): { readonly item: Thing | null; readonly size: string | null } => {
  const { register, faults } = reading;
  if (slot.default === undefined) {
    if (slot.default_size !== undefined) faults.rule(path, 'default_size', 'needs a `default`');
    return { item: null, size: null };
  }
  const item = plainItem(reading, slot.default, fieldPath(path, 'default'));
  const entry = item === null ? null : itemAt(reading, item.path);
  if (item === null || entry === null || slot.default_size === undefined) return { item, size: null };
  const at = fieldPath(path, 'default_size');
  const size = register.isWrong(at)
    ? null
    : resolveSize(reading, { entry, path: item.path }, slot.default_size, at);
  return { item, size };
};

/** A choice is a plain item: a combo inside a combo is refused (Decisions 5, COMBO_NESTED). */
const plainItem = ({ register, faults }: Reading, reference: string, path: string): Thing | null => {
  if (!register.knows('combo', reference) || register.knows('item', reference))
    return register.resolve('item', reference, path);
  faults.add(path, `names a combo: ‘${reference}’; a combo holds plain items only`);
  return null;
};

interface SlotPlace {
  readonly slotId: Uuid;
  readonly sort: number;
  readonly offered: Set<Uuid>;
}

const readChoice = (reading: Reading, choice: ChoiceEntry, path: string, place: SlotPlace): void => {
  const { rows, faults } = reading;
  const item = plainItem(reading, choice.item, fieldPath(path, 'item'));
  const entry = item === null ? null : itemAt(reading, item.path);
  if (item === null || entry === null) return;
  if (place.offered.has(item.id)) {
    faults.rule(path, 'item', 'is a choice of this slot already');
    return;
  }
  place.offered.add(item.id);
  const included = includedSize(reading, choice, { entry, path: item.path }, path);
  rows.combo_choice.push({
    slot_id: place.slotId,
    item_id: item.id,
    included_size_label: included,
    surcharge: choice.surcharge ?? 0,
    sort: place.sort,
  });
  readExtras(reading, choice.size_extras ?? [], { entry, path: item.path, id: item.id }, path, {
    ...place,
    included,
  });
};

/** '' for an item without sizes (Decisions 3). */
const includedSize = (
  reading: Reading,
  choice: ChoiceEntry,
  item: { readonly entry: ItemEntry; readonly path: string },
  path: string,
): string => {
  const sizes = item.entry.sizes ?? [];
  if (choice.included_size !== undefined)
    return resolveSize(reading, item, choice.included_size, fieldPath(path, 'included_size')) ?? '';
  if (sizes.length > 0)
    reading.faults.rule(
      path,
      'included_size',
      `is missing: ‘${choice.item}’ has sizes, and one must be the included one`,
    );
  return '';
};

const readExtras = (
  reading: Reading,
  extras: readonly ExtraEntry[],
  item: { readonly entry: ItemEntry; readonly path: string; readonly id: Uuid },
  path: string,
  { slotId, included }: { readonly slotId: Uuid; readonly included: string },
): void => {
  const { rows, faults } = reading;
  const seen = new Set<string>();
  for (const [index, { size, extra }] of extras.entries()) {
    const at = entryPath(fieldPath(path, 'size_extras'), index);
    const label = resolveSize(reading, item, size, fieldPath(at, 'size'));
    if (label === null) continue;
    if (label === included) faults.rule(at, 'size', 'is the included size, which adds nothing');
    else if (seen.has(label)) faults.rule(at, 'size', 'is named before in this list');
    else rows.combo_size_extra.push({ slot_id: slotId, item_id: item.id, size_label: label, extra });
    seen.add(label);
  }
};
