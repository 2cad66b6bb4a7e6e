import type { Uuid } from '../../../kernel/ids.ts';
import type { CartLine, Chosen } from './types.ts';

/** Units of something that one place of a cart takes. */
interface Claim {
  readonly path: string;
  readonly id: Uuid;
  readonly units: number;
}

/** `units`: how many of the thing the whole line takes. */
const claimsOfChosen = (path: string, chosen: Chosen, units: number): readonly Claim[] => [
  { path, id: chosen.menuItemId, units },
  ...chosen.addons.map(({ addonItemId, quantity }, index) => ({
    path: `${path}.addons[${index}]`,
    id: addonItemId,
    units: units * quantity,
  })),
];

const claimsOfLine = (line: CartLine, index: number): readonly Claim[] => {
  const path = `items[${index}]`;
  const picks = line.combo?.picks ?? [];
  return [
    ...claimsOfChosen(path, line, line.quantity),
    ...picks.flatMap((pick, place) =>
      claimsOfChosen(`${path}.combo.picks[${place}]`, pick, line.quantity * pick.quantity),
    ),
  ];
};

/** The units that a cart takes of each thing, parts of combos and add-ons included. */
export const unitsTaken = (lines: readonly CartLine[]): ReadonlyMap<Uuid, number> => {
  const taken = new Map<Uuid, number>();
  for (const { id, units } of lines.flatMap(claimsOfLine)) taken.set(id, (taken.get(id) ?? 0) + units);
  return taken;
};

/**
 * The places of a cart from which on counted stock does not suffice, and the units left of what they want, for all
 * lines together, parts of combos and add-ons included. Every line counts, also one that is refused for another
 * reason: mended, it wants the same units.
 */
export const shortages = (
  lines: readonly CartLine[],
  stock: ReadonlyMap<Uuid, number>,
): ReadonlyMap<string, number> => {
  const short = new Map<string, number>();
  if (stock.size === 0) return short;
  const taken = new Map<Uuid, number>();
  for (const { path, id, units } of lines.flatMap(claimsOfLine)) {
    const left = stock.get(id);
    if (left === undefined) continue;
    const together = (taken.get(id) ?? 0) + units;
    taken.set(id, together);
    if (together > left) short.set(path, left);
  }
  return short;
};
