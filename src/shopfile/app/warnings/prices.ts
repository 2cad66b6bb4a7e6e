/**
 * Warnings about prices far from their neighbours or from their old value: probably pounds entered as piastres or the
 * reverse.
 */
import { groupBy } from '../../../kernel/group-by.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { inPounds, type Piastres } from '../../../kernel/money.ts';
import { becameFree, isOutlier, medianOfOthers } from '../../domain/price-outlier.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';
import type { Warning } from './warning.ts';

type Price = Row<'price'>;

interface Priced {
  readonly price: Price;
  readonly name: string;
  /** Groups of comparable prices that this one belongs to, the narrowest first. */
  readonly groups: readonly string[];
}

const isCatalogue = ({ branch_id: branch, channel }: Price): boolean => branch === null && channel === null;

const catalogue = (rows: ShopRows): Priced[] => {
  const prices = groupBy(rows.price.filter(isCatalogue), (row) => row.subject_id);
  const priced = (
    entity: { readonly id: Uuid; readonly name: string },
    groups: readonly string[],
  ): Priced[] => (prices.get(entity.id) ?? []).map((price) => ({ price, name: entity.name, groups }));
  return [
    ...rows.menu_item
      .filter(isLiveRow)
      .flatMap((item) => priced(item, [`${item.kind} ${item.category_id ?? ''}`, item.kind, 'menu'])),
    ...rows.addon.filter(isLiveRow).flatMap((addon) => priced(addon, ['addon'])),
    ...rows.optional_field.filter(isLiveRow).flatMap((optional) => priced(optional, ['optional'])),
  ];
};

/** The median of the other prices in the narrowest group that is large enough. */
const medianOf = (all: readonly Priced[]): ((one: Priced) => Piastres | null) => {
  const members = new Map<string, Priced[]>();
  for (const one of all)
    for (const group of one.groups) {
      const list = members.get(group);
      if (list === undefined) members.set(group, [one]);
      else list.push(one);
    }
  const medians = new Map<string, ReadonlyMap<Priced, Piastres | null>>();
  for (const [group, list] of members) {
    const groupMedians = medianOfOthers(list.map(({ price }) => price.amount));
    medians.set(group, new Map(list.map((one, index) => [one, groupMedians[index] ?? null])));
  }
  return (one) => {
    for (const group of one.groups) {
      const median = medians.get(group)?.get(one) ?? null;
      if (median !== null) return median;
    }
    return null;
  };
};

const sizedName = (name: string, size: string): string => (size === '' ? `‘${name}’` : `‘${name}’ ${size}`);

const WHY = 'are the pounds piastres, or the other way round?';

const outlierWarning = ({ price, name }: Priced, expected: Piastres, than: string): Warning => ({
  key: JSON.stringify(price),
  text: `${sizedName(name, price.size_label)} costs ${inPounds(price.amount)}, ${than} ${inPounds(expected)}: ${WHY}`,
});

const becameFreeWarning = ({ price, name }: Priced, was: Piastres): Warning => ({
  key: JSON.stringify(price),
  text: `${sizedName(name, price.size_label)} costs nothing, and until now it cost ${inPounds(was)}: is it given away?`,
});

/** Catalogue prices far from their neighbours, and channel or branch prices far from the catalogue price. */
export const priceWarnings = (rows: ShopRows): Warning[] => {
  const all = catalogue(rows);
  const median = medianOf(all);
  const exceptions = groupBy(
    rows.price.filter((row) => !isCatalogue(row)),
    (row) => `${row.subject_id} ${row.size_label}`,
  );
  return all.flatMap((one) => {
    const { price } = one;
    const middle = median(one);
    const own = exceptions.get(`${price.subject_id} ${price.size_label}`) ?? [];
    return [
      ...(middle !== null && isOutlier(price.amount, middle)
        ? [outlierWarning(one, middle, 'where others of its kind cost about')]
        : []),
      ...own
        .filter(({ amount }) => isOutlier(amount, price.amount))
        .map((other) =>
          outlierWarning(
            { ...one, price: other },
            price.amount,
            `on ${other.channel ?? 'one branch'}, and elsewhere`,
          ),
        ),
    ];
  });
};

/** More jumps make one sentence: a whole column was entered in the wrong unit. */
const MAX_JUMPS_LISTED = 5;

/**
 * Catalogue prices far from their old value: finds a whole column in the wrong unit, where all neighbours are wrong
 * too.
 */
export const priceJumps = (before: ShopRows, after: ShopRows): Warning[] => {
  const keyOf = ({ subject_id: id, size_label: size }: Price): string => `${id} ${size}`;
  const were = new Map(catalogue(before).map(({ price }) => [keyOf(price), price.amount]));
  const jumps = catalogue(after).flatMap((one) => {
    const was = were.get(keyOf(one.price));
    if (was === undefined) return [];
    if (becameFree(one.price.amount, was)) return [becameFreeWarning(one, was)];
    return isOutlier(one.price.amount, was) ? [outlierWarning(one, was, 'and until now it cost')] : [];
  });
  const [first] = jumps;
  if (first === undefined || jumps.length <= MAX_JUMPS_LISTED) return jumps;
  return [{ ...first, text: `${jumps.length} prices are not what they were by far: ${first.text}` }];
};
