/** Prices far off their neighbours, or off what they were: pounds typed for piastres, or the other way round. */
import { grouped } from '../../../kernel/grouped.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { inPounds, type Piastres } from '../../../kernel/money.ts';
import { becameFree, isFarOff, medianOfOthers } from '../../domain/price-slip.ts';
import type { Row, ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/writing.ts';
import type { Slip } from './slip.ts';

type Price = Row<'price'>;

interface Priced {
  readonly price: Price;
  readonly name: string;
  /** Things with one of these in common have prices of one kind; the nearest kind first. */
  readonly kinds: readonly string[];
}

const isCatalogue = ({ branch_id: branch, channel }: Price): boolean => branch === null && channel === null;

/** The catalogue prices of everything that is sold, each with those it is compared to. */
const catalogue = (rows: ShopRows): Priced[] => {
  const prices = grouped(rows.price.filter(isCatalogue), (row) => row.subject_id);
  const priced = (thing: { readonly id: Uuid; readonly name: string }, kinds: readonly string[]): Priced[] =>
    (prices.get(thing.id) ?? []).map((price) => ({ price, name: thing.name, kinds }));
  return [
    ...rows.menu_item
      .filter(isLiveRow)
      .flatMap((item) => priced(item, [`${item.kind} ${item.category_id ?? ''}`, item.kind, 'menu'])),
    ...rows.addon.filter(isLiveRow).flatMap((addon) => priced(addon, ['addon'])),
    ...rows.optional_field.filter(isLiveRow).flatMap((optional) => priced(optional, ['optional'])),
  ];
};

/** The middle of each price's neighbours; of the nearest kind of which there are enough. */
const usualOf = (all: readonly Priced[]): ((one: Priced) => Piastres | null) => {
  const members = new Map<string, Priced[]>();
  for (const one of all)
    for (const kind of one.kinds) {
      const list = members.get(kind);
      if (list === undefined) members.set(kind, [one]);
      else list.push(one);
    }
  const medians = new Map<string, ReadonlyMap<Priced, Piastres | null>>();
  for (const [kind, list] of members) {
    const middle = medianOfOthers(list.map(({ price }) => price.amount));
    medians.set(kind, new Map(list.map((one, place) => [one, middle[place] ?? null])));
  }
  return (one) => {
    for (const kind of one.kinds) {
      const usual = medians.get(kind)?.get(one) ?? null;
      if (usual !== null) return usual;
    }
    return null;
  };
};

const called = (name: string, size: string): string => (size === '' ? `‘${name}’` : `‘${name}’ ${size}`);

const WHY = 'are the pounds piastres, or the other way round?';

const slipOf = ({ price, name }: Priced, usual: Piastres, than: string): Slip => ({
  key: JSON.stringify(price),
  text: `${called(name, price.size_label)} costs ${inPounds(price.amount)}, ${than} ${inPounds(usual)}: ${WHY}`,
});

const freeSlip = ({ price, name }: Priced, was: Piastres): Slip => ({
  key: JSON.stringify(price),
  text: `${called(name, price.size_label)} costs nothing, and until now it cost ${inPounds(was)}: is it given away?`,
});

/** Catalogue prices far from those of their neighbours, and prices of a channel or branch far from the thing's own. */
export const priceSlips = (rows: ShopRows): Slip[] => {
  const all = catalogue(rows);
  const usual = usualOf(all);
  const exceptions = grouped(
    rows.price.filter((row) => !isCatalogue(row)),
    (row) => `${row.subject_id} ${row.size_label}`,
  );
  return all.flatMap((one) => {
    const { price } = one;
    const middle = usual(one);
    const own = exceptions.get(`${price.subject_id} ${price.size_label}`) ?? [];
    return [
      ...(middle !== null && isFarOff(price.amount, middle)
        ? [slipOf(one, middle, 'where others of its kind cost about')]
        : []),
      ...own
        .filter(({ amount }) => isFarOff(amount, price.amount))
        .map((other) =>
          slipOf(
            { ...one, price: other },
            price.amount,
            `on ${other.channel ?? 'one branch'}, and elsewhere`,
          ),
        ),
    ];
  });
};

/** More than so many prices that jumped are one sentence: a whole column was typed in another unit. */
const MOST_JUMPS = 5;

/** Catalogue prices far from what they were, which a whole column is without being far from one another. */
export const priceJumps = (before: ShopRows, after: ShopRows): Slip[] => {
  const keyOf = ({ subject_id: id, size_label: size }: Price): string => `${id} ${size}`;
  const were = new Map(catalogue(before).map(({ price }) => [keyOf(price), price.amount]));
  const jumps = catalogue(after).flatMap((one) => {
    const was = were.get(keyOf(one.price));
    if (was === undefined) return [];
    if (becameFree(one.price.amount, was)) return [freeSlip(one, was)];
    return isFarOff(one.price.amount, was) ? [slipOf(one, was, 'and until now it cost')] : [];
  });
  const [first] = jumps;
  if (first === undefined || jumps.length <= MOST_JUMPS) return jumps;
  return [{ ...first, text: `${jumps.length} prices are not what they were by far: ${first.text}` }];
};
