/** What the change log says of sales and of the money in tills (Decisions 12, 13). */
import { saleScope, tillScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** A sale is booked, refunded, given to a card, or undone: who reads it then finds it or not. */
export const saleChange = (id: Uuid): Change => ({ scope: saleScope(id), type: 'sale', id, op: 'upsert' });

/** Money goes into these tills or out of them; null: into none. */
export const tillChanges = (ids: readonly (Uuid | null)[]): readonly Change[] =>
  [...new Set(ids)].flatMap((id): Change[] =>
    id === null ? [] : [{ scope: tillScope(id), type: 'till', id, op: 'upsert' }],
  );
