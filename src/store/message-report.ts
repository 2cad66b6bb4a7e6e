import { sql, type Kysely } from 'kysely';
import { DELIVERIES, type MessageReport } from '../domain/message-report.ts';
import type { Database } from './schema.ts';

/** Writes what became of messages; a report that says less than is known changes nothing, nor does one of no message. */
export const recordReports = async (
  db: Kysely<Database>,
  reports: readonly MessageReport[],
): Promise<void> => {
  if (reports.length === 0) return;
  await sql`
    update outbox o
    set delivery = report.delivery
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as report("providerId" text, delivery text)
    where o.provider_id = report."providerId"
      and coalesce(array_position(${[...DELIVERIES]}::text[], o.delivery), 0)
          < array_position(${[...DELIVERIES]}::text[], report.delivery)
  `.execute(db);
};
