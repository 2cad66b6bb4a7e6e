import { branchScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** Stock changes the menu of a branch only when the last unit goes, or the first one comes back. */
export const stockChanges = (branchId: Uuid, ids: readonly Uuid[]): readonly Change[] =>
  ids.map((id): Change => ({ scope: branchScope(branchId), type: 'availability', id, op: 'upsert' }));
