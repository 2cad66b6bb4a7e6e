/** Merges the rows of an item into its sizes and prices. */
import { PRICE_COLUMNS, type MenuLine } from '../../domain/menu-csv/menu-csv.ts';
import type { MenuColumn } from '../../domain/menu-csv/columns.ts';
import { cellRoundTrip } from '../../domain/menu-csv/cells.ts';
import { inPounds } from '../../../kernel/money.ts';
import { ONLINE_CHANNELS } from '../../../shops/domain/shop.ts';
import { caseFolded } from '../../../kernel/closest-word.ts';
import { normalizedName } from '../entity-ids.ts';
import { languagesOf, mainText, type LocalText } from '../localized.ts';
import type { ItemEntry } from '../read/context.ts';
import { cell, isReadable, LANGUAGES, type Field, type Group, type MergeContext } from './row-groups.ts';

type Priced = Pick<ItemEntry, 'price' | 'prices'>;
type Size = NonNullable<ItemEntry['sizes']>[number];

export interface MergedSizes {
  readonly priced: Priced & Pick<ItemEntry, 'sizes'>;
  /** Per size; null without a row. */
  readonly lineOfSize: readonly (MenuLine | null)[];
  /** Stored sizes that no row names. */
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

const PRICES: readonly MenuColumn[] = ['price_egp', ...Object.values(PRICE_COLUMNS)];

/** A blank cell removes its language. Undefined if no text is left. */
export const mergedText = (
  { menu, main }: MergeContext,
  line: MenuLine,
  field: Field,
  before: LocalText | undefined,
  isSame: (old: string, text: string) => boolean = sameCellText,
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

/** Ignores what a cell cannot represent. */
const sameCellText = (old: string, text: string): boolean => cellRoundTrip(old) === text;

/** For matched names: the stored spelling stays. */
export const sameFoldedText = (old: string, text: string): boolean =>
  caseFolded(cellRoundTrip(old)) === caseFolded(text);

// ── Prices ──────────────────────────────────────────────────────────────────────────────────────

const hasPrice = (line: MenuLine): boolean =>
  line.price !== null || Object.keys(line.channelPrices).length > 0;

/** Prices without a column stay. */
const mergedPrices = (context: MergeContext, line: MenuLine, before: Priced): Priced => {
  const { menu, faults } = context;
  const hasColumn = (channel: (typeof ONLINE_CHANNELS)[number] | undefined): boolean =>
    channel !== undefined && menu.columns.has(PRICE_COLUMNS[channel]);
  const retained = (before.prices ?? []).filter(
    ({ branch, channel }) => branch !== undefined || !hasColumn(channel),
  );
  const own = ONLINE_CHANNELS.flatMap((channel) => {
    const price = line.channelPrices[channel];
    return price === undefined ? [] : [{ channel, price }];
  });
  const prices = [...own, ...retained];
  const isEmptied = menu.columns.has('price_egp') && line.price === null;
  const price = isEmptied ? undefined : (line.price ?? before.price);
  const isNothing = price === undefined && prices.length === 0;
  const isLost = isEmptied && !hasPrice(line) && before.price !== undefined;
  if ((isNothing || isLost) && hasKnownPrices(context, line))
    faults.push({ row: line.row, column: 'price_egp', problem: 'is missing' });
  return {
    ...(price === undefined ? {} : { price }),
    ...(prices.length === 0 ? {} : { prices }),
  };
};

const hasKnownPrices = ({ menu }: MergeContext, line: MenuLine): boolean =>
  PRICES.every((column) => isReadable(menu, [line], column));

// ── Sizes ───────────────────────────────────────────────────────────────────────────────────────

const labelOf = ({ label }: Size, { main }: MergeContext): string => mainText(label, main);

/** An exact match first, else case-insensitive. */
const matchSizes = (
  context: MergeContext,
  lines: readonly MenuLine[],
  sizes: readonly Size[],
): (Size | undefined)[] => {
  const formOf = (size: Size): string => normalizedName(cellRoundTrip(labelOf(size, context)));
  const labels = lines.map((line) => normalizedName(cell(line, 'size', context.main)));
  const rest = sizes.filter((size) => !labels.includes(formOf(size)));
  return labels.map(
    (label) =>
      sizes.find((size) => formOf(size) === label) ??
      rest.find((size) => caseFolded(formOf(size)) === caseFolded(label)),
  );
};

const quoted = (labels: readonly string[]): string => labels.map((label) => `‘${label}’`).join(', ');

/** Adding sizes to an item drops the prices of the item itself. */
const checkLostPrices = (context: MergeContext, { first }: Group, before: ItemEntry): void => {
  const { menu, faults } = context;
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
    column: `size_${context.main}`,
    problem:
      `would give sizes to an item without, and its other prices would be lost (${places.join(', ')}): ` +
      '--remove-missing-sizes lets them go',
  });
};

const mergeNamedSizes = (
  context: MergeContext,
  group: Group,
  before: ItemEntry | null,
  removeMissing: boolean,
): MergedSizes => {
  const { main } = context;
  const old = before?.sizes ?? [];
  if (before !== null && old.length === 0 && !removeMissing) checkLostPrices(context, group, before);
  const lines = group.lines.filter((line) => cell(line, 'size', main) !== '');
  const knownSizes = matchSizes(context, lines, old);
  const merged = lines.map((line, index) => {
    const known = knownSizes[index];
    const earlier = known === undefined ? -1 : knownSizes.indexOf(known);
    if (known !== undefined && earlier < index) {
      const problem = `is the same size as in row ${lines[earlier]?.row ?? 0}`;
      context.faults.push({ row: line.row, column: `size_${main}`, problem });
    }
    const labels = mergedText(context, line, 'size', known?.label, sameFoldedText) ?? {};
    const size: Size = {
      label: { [main]: cell(line, 'size', main), ...labels },
      ...mergedPrices(context, line, known ?? {}),
    };
    return { line, known, size };
  });
  const missing = old.filter((size) => merged.every(({ known }) => known !== size));
  const isWhole = removeMissing || missing.length === 0;
  // The file sets the order only if it names all sizes.
  const inOrder = isWhole
    ? merged
    : [
        ...old.map((size) => merged.find(({ known }) => known === size) ?? { line: null, size }),
        ...merged.filter(({ known }) => known === undefined),
      ];
  return {
    priced: { sizes: inOrder.map(({ size }) => size) },
    lineOfSize: inOrder.map(({ line }) => line),
    missing: missing.map((size) => labelOf(size, context)),
    added: merged.filter(({ known }) => known === undefined).map(({ size }) => labelOf(size, context)),
  };
};

const mergeUnsized = (
  context: MergeContext,
  { first }: Group,
  before: ItemEntry | null,
  removeMissing: boolean,
): MergedSizes => {
  const { faults, main } = context;
  const sizes = before?.sizes ?? [];
  const labels = sizes.map((size) => labelOf(size, context));
  const [only, second] = sizes;
  const isPriced = hasPrice(first);
  if (only === undefined || (removeMissing && isPriced))
    return {
      priced: mergedPrices(context, first, only === undefined ? (before ?? {}) : {}),
      lineOfSize: [],
      missing: labels,
      added: [],
    };
  if (isPriced && second === undefined)
    return {
      priced: { sizes: [{ label: only.label, ...mergedPrices(context, first, only) }] },
      lineOfSize: [first],
      missing: [],
      added: [],
    };
  if (isPriced)
    faults.push({
      row: first.row,
      column: `size_${main}`,
      problem:
        `is missing: the item has the sizes ${quoted(labels)}. Name the size, or leave the price blank; ` +
        '--remove-missing-sizes sells it without sizes at this price',
    });
  return { priced: { sizes: [...sizes] }, lineOfSize: sizes.map(() => null), missing: [], added: [] };
};

export const mergeSizes = (
  context: MergeContext,
  group: Group,
  before: ItemEntry | null,
  removeMissing: boolean,
): MergedSizes => {
  const hasSizes = group.lines.some((line) => cell(line, 'size', context.main) !== '');
  return (hasSizes ? mergeNamedSizes : mergeUnsized)(context, group, before, removeMissing);
};
