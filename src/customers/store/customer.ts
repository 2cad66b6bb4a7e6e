import type { Kysely, Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { CustomerTable } from './schema/customer.ts';

export const customerWithPhone = async (
  db: Kysely<Database>,
  orgId: Uuid,
  phone: Phone,
): Promise<Selectable<CustomerTable> | null> =>
  (await db
    .selectFrom('customer')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('phone', '=', phone)
    .executeTakeFirst()) ?? null;
