/** Rows that could not be sent yet, for a person to look at and replay. */
import type { Uuid } from '../../kernel/ids.ts';
import type { OutboxKind } from '../domain/outbox.ts';
import { recordUnlogged } from '../../platform/app/audit.ts';
import { parked, postponed, replay, type UnsentRow } from '../store/outbox.ts';
import { targetsOf, type WebhookTarget } from '../store/webhook.ts';
import type { App } from '../../platform/app/app.ts';
import type { Requester } from './webhook.ts';

/** `target` is null for a message, or if the address was just removed. */
export interface Unsent extends UnsentRow {
  readonly target: WebhookTarget | null;
}

const LISTED = 200;

const listed =
  (read: typeof parked) =>
  async ({ db }: Pick<App, 'db'>, orgId: Uuid): Promise<Unsent[]> => {
    const rows = await read(db.kysely, orgId, LISTED);
    const targets = await targetsOf(db.kysely, orgId);
    return rows.map((row) => ({ ...row, target: targets.find(({ id }) => id === row.targetId) ?? null }));
  };

/** The parked rows of a shop, oldest first, `LISTED` at most. */
export const listParked = listed(parked);

/** The rows of a shop that wait for another try, oldest first, `LISTED` at most. */
export const listPostponed = listed(postponed);

export const replayParked = (
  app: Pick<App, 'db' | 'clock' | 'random'>,
  orgId: Uuid,
  kind: OutboxKind | null,
  by: Requester = {},
): Promise<number> =>
  app.db.tx(async (tx) => {
    const now = app.clock.now();
    const count = await replay(tx, orgId, { since: null, ...(kind === null ? {} : { kind }) }, now);
    if (count === 0) return count;
    await recordUnlogged(app, tx, {
      ...{ ...by, orgId, at: now },
      ...{ action: 'outbox.replayed', subject: 'outbox', detail: { count, kind } },
    });
    return count;
  });
