import { feedScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';

export const customerChange = (id: Uuid): Change => ({
  ...{ scope: feedScope, type: 'customer', id, op: 'upsert' },
});
