/** What of a thing changes, in words for the person who imports. */
import { specOf, type AnyRow, type TableName } from '../store/tables.ts';
import { canonical } from './stored.ts';

/** Details by their table; a thing's own table has its columns instead. */
const DETAILS: Readonly<Partial<Record<TableName, string>>> = {
  links_module: 'links',
  links_social: 'socials',
  loyalty_program: 'loyalty',
  branch_channel: 'channels',
  opening_hours: 'hours',
  dated_hours: 'hours',
  table_join: 'table joins',
  booking_settings: 'booking',
  item_size: 'sizes',
  item_allowed_addon: 'allowed add-ons',
  modifier_option: 'options',
  item_modifier_group: 'modifier groups',
  combo_choice: 'choices',
  combo_size_extra: 'size extras',
  price: 'price',
  availability: 'availability',
  deal_pool: 'pool',
  deal_branch: 'branches',
  sale_window: 'windows',
  channel_discount: 'channels',
};

const COLUMNS: Readonly<Record<string, string>> = {
  name_translations: 'name',
  label_translations: 'label',
  description_translations: 'description',
  address_translations: 'address',
  category_id: 'category',
  branch_id: 'branch',
  branch_ids: 'branches',
  item_id: 'item',
  sort: 'order',
  is_active: 'active',
  takes_addons: 'allowed add-ons',
  archived_at: 'back from the archive',
};

const word = (column: string): string => COLUMNS[column] ?? column.replaceAll('_', ' ');

/** What a change to a row of `table` is called; `before` is null for a row that is added or removed. */
export const aspectsOf = (table: TableName, before: AnyRow | null, after: AnyRow): string[] => {
  const detail = DETAILS[table];
  const changed = Object.keys(specOf(table).columns).filter(
    (column) => before !== null && canonical(before[column]) !== canonical(after[column]),
  );
  if (detail === undefined) return changed.map(word);
  return changed.length > 0 && changed.every((column) => column === 'sort')
    ? [`order of ${detail}`]
    : [detail];
};
