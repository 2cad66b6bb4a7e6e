/** The member of a ticket. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { cardOfSale, type CardOfSale } from '../../loyalty/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';

const NO_MEMBER = { problem: 'is no card of this shop', arabic: 'لا يوجد هذا الكارت في هذا المحل' } as const;

/** The card that has the balance: of combined cards the one that is left. Throws INVALID_INPUT. */
export const memberCard = async (tx: Kysely<Database>, orgId: Uuid, id: Uuid): Promise<CardOfSale> => {
  const found = await cardOfSale(tx, orgId, { cardId: id, customerId: null });
  if (found === null) throw invalidInput({ path: 'member_id', ...NO_MEMBER });
  return found;
};
