/** What a receipt says of its shop and branch. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { ZoneId } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { ReceiptFacts } from '../domain/receipt.ts';

export interface ReceiptPlace extends Pick<ReceiptFacts, 'mainLanguage' | 'shop' | 'branch'> {
  readonly zone: ZoneId;
}

/** An archived branch too. */
export const receiptPlace = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<ReceiptPlace | null> => {
  const { rows } = await sql<ReceiptPlace>`
    select b.time_zone as zone, s.main_language as "mainLanguage",
           json_build_object('name', s.name, 'translations', s.name_translations) as shop,
           json_build_object(
             'name', b.name, 'translations', b.name_translations, 'phone', b.phone,
             'address', case when b.address is not null then
               json_build_object('name', b.address, 'translations', b.address_translations) end) as branch
    from branch b join shop s on s.org_id = ${orgId}
    where b.org_id = ${orgId} and b.id = ${branchId}
  `.execute(db);
  return rows[0] ?? null;
};
