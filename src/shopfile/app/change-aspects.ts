/** Labels of what an import changes on an entity, such as `price`; reports and the audit log show them. */
import { specOf, type AnyRow, type TableName } from '../store/tables.ts';
import { canonical } from './stored-entities.ts';

/** Labels of detail tables; a change to an entity's own row is labelled by column. */
const DETAIL_ASPECTS: Readonly<Partial<Record<TableName, string>>> = {
  links_module: 'links',
  links_social: 'socials',
  loyalty_program: 'loyalty',
  loyalty_reward_item: 'items',
  loyalty_visit_item: 'visit items',
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

const COLUMN_ASPECTS: Readonly<Record<string, string>> = {
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

const columnAspect = (column: string): string => COLUMN_ASPECTS[column] ?? column.replaceAll('_', ' ');

/** `before` is null for a row that is inserted or deleted. */
export const aspectsOf = (table: TableName, before: AnyRow | null, after: AnyRow): string[] => {
  const detail = DETAIL_ASPECTS[table];
  const changed = Object.keys(specOf(table).columns).filter(
    (column) => before !== null && canonical(before[column]) !== canonical(after[column]),
  );
  if (detail === undefined) return changed.map(columnAspect);
  return changed.length > 0 && changed.every((column) => column === 'sort')
    ? [`order of ${detail}`]
    : [detail];
};
