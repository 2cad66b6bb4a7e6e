import type { Uuid } from '../../../kernel/ids.ts';
import type { CartLine, Chosen } from './types.ts';

/** Units of a thing that one path of a cart takes. */
interface Usage {
  readonly path: string;
  readonly id: Uuid;
  readonly units: number;
}

const usagesOfChosen = (path: string, chosen: Chosen, units: number): readonly Usage[] => [
  { path, id: chosen.menuItemId, units },
  ...chosen.addons.map(({ addonItemId, quantity }, index) => ({
    path: `${path}.addons[${index}]`,
    id: addonItemId,
    units: units * quantity,
  })),
];

const usagesOfLine = (line: CartLine, index: number): readonly Usage[] => {
  const path = `items[${index}]`;
  const picks = line.combo?.picks ?? [];
  return [
    ...usagesOfChosen(path, line, line.quantity),
    ...picks.flatMap((pick, place) =>
      usagesOfChosen(`${path}.combo.picks[${place}]`, pick, line.quantity * pick.quantity),
    ),
  ];
};

/** Units of each item, combo and add-on in a cart, parts of combos included. */
export const unitsTaken = (lines: readonly CartLine[]): ReadonlyMap<Uuid, number> => {
  const taken = new Map<Uuid, number>();
  for (const { id, units } of lines.flatMap(usagesOfLine)) taken.set(id, (taken.get(id) ?? 0) + units);
  return taken;
};

/**
 * The paths whose running total exceeds the counted stock, with the units left. Lines refused for another reason count
 * too: once corrected, they take the same units.
 */
export const shortages = (
  lines: readonly CartLine[],
  stock: ReadonlyMap<Uuid, number>,
): ReadonlyMap<string, number> => {
  const unitsLeft = new Map<string, number>();
  if (stock.size === 0) return unitsLeft;
  const taken = new Map<Uuid, number>();
  for (const { path, id, units } of lines.flatMap(usagesOfLine)) {
    const left = stock.get(id);
    if (left === undefined) continue;
    const together = (taken.get(id) ?? 0) + units;
    taken.set(id, together);
    if (together > left) unitsLeft.set(path, left);
  }
  return unitsLeft;
};
