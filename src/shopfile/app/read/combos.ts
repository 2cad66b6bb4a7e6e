/** Reads combos: slots, choices and size extras. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { columnsFrom } from '../fields.ts';
import { nameColumns } from '../localized.ts';
import { checkLanguage, type Entity } from '../entity-index.ts';
import { itemColumns } from './items.ts';
import type { ComboEntry, Entry, ItemEntry, ReadContext } from './context.ts';
import { readAvailability, readPrices, readWindows, sellColumns } from './sale.ts';
import { itemAt, resolveSize } from './sizes.ts';

type SlotEntry = ComboEntry['slots'][number];
type ChoiceEntry = SlotEntry['choices'][number];
type ExtraEntry = Entry<NonNullable<ChoiceEntry['size_extras']>>;

/** Combos sort after the items; the offset keeps their `sort` stable when items are added. */
const FIRST_COMBO_SORT = 10_000;

export const readCombos = (context: ReadContext): void => {
  const first = Math.max(FIRST_COMBO_SORT, context.file.menu.items?.length ?? 0);
  for (const [index, combo] of (context.file.menu.combos ?? []).entries()) {
    const path = entryPath('menu.combos', index);
    const columns = itemColumns(context, combo, path);
    context.rows.menu_item.push({
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
    readPrices(context, combo, path, columns.id);
    readAvailability(context, combo.availability, path, columns.id);
    readWindows(context, combo.windows, path, columns.id);
    for (const [sort, slot] of combo.slots.entries())
      readSlot(context, slot, entryPath(fieldPath(path, 'slots'), sort), columns.id, sort);
  }
};

/** Default: exactly one pick. */
const boundsOf = ({ min, max }: SlotEntry) => {
  const least = min ?? Math.min(1, max ?? 1);
  return { least, most: max ?? Math.max(1, least) };
};

const readSlot = (context: ReadContext, slot: SlotEntry, path: string, comboId: Uuid, sort: number): void => {
  const { rows, faults, main, entityIndex } = context;
  checkLanguage(slot.name, path, 'name', main, faults);
  const { least, most } = boundsOf(slot);
  if (least > most) faults.rule(path, 'max', 'is less than `min`');
  const id = entityIndex.idAt(path);
  const preset = readDefault(context, slot, path);
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
    readChoice(context, choice, entryPath(fieldPath(path, 'choices'), index), {
      slotId: id,
      sort: index,
      offered,
    });
  if (preset.item !== null && !offered.has(preset.item.id) && !hasInvalidChoice(context, slot, path))
    faults.add(fieldPath(path, 'default'), 'is not among the choices of this slot');
};

const hasInvalidChoice = ({ entityIndex }: ReadContext, slot: SlotEntry, path: string): boolean =>
  slot.choices.some((_, index) =>
    entityIndex.isInvalid(`${entryPath(fieldPath(path, 'choices'), index)}.item`),
  );

/** The preselected choice of a slot. */
const readDefault = (
  context: ReadContext,
  slot: SlotEntry,
  path: string,
): { readonly item: Entity | null; readonly size: string | null } => {
  const { entityIndex, faults } = context;
  if (slot.default === undefined) {
    if (slot.default_size !== undefined) faults.rule(path, 'default_size', 'needs a `default`');
    return { item: null, size: null };
  }
  const item = plainItem(context, slot.default, fieldPath(path, 'default'));
  const entry = item === null ? null : itemAt(context, item.path);
  if (item === null || entry === null || slot.default_size === undefined) return { item, size: null };
  const at = fieldPath(path, 'default_size');
  const size = entityIndex.isInvalid(at)
    ? null
    : resolveSize(context, { entry, path: item.path }, slot.default_size, at);
  return { item, size };
};

/** A choice is a plain item: a combo inside a combo is refused (Decisions 5, COMBO_NESTED). */
const plainItem = ({ entityIndex, faults }: ReadContext, reference: string, path: string): Entity | null => {
  if (!entityIndex.has('combo', reference) || entityIndex.has('item', reference))
    return entityIndex.resolve('item', reference, path);
  faults.add(path, `names a combo: ‘${reference}’; a combo holds plain items only`);
  return null;
};

interface SlotPlace {
  readonly slotId: Uuid;
  readonly sort: number;
  readonly offered: Set<Uuid>;
}

const readChoice = (context: ReadContext, choice: ChoiceEntry, path: string, place: SlotPlace): void => {
  const { rows, faults } = context;
  const item = plainItem(context, choice.item, fieldPath(path, 'item'));
  const entry = item === null ? null : itemAt(context, item.path);
  if (item === null || entry === null) return;
  if (place.offered.has(item.id)) {
    faults.rule(path, 'item', 'is a choice of this slot already');
    return;
  }
  place.offered.add(item.id);
  const included = includedSize(context, choice, { entry, path: item.path }, path);
  rows.combo_choice.push({
    slot_id: place.slotId,
    item_id: item.id,
    included_size_label: included,
    ...columnsFrom('combo_choice', choice),
    sort: place.sort,
  });
  readExtras(context, choice.size_extras ?? [], { entry, path: item.path, id: item.id }, path, {
    ...place,
    included,
  });
};

/** '' for an item without sizes (Decisions 3). */
const includedSize = (
  context: ReadContext,
  choice: ChoiceEntry,
  item: { readonly entry: ItemEntry; readonly path: string },
  path: string,
): string => {
  const sizes = item.entry.sizes ?? [];
  if (choice.included_size !== undefined)
    return resolveSize(context, item, choice.included_size, fieldPath(path, 'included_size')) ?? '';
  if (sizes.length > 0)
    context.faults.rule(
      path,
      'included_size',
      `is missing: ‘${choice.item}’ has sizes, and one must be the included one`,
    );
  return '';
};

const readExtras = (
  context: ReadContext,
  extras: readonly ExtraEntry[],
  item: { readonly entry: ItemEntry; readonly path: string; readonly id: Uuid },
  path: string,
  { slotId, included }: { readonly slotId: Uuid; readonly included: string },
): void => {
  const { rows, faults } = context;
  const seen = new Set<string>();
  for (const [index, { size, extra }] of extras.entries()) {
    const at = entryPath(fieldPath(path, 'size_extras'), index);
    const label = resolveSize(context, item, size, fieldPath(at, 'size'));
    if (label === null) continue;
    if (label === included) faults.rule(at, 'size', 'is the included size, which adds nothing');
    else if (seen.has(label)) faults.rule(at, 'size', 'is named before in this list');
    else rows.combo_size_extra.push({ slot_id: slotId, item_id: item.id, size_label: label, extra });
    seen.add(label);
  }
};
