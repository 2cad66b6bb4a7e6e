/** Reads the entities of a shop from its rows. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { AnyRow, ShopRows, TableName } from '../store/tables.ts';
import type { EntityKind } from './entity-ids.ts';
import { toLocalText } from './localized.ts';

export interface StoredEntity {
  readonly kind: EntityKind;
  readonly table: TableName;
  readonly id: Uuid;
  /** The shop or the containing entity. */
  readonly parent: Uuid;
  /** In the main language. */
  readonly name: string;
  readonly texts: Translations;
  readonly isLive: boolean;
  readonly row: AnyRow;
}

/** `parent`: the column with the containing entity. */
const ENTITY_TABLES: readonly {
  readonly table: TableName;
  readonly kind: EntityKind;
  readonly parent?: string;
}[] = [
  { table: 'branch', kind: 'branch' },
  { table: 'delivery_zone', kind: 'zone', parent: 'branch_id' },
  { table: 'dining_table', kind: 'table', parent: 'branch_id' },
  { table: 'kitchen_station', kind: 'station', parent: 'branch_id' },
  { table: 'category', kind: 'category' },
  { table: 'addon', kind: 'addon' },
  { table: 'modifier_group', kind: 'modifier_group' },
  { table: 'menu_item', kind: 'item' },
  { table: 'optional_field', kind: 'optional', parent: 'item_id' },
  { table: 'combo_slot', kind: 'slot', parent: 'combo_id' },
  { table: 'deal', kind: 'deal' },
  { table: 'discount', kind: 'discount' },
  { table: 'loyalty_reward', kind: 'reward' },
  { table: 'links_custom', kind: 'link' },
  { table: 'staff', kind: 'staff' },
];

export const textIn = (row: AnyRow, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : '';
};

const textsIn = (table: TableName, row: AnyRow, main: string): Translations => {
  if (table === 'dining_table') return { [main]: textIn(row, 'label') };
  if (table !== 'links_custom') return toLocalText(textIn(row, 'name'), row['name_translations'], main);
  const titles: [string, string][] = [
    ['ar', textIn(row, 'title_ar')],
    ['en', textIn(row, 'title_en')],
  ];
  return Object.fromEntries(titles.filter(([, title]) => title !== ''));
};

/** Including archived entities. */
export const entitiesIn = (rows: ShopRows, shopId: Uuid): StoredEntity[] => {
  const main = rows.shop[0]?.main_language ?? 'ar';
  return ENTITY_TABLES.flatMap(({ table, kind, parent }) =>
    rows[table].map((row: AnyRow): StoredEntity => {
      const texts = textsIn(table, row, main);
      return {
        kind: row['kind'] === 'combo' ? 'combo' : kind,
        table,
        id: textIn(row, 'id'),
        parent: parent === undefined ? shopId : textIn(row, parent),
        name: texts[main] ?? Object.values(texts)[0] ?? '',
        texts,
        isLive: (row['archived_at'] ?? null) === null,
        row,
      };
    }),
  );
};

/** JSON with sorted fields: equal values have equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
