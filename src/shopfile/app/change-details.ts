/** Entities that an import changes, with old and new prices. */
import { groupBy } from '../../kernel/group-by.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import { CHANNELS } from '../../shops/domain/shop.ts';
import type { Row, ShopRows } from '../store/tables.ts';
import type { EntityKind } from './entity-ids.ts';

export interface EntityChange {
  readonly op: 'created' | 'updated' | 'archived';
  readonly kind: EntityKind | 'shop';
  readonly id: Uuid;
  /** In the main language. */
  readonly name: string;
  /** The old name if it changed. */
  readonly renamedFrom?: string;
  /** What changes, such as `price` or `name`; empty if created or archived. */
  readonly aspects: readonly string[];
}

export interface PriceDifference {
  /** '' without sizes. */
  readonly size: string;
  /** Null: every branch. */
  readonly branch: string | null;
  /** Null: every channel. */
  readonly channel: string | null;
  /** Null: no such price. */
  readonly before: Piastres | null;
  readonly after: Piastres | null;
}

export interface EntityDetails {
  /** The category's name in the main language. */
  readonly category: string | null;
  readonly prices: readonly PriceDifference[];
}

type Price = Row<'price'>;

const priceKey = ({ size_label: size, branch_id: branch, channel }: Price): string =>
  JSON.stringify([size, branch, channel]);

/** By size in the item's order, then by branch and channel; the catalogue price comes first. */
const byPriceKey =
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
  const old = new Map(before.map((row) => [priceKey(row), row]));
  const now = new Map(after.map((row) => [priceKey(row), row]));
  const rows = [...new Map([...now, ...old]).values()].sort(byPriceKey(rankOf));
  return rows.flatMap((row) => {
    const key = priceKey(row);
    const [was, current] = [old.get(key)?.amount ?? null, now.get(key)?.amount ?? null];
    if (was === current) return [];
    const branch = branchName(row.branch_id);
    return [{ size: row.size_label, branch, channel: row.channel, before: was, after: current }];
  });
};

/** The item or combo with this id, or with this optional or slot. */
const itemOf = (rows: ShopRows): ((id: Uuid) => Row<'menu_item'> | undefined) => {
  const items = new Map(rows.menu_item.map((item) => [item.id, item]));
  const parents = new Map([
    ...rows.optional_field.map(({ id, item_id }) => [id, item_id] as const),
    ...rows.combo_slot.map(({ id, combo_id }) => [id, combo_id] as const),
  ]);
  return (id) => items.get(parents.get(id) ?? id);
};

const namesById = (rows: readonly { readonly id: Uuid; readonly name: string }[]): Map<Uuid, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** By entity id. */
export const detailsOf = (
  before: ShopRows,
  after: ShopRows,
  entities: readonly EntityChange[],
): ReadonlyMap<Uuid, EntityDetails> => {
  if (entities.length === 0) return new Map();
  const [oldPrices, newPrices] = [before, after].map((rows) => groupBy(rows.price, (row) => row.subject_id));
  const [oldItem, newItem] = [itemOf(before), itemOf(after)];
  const categories = new Map([...namesById(before.category), ...namesById(after.category)]);
  const branches = new Map([...namesById(before.branch), ...namesById(after.branch)]);
  const branchName = (id: Uuid | null): string | null => (id === null ? null : (branches.get(id) ?? id));
  const sizes = [after, before].map((rows) => groupBy(rows.item_size, ({ item_id }) => item_id));
  const rankIn = (id: Uuid) => {
    const labels = sizes.flatMap((byItem) => [...(byItem.get(id) ?? [])].sort((a, b) => a.sort - b.sort));
    return (size: string): number => labels.findIndex(({ label }) => label === size);
  };
  return new Map(
    entities.map(({ id, op }) => {
      const category = (newItem(id) ?? oldItem(id))?.category_id ?? null;
      const old = op === 'created' ? [] : (oldPrices?.get(id) ?? []);
      const current = newPrices?.get(id) ?? [];
      return [
        id,
        {
          category: category === null ? null : (categories.get(category) ?? null),
          prices: op === 'archived' ? [] : differences(old, current, rankIn(id), branchName),
        },
      ];
    }),
  );
};
