/** The lines of a cart, kept in the browser for each branch and channel, or table. Prices are never kept. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CartLine } from '../../components/order.ts';
import { local, readStored, tryStore } from '../storage.ts';

const isLine = (value: unknown): value is CartLine =>
  typeof value === 'object' &&
  value !== null &&
  'menu_item_id' in value &&
  typeof value.menu_item_id === 'string' &&
  'quantity' in value &&
  typeof value.quantity === 'number';

const readCart = (key: string): readonly CartLine[] => {
  const kept = readStored(local, key);
  return Array.isArray(kept) ? kept.filter(isLine) : [];
};

export const MAX_QUANTITY = 999;

/** Two lines of one cart never have the same. */
export const makingOf = (line: CartLine): string => JSON.stringify({ ...line, quantity: 0 });

const isSame = (a: CartLine, b: CartLine): boolean => makingOf(a) === makingOf(b);

/** A line of the same making is increased. */
const withLine = (lines: readonly CartLine[], added: CartLine): readonly CartLine[] => {
  const at = lines.findIndex((line) => isSame(line, added));
  if (at < 0) return [...lines, added];
  return lines.map((line, index) =>
    index === at ? { ...line, quantity: Math.min(MAX_QUANTITY, line.quantity + added.quantity) } : line,
  );
};

/** A line of the same making has at least its quantity. */
const including = (lines: readonly CartLine[], included: CartLine): readonly CartLine[] => {
  const here = lines.find((line) => isSame(line, included))?.quantity ?? 0;
  const missing = included.quantity - here;
  return missing > 0 ? withLine(lines, { ...included, quantity: missing }) : lines;
};

const without = (lines: readonly CartLine[], ordered: CartLine): readonly CartLine[] =>
  lines
    .map((line) => (isSame(line, ordered) ? { ...line, quantity: line.quantity - ordered.quantity } : line))
    .filter(({ quantity }) => quantity > 0);

export interface Cart {
  readonly lines: readonly CartLine[];
  readonly count: number;
  add(line: CartLine): void;
  /** At least these: a second tap on the same order changes nothing. */
  include(lines: readonly CartLine[]): void;
  /** 0 removes the line. */
  setQuantity(index: number, quantity: number): void;
  /** What was ordered is taken off: another tab may have added more. */
  takeOff(ordered: readonly CartLine[]): void;
}

/** Follows the cart of other tabs, and what became of it while the back button was away. */
const useOtherTabs = (key: string, onChange: () => void): void => {
  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === key || event.key === null) onChange();
    };
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) onChange();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onShow);
    };
  }, []);
};

/** `name`: of where it is ordered. */
export const useCart = (name: string): Cart => {
  const key = `ahwa-cart ${name}`;
  const [lines, setLines] = useState(() => readCart(key));
  const latest = useRef(lines);
  latest.current = lines;
  const isKept = useRef(true);
  const change = (next: readonly CartLine[]): void => {
    isKept.current = tryStore(local, key, next.length === 0 ? null : next);
    setLines(next);
  };
  useOtherTabs(key, () => {
    if (isKept.current) setLines(readCart(key));
  });
  return {
    lines,
    count: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    add: (line) => change(withLine(lines, line)),
    include: (included) => change(included.reduce(including, latest.current)),
    setQuantity: (at, quantity) =>
      change(
        lines
          .map((line, index) =>
            index === at ? { ...line, quantity: Math.min(MAX_QUANTITY, quantity) } : line,
          )
          .filter((line) => line.quantity > 0),
      ),
    takeOff: (ordered) => change(ordered.reduce(without, latest.current)),
  };
};
