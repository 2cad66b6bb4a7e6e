/** Units of a line that become a line of their own. */
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { App } from '../../platform/app/app.ts';
import { inputOfUnits, ofUnits, stockOfUnits } from '../domain/ticket-line.ts';
import type { ItemWithOffers } from '../store/ticket-item.ts';

interface Divided {
  /** The units; the line itself where they are all of it. */
  readonly taken: ItemWithOffers;
  /** The line with the units that are left; null: none. */
  readonly rest: ItemWithOffers | null;
}

const withUnits = (item: ItemWithOffers, units: number): ItemWithOffers => {
  const line = ofUnits(item.line, units);
  const stock = stockOfUnits(item.stock, units, item.quantity);
  const input = inputOfUnits(item.input, units);
  return { ...item, quantity: units, line, input, stock, lineTotal: line.line_total };
};

/** Throws INVALID_INPUT at `path` for more units than the line has, and COMBO_WHOLE_ONLY for some units of a combo. */
export const divided = (
  app: Pick<App, 'random'>,
  item: ItemWithOffers,
  units: number,
  path: string,
): Divided => {
  const most = item.quantity;
  if (units > most)
    throw invalidInput({
      path,
      problem: `is more than the line has: ${most}`,
      arabic: `أكثر من وحدات السطر: ${most}`,
    });
  if (units === most) return { taken: item, rest: null };
  if (item.line.combo !== null) throw new Refusal('COMBO_WHOLE_ONLY');
  return {
    taken: { ...withUnits(item, units), id: app.random.uuid() },
    rest: withUnits(item, most - units),
  };
};
