/** A line of an earlier order, as what orders it again. */
import type { Static } from 'typebox';
import type { FrozenLine, FrozenPart } from '../../pricing/domain/frozen-cart.ts';
import type { PastOrderLine } from '../contract/order-again.ts';

const makingReply = ({ size_label, optionals, addons }: FrozenLine | FrozenPart) => ({
  size_label,
  optional_field_ids: optionals.map(({ optional_field_id }) => optional_field_id),
  addons: addons.map(({ addon_item_id, quantity }) => ({ addon_item_id, quantity })),
});

/** The parts are stored for the whole line, and picked for one combo (Shapes, ComboPickInput). */
export const pastLineReply = (line: FrozenLine): Static<typeof PastOrderLine> => ({
  name: line.name,
  name_translations: line.name_translations,
  menu_item_id: line.menu_item_id,
  quantity: line.quantity,
  ...makingReply(line),
  combo: line.combo && {
    picks: line.combo.parts.map((part) => ({
      slot_id: part.slot_id,
      menu_item_id: part.menu_item_id,
      quantity: part.quantity / line.quantity,
      ...makingReply(part),
    })),
  },
});
