/** What the rows of an item say of its sizes and prices, laid over those that it has. */
import { PRICE_COLUMNS, type MenuLine } from '../../domain/menu-csv/menu-csv.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import { asCell } from '../../domain/menu-csv/cells.ts';
import { inPounds } from '../../../kernel/money.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { foldedForm } from '../../domain/text.ts';
import { sameForm } from '../identity.ts';
import { languagesOf, mainText, type LocalText } from '../localized.ts';
import type { ItemEntry } from '../read/reading.ts';
import { cell, isKnown, LANGUAGES, type Field, type Group, type Merge } from './groups.ts';

type Priced = Pick<ItemEntry, 'price' | 'prices'>;
type Size = NonNullable<ItemEntry['sizes']>[number];

/** The sizes and prices of an item as the table makes them. */
export interface Merged {
  readonly priced: Priced & Pick<ItemEntry, 'sizes'>;
  /** The line that each size came from; null where the shop had it before. */
  readonly lineOfSize: readonly (MenuLine | null)[];
  /** Sizes that the item has and its rows do not name. */
  readonly missing: readonly string[];
  /** Sizes that its rows name and it has not. */
  readonly added: readonly string[];
}

const PRICES: readonly MenuColumn[] = ['price_egp', ...Object.values(PRICE_COLUMNS)];

/** A text with the languages of the table laid over those it had; undefined when nothing is left. */
export const overlaid = (
  { menu, main }: Merge,
  line: MenuLine,
  field: Field,
  before: LocalText | undefined,
  isSame: (old: string, text: string) => boolean = isWrittenAs,
): Record<string, string> | undefined => {
  const texts = { ...(before === undefined ? {} : languagesOf(before, main)) };
  for (const language of LANGUAGES) {
    if (!menu.columns.has(`${field}_${language}`)) continue;
    const text = cell(line, field, language);
    const old = texts[language];
    if (text === '') Reflect.deleteProperty(texts, language);
    else if (old === undefined || !isSame(old, text)) texts[language] = text;
  }
  return Object.keys(texts).length === 0 ? undefined : texts;
};

/** Whether a text is in a cell what it is in the shop: what a cell does not keep of it is no change. */
const isWrittenAs = (old: string, text: string): boolean => asCell(old) === text;

/** The same, where a name is only what the item was found by: its spelling is the shop's. */
export const isFoundAs = (old: string, text: string): boolean => foldedForm(asCell(old)) === foldedForm(text);

// ── Prices ──────────────────────────────────────────────────────────────────────────────────────

const saysPrice = (line: MenuLine): boolean =>
  line.price !== null || Object.keys(line.channelPrices).length > 0;

/** The line's prices; those that no column of the table speaks of stay. */
const pricesOf = (merge: Merge, line: MenuLine, before: Priced): Priced => {
  const { menu, faults } = merge;
  const isSpokenOf = (channel: (typeof ONLINE_CHANNELS)[number] | undefined): boolean =>
    channel !== undefined && menu.columns.has(PRICE_COLUMNS[channel]);
  const kept = (before.prices ?? []).filter(
    ({ branch, channel }) => branch !== undefined || !isSpokenOf(channel),
  );
  const own = ONLINE_CHANNELS.flatMap((channel) => {
    const price = line.channelPrices[channel];
    return price === undefined ? [] : [{ channel, price }];
  });
  const prices = [...own, ...kept];
  const isEmptied = menu.columns.has('price_egp') && line.price === null;
  const price = isEmptied ? undefined : (line.price ?? before.price);
  const isNothing = price === undefined && prices.length === 0;
  const isLost = isEmptied && !saysPrice(line) && before.price !== undefined;
  if ((isNothing || isLost) && hasKnownPrices(merge, line))
    faults.push({ row: line.row, column: 'price_egp', problem: 'is missing' });
  return {
    ...(price === undefined ? {} : { price }),
    ...(prices.length === 0 ? {} : { prices }),
  };
};

const hasKnownPrices = ({ menu }: Merge, line: MenuLine): boolean =>
  PRICES.every((column) => isKnown(menu, [line], column));

// ── Sizes ───────────────────────────────────────────────────────────────────────────────────────

const labelOf = ({ label }: Size, { main }: Merge): string => mainText(label, main);

/** The size that each line names: as it is written, else without looking at capitals. */
const sizesNamed = (
  merge: Merge,
  lines: readonly MenuLine[],
  sizes: readonly Size[],
): (Size | undefined)[] => {
  const formOf = (size: Size): string => sameForm(asCell(labelOf(size, merge)));
  const labels = lines.map((line) => sameForm(cell(line, 'size', merge.main)));
  const rest = sizes.filter((size) => !labels.includes(formOf(size)));
  return labels.map(
    (label) =>
      sizes.find((size) => formOf(size) === label) ??
      rest.find((size) => foldedForm(formOf(size)) === foldedForm(label)),
  );
};

const quoted = (labels: readonly string[]): string => labels.map((label) => `‘${label}’`).join(', ');

/** Prices that stand on the item itself have no place once it has sizes. */
const checkLostPrices = (merge: Merge, { first }: Group, before: ItemEntry): void => {
  const { menu, faults } = merge;
  const lost = (before.prices ?? []).filter(
    ({ branch, channel }) =>
      branch !== undefined || channel === undefined || !menu.columns.has(PRICE_COLUMNS[channel]),
  );
  if (lost.length === 0) return;
  const places = lost.map(({ branch, channel, price }) =>
    [channel, branch === undefined ? undefined : `at ${branch}`, inPounds(price)]
      .filter((word) => word !== undefined)
      .join(' '),
  );
  faults.push({
    row: first.row,
    column: `size_${merge.main}`,
    problem:
      `would give sizes to an item without, and its other prices would be lost (${places.join(', ')}): ` +
      '--remove-missing-sizes lets them go',
  });
};

/** Of an item whose rows name sizes. */
const named = (merge: Merge, group: Group, before: ItemEntry | null, removeMissing: boolean): Merged => {
  const { main } = merge;
  const old = before?.sizes ?? [];
  if (before !== null && old.length === 0 && !removeMissing) checkLostPrices(merge, group, before);
  const lines = group.lines.filter((line) => cell(line, 'size', main) !== '');
  const knownSizes = sizesNamed(merge, lines, old);
  const told = lines.map((line, index) => {
    const known = knownSizes[index];
    const earlier = known === undefined ? -1 : knownSizes.indexOf(known);
    if (known !== undefined && earlier < index) {
      const problem = `is the same size as in row ${lines[earlier]?.row ?? 0}`;
      merge.faults.push({ row: line.row, column: `size_${main}`, problem });
    }
    const labels = overlaid(merge, line, 'size', known?.label, isFoundAs) ?? {};
    const size: Size = {
      label: { [main]: cell(line, 'size', main), ...labels },
      ...pricesOf(merge, line, known ?? {}),
    };
    return { line, known, size };
  });
  const missing = old.filter((size) => told.every(({ known }) => known !== size));
  const isWhole = removeMissing || missing.length === 0;
  // Sizes that stay keep their places; a file that names all of them says their order too.
  const inOrder = isWhole
    ? told
    : [
        ...old.map((size) => told.find(({ known }) => known === size) ?? { line: null, size }),
        ...told.filter(({ known }) => known === undefined),
      ];
  return {
    priced: { sizes: inOrder.map(({ size }) => size) },
    lineOfSize: inOrder.map(({ line }) => line),
    missing: missing.map((size) => labelOf(size, merge)),
    added: told.filter(({ known }) => known === undefined).map(({ size }) => labelOf(size, merge)),
  };
};

/** Of an item whose row names no size. */
const unnamed = (
  merge: Merge,
  { first }: Group,
  before: ItemEntry | null,
  removeMissing: boolean,
): Merged => {
  const { faults, main } = merge;
  const sizes = before?.sizes ?? [];
  const labels = sizes.map((size) => labelOf(size, merge));
  const [only, second] = sizes;
  const says = saysPrice(first);
  if (only === undefined || (removeMissing && says))
    return {
      priced: pricesOf(merge, first, only === undefined ? (before ?? {}) : {}),
      lineOfSize: [],
      missing: labels,
      added: [],
    };
  if (says && second === undefined)
    return {
      priced: { sizes: [{ label: only.label, ...pricesOf(merge, first, only) }] },
      lineOfSize: [first],
      missing: [],
      added: [],
    };
  if (says)
    faults.push({
      row: first.row,
      column: `size_${main}`,
      problem:
        `is missing: the item has the sizes ${quoted(labels)}. Name the size, or leave the price blank; ` +
        '--remove-missing-sizes sells it without sizes at this price',
    });
  return { priced: { sizes: [...sizes] }, lineOfSize: sizes.map(() => null), missing: [], added: [] };
};

/** The sizes and prices that the rows make of those an item has; `removeMissing`: sizes they do not name go. */
export const sizesAndPrices = (
  merge: Merge,
  group: Group,
  before: ItemEntry | null,
  removeMissing: boolean,
): Merged => {
  const isNamed = group.lines.some((line) => cell(line, 'size', merge.main) !== '');
  return (isNamed ? named : unnamed)(merge, group, before, removeMissing);
};
