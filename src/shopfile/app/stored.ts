/** The things of a shop as its rows hold them. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Translations } from '../../kernel/names.ts';
import type { AnyRow, ShopRows, TableName } from '../store/tables.ts';
import type { ThingKind } from './identity.ts';
import { writtenText } from './localized.ts';

export interface StoredThing {
  readonly kind: ThingKind;
  readonly table: TableName;
  readonly id: Uuid;
  /** The shop, or the thing it is part of. */
  readonly parent: Uuid;
  /** In the main language. */
  readonly name: string;
  /** Every language of the name. */
  readonly texts: Translations;
  readonly isLive: boolean;
  readonly row: AnyRow;
}

/** The tables whose rows are things, and the column with what they are part of. */
const THING_TABLES: readonly {
  readonly table: TableName;
  readonly kind: ThingKind;
  readonly parent?: string;
}[] = [
  { table: 'branch', kind: 'branch' },
  { table: 'delivery_zone', kind: 'zone', parent: 'branch_id' },
  { table: 'dining_table', kind: 'table', parent: 'branch_id' },
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

/** A name as it is spoken of, in whichever columns the table keeps it. */
const textsIn = (table: TableName, row: AnyRow, main: string): Translations => {
  if (table === 'dining_table') return { [main]: textIn(row, 'label') };
  if (table !== 'links_custom') return writtenText(textIn(row, 'name'), row['name_translations'], main);
  const titles: [string, string][] = [
    ['ar', textIn(row, 'title_ar')],
    ['en', textIn(row, 'title_en')],
  ];
  return Object.fromEntries(titles.filter(([, title]) => title !== ''));
};

/** All things of the rows, archived ones included. */
export const thingsIn = (rows: ShopRows, shopId: Uuid): StoredThing[] => {
  const main = rows.shop[0]?.main_language ?? 'ar';
  return THING_TABLES.flatMap(({ table, kind, parent }) =>
    rows[table].map((row: AnyRow): StoredThing => {
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

/** JSON with fields in one order, so that equal values are equal text. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
