/** Reads the kitchen stations of a branch. */
import type { Uuid } from '../../../kernel/ids.ts';
import { entryPath, fieldPath } from '../../domain/json.ts';
import { checkLanguage, type Entity } from '../entity-index.ts';
import { nameColumns } from '../localized.ts';
import { resolveAll, type BranchEntry, type ReadContext } from './context.ts';

const idsOf = (entities: readonly Entity[]): Uuid[] => entities.map(({ id }) => id);

/** A category or an item goes to one station of a branch. */
export const readStations = (
  context: ReadContext,
  branch: BranchEntry,
  path: string,
  branchId: Uuid,
): void => {
  const { rows, faults, entityIndex, main } = context;
  const named = new Map<Uuid, string>();
  const once = (entities: readonly Entity[], at: string, field: 'categories' | 'items'): Uuid[] => {
    for (const { id, name } of entities) {
      const first = named.get(id);
      if (first !== undefined) faults.rule(at, field, `has ‘${name}’, which ${first} has as well`);
      named.set(id, at);
    }
    return idsOf(entities);
  };
  for (const [index, station] of (branch.stations ?? []).entries()) {
    const at = entryPath(`${path}.stations`, index);
    checkLanguage(station.name, at, 'name', main, faults);
    const all = (kind: 'category' | 'item', field: 'categories' | 'items') =>
      once(resolveAll(context, kind, station[field] ?? [], fieldPath(at, field)), at, field);
    rows.kitchen_station.push({
      id: entityIndex.idAt(at),
      branch_id: branchId,
      ...nameColumns(station.name, main),
      ...{ sort: index, category_ids: all('category', 'categories'), item_ids: all('item', 'items') },
      archived_at: null,
    });
  }
};
