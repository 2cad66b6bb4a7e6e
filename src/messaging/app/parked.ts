/** What could not be told to anyone, for a person to look at and send again. */
import type { Uuid } from '../../kernel/ids.ts';
import type { OutboxKind } from '../domain/outbox.ts';
import { addAudit } from '../../platform/store/audit.ts';
import { parked, replay, type ParkedRow } from '../store/outbox.ts';
import { targetsOf, type WebhookTarget } from '../store/webhook.ts';
import type { App } from '../../platform/app/app.ts';
import type { AskedBy } from './webhook.ts';

/** With the address that an event was for; null for a message, and where the address was removed just now. */
export interface Parked extends ParkedRow {
  readonly target: WebhookTarget | null;
}

/** As many as a person looks through. */
const LISTED = 200;

/** What is parked at a shop, oldest first, `LISTED` at most. */
export const listParked = async ({ db }: Pick<App, 'db'>, orgId: Uuid): Promise<Parked[]> => {
  const rows = await parked(db.kysely, orgId, LISTED);
  const targets = await targetsOf(db.kysely, orgId);
  return rows.map((row) => ({ ...row, target: targets.find(({ id }) => id === row.targetId) ?? null }));
};

/** Sends again what is parked at a shop, of one kind or of both; gives how many. */
export const replayParked = (
  { db, clock, random }: Pick<App, 'db' | 'clock' | 'random'>,
  orgId: Uuid,
  kind: OutboxKind | null,
  by: AskedBy = {},
): Promise<number> =>
  db.tx(async (tx) => {
    const now = clock.now();
    const count = await replay(tx, orgId, { since: null, ...(kind === null ? {} : { kind }) }, now);
    if (count === 0) return count;
    await addAudit(tx, {
      ...{ ...by, orgId, id: random.uuid(), at: now },
      ...{ action: 'outbox.replayed', subject: 'outbox', detail: { count, kind } },
    });
    return count;
  });
