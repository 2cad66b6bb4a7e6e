/** Outbox rows: queued messages and webhook events, and their stored state. */
import { sql } from 'kysely';
import type { Senders } from '../../../src/messaging/app/outbox.ts';
import type { Uuid } from '../../../src/kernel/ids.ts';
import type { TemplateName } from '../../../src/messaging/domain/template.ts';
import { messageRow, webhookRow, type OutboxRow } from '../../../src/messaging/domain/outbox.ts';
import type { Instant } from '../../../src/kernel/time.ts';
import type { Db } from '../../../src/platform/store/db.ts';
import { addToOutbox } from '../../../src/messaging/store/outbox.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { newId } from '../database/ids.ts';

export const ORG = '0a000000-0000-4000-8000-000000000001';

export const aMessage = (orderId: Uuid, template: TemplateName = 'order_received'): OutboxRow =>
  messageRow(
    { orgId: ORG, id: newId(), subject: 'order', subjectId: orderId },
    { template, language: 'ar', parameters: ['بيت البن', 'D-ZML-261120-0007'] },
  );

export const anEvent = (orderId: Uuid, targetId: Uuid): OutboxRow =>
  webhookRow(ORG, newId(), orderId, targetId, { type: 'order.updated' });

export const add = (db: Db<Database>, rows: readonly OutboxRow[], now: Instant): Promise<void> =>
  db.tx((tx) => addToOutbox(tx, rows, now));

export interface StoredRow {
  readonly id: Uuid;
  readonly status: string;
  readonly attempts: number;
  readonly nextAt: Instant;
  readonly doneAt: Instant | null;
  readonly providerId: string | null;
  readonly reason: string | null;
}

export const storedRow = async (db: Db<Database>, { id }: { readonly id: Uuid }): Promise<StoredRow> => {
  const { rows } = await sql<StoredRow>`
    select id, status, attempts, next_at as "nextAt", done_at as "doneAt", provider_id as "providerId",
           last_error as reason
    from outbox where id = ${id}
  `.execute(db.kysely);
  const [row] = rows;
  if (row === undefined) throw new Error(`no row ${id} in the outbox`);
  return row;
};

export const emptyOutbox = async (db: Db<Database>): Promise<void> => {
  await sql`delete from outbox`.execute(db.kysely);
};

/** Senders whose outcome the test decides. */
export const sendersOf = (
  send: (row: Parameters<Senders[keyof Senders]>[0]) => ReturnType<Senders['message']>,
): Senders => ({
  message: send,
  webhook: send,
  wallet_one: send,
  wallet_two: send,
});
