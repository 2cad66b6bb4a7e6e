/** The lines of an earlier order, as far as they are sold now. */
import { ApiError } from '../../../../../client/client.ts';
import type { CartLine } from '../../../components/order.ts';
import { isAboutCart, lineFaults, lineOf, type LineFault } from '../refusals.ts';

type Making = Pick<CartLine, 'size_label' | 'optional_field_ids' | 'addons'>;

const makingIn = ({ size_label: size, optional_field_ids: optionals = [], addons = [] }: Making): Making => ({
  ...(size == null ? {} : { size_label: size }),
  ...(addons.length === 0 ? {} : { addons }),
  ...(optionals.length === 0 ? {} : { optional_field_ids: optionals }),
});

/** As the page itself makes a line, so that the same making is one line of the cart; without its names and notes. */
export const lineIn = (past: CartLine): CartLine => ({
  ...(past.menu_item_id == null ? {} : { menu_item_id: past.menu_item_id }),
  quantity: past.quantity,
  ...makingIn(past),
  ...(past.combo == null
    ? {}
    : {
        combo: {
          picks: past.combo.picks.map((pick) => ({
            ...{ slot_id: pick.slot_id, menu_item_id: pick.menu_item_id, quantity: pick.quantity ?? 1 },
            ...makingIn(pick),
          })),
        },
      }),
});

export interface LeftOut {
  /** The place in the earlier order. */
  readonly index: number;
  /** Units that are left, and taken. */
  readonly available: number;
}

export interface Sold {
  readonly lines: readonly CartLine[];
  readonly leftOut: readonly LeftOut[];
}

interface Asked {
  readonly index: number;
  readonly line: CartLine;
}

/** The lines whose fields are malformed, such as a size that an item has no more. */
const malformedLines = ({ body }: ApiError): readonly LineFault[] =>
  (body.fields ?? []).flatMap(({ path }) => {
    const line = lineOf(path);
    return line === null ? [] : [{ line, available: null }];
  });

/** Units that are left of the lines that a refusal names, by place in the request. Throws a refusal of none. */
const leftOf = (fault: unknown): ReadonlyMap<number, number> => {
  if (!(fault instanceof ApiError)) throw fault;
  const named = isAboutCart(fault) ? lineFaults(fault) : malformedLines(fault);
  if (named.length === 0) throw fault;
  return new Map(named.map(({ line, available }) => [line, available ?? 0]));
};

/** `quote` is refused with all faults of its lines at once; what is left of them is asked for again. */
export const soldOf = async (
  quote: (lines: readonly CartLine[]) => Promise<unknown>,
  lines: readonly CartLine[],
): Promise<Sold> => {
  let asked: readonly Asked[] = lines.map((line, index) => ({ index, line }));
  const leftOut = new Map<number, number>();
  while (asked.length > 0)
    try {
      await quote(asked.map(({ line }) => line));
      break;
    } catch (fault) {
      const left = leftOf(fault);
      asked = asked.flatMap(({ index, line }, place) => {
        const available = left.get(place);
        if (available === undefined) return [{ index, line }];
        leftOut.set(index, available);
        const isLess = available > 0 && available < line.quantity;
        return isLess ? [{ index, line: { ...line, quantity: available } }] : [];
      });
    }
  return {
    lines: asked.map(({ line }) => line),
    leftOut: [...leftOut].map(([index, available]) => ({ index, available })),
  };
};
