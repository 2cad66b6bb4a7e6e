/** What an import changes, thing by thing, with every price: for the person who imports. */
import { grouped } from '../../kernel/grouped.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import { CHANNELS } from '../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../store/tables.ts';
import type { ThingKind } from './identity.ts';

/** What happens to one thing of the shop. */
export interface ThingChange {
  readonly op: 'created' | 'updated' | 'archived';
  readonly kind: ThingKind | 'shop';
  readonly id: Uuid;
  /** In the main language. */
  readonly name: string;
  /** Its name before, where it has another one now. */
  readonly renamedFrom?: string;
  /** What of it changes, such as `price` or `name`; empty when it is new or goes. */
  readonly aspects: readonly string[];
}

export interface PriceDifference {
  /** '' for a thing without sizes. */
  readonly size: string;
  /** Null: at every branch. */
  readonly branch: string | null;
  /** Null: on every channel. */
  readonly channel: string | null;
  /** Null: no such price. */
  readonly before: Piastres | null;
  readonly after: Piastres | null;
}

export interface ThingDetails {
  /** Its category in the main language; null: none, or no thing of a category. */
  readonly category: string | null;
  readonly prices: readonly PriceDifference[];
}

type Price = Row<'price'>;

const placeOf = ({ size_label: size, branch_id: branch, channel }: Price): string =>
  JSON.stringify([size, branch, channel]);

/** By size as the item lists them, those that go last; then the catalogue price, channels, branches. */
const byPlace =
  (rankOf: (size: string) => number) =>
  (a: Price, b: Price): number =>
    rankOf(a.size_label) - rankOf(b.size_label) ||
    compareIds(a.branch_id ?? '', b.branch_id ?? '') ||
    CHANNELS.findIndex((name) => name === a.channel) - CHANNELS.findIndex((name) => name === b.channel);

const differences = (
  before: readonly Price[],
  after: readonly Price[],
  rankOf: (size: string) => number,
  branchName: (id: Uuid | null) => string | null,
): PriceDifference[] => {
  const old = new Map(before.map((row) => [placeOf(row), row]));
  const now = new Map(after.map((row) => [placeOf(row), row]));
  const places = [...new Map([...now, ...old]).values()].sort(byPlace(rankOf));
  return places.flatMap((row) => {
    const place = placeOf(row);
    const [was, is] = [old.get(place)?.amount ?? null, now.get(place)?.amount ?? null];
    if (was === is) return [];
    const branch = branchName(row.branch_id);
    return [{ size: row.size_label, branch, channel: row.channel, before: was, after: is }];
  });
};

/** The item or combo that each thing is, or is a part of. */
const itemOf = (rows: ShopRows): ((id: Uuid) => Row<'menu_item'> | undefined) => {
  const items = new Map(rows.menu_item.map((item) => [item.id, item]));
  const wholes = new Map([
    ...rows.optional_field.map(({ id, item_id }) => [id, item_id] as const),
    ...rows.combo_slot.map(({ id, combo_id }) => [id, combo_id] as const),
  ]);
  return (id) => items.get(wholes.get(id) ?? id);
};

const names = (rows: readonly { readonly id: Uuid; readonly name: string }[]): Map<Uuid, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** The details of what changes, by the thing's id. */
export const detailsOf = (
  before: ShopRows,
  after: ShopRows,
  things: readonly ThingChange[],
): ReadonlyMap<Uuid, ThingDetails> => {
  if (things.length === 0) return new Map();
  const [was, is] = [before, after].map((rows) => grouped(rows.price, (row) => row.subject_id));
  const [oldItem, newItem] = [itemOf(before), itemOf(after)];
  const categories = new Map([...names(before.category), ...names(after.category)]);
  const branches = new Map([...names(before.branch), ...names(after.branch)]);
  const branchName = (id: Uuid | null): string | null => (id === null ? null : (branches.get(id) ?? id));
  const sizes = [after, before].map((rows) => grouped(rows.item_size, ({ item_id }) => item_id));
  const rankIn = (id: Uuid) => {
    const labels = sizes.flatMap((byItem) => [...(byItem.get(id) ?? [])].sort((a, b) => a.sort - b.sort));
    return (size: string): number => labels.findIndex(({ label }) => label === size);
  };
  return new Map(
    things.map(({ id, op }) => {
      const category = (newItem(id) ?? oldItem(id))?.category_id ?? null;
      const old = op === 'created' ? [] : (was?.get(id) ?? []);
      const now = is?.get(id) ?? [];
      return [
        id,
        {
          category: category === null ? null : (categories.get(category) ?? null),
          prices: op === 'archived' ? [] : differences(old, now, rankIn(id), branchName),
        },
      ];
    }),
  );
};
