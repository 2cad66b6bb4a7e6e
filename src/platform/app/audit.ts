import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { addAudit, type AuditEntry } from '../store/audit.ts';
import type { Database } from '../store/schema.ts';
import type { App } from './app.ts';
import { demandOpen } from './commit.ts';

/** An audited action and its actor. `at` is now and `id` is random unless given. */
export interface AuditEvent extends Omit<AuditEntry, 'id' | 'at'> {
  readonly id?: Uuid;
  readonly at?: Instant;
}

/** Writes entries of the audit log, inside the transaction of the change that they record. */
export const recordAudit = (
  { clock, random }: Pick<App, 'clock' | 'random'>,
  tx: Kysely<Database>,
  ...events: readonly AuditEvent[]
): Promise<void> =>
  addAudit(
    tx,
    ...events.map((event) => ({ ...event, id: event.id ?? random.uuid(), at: event.at ?? clock.now() })),
  );

/** Of a change that is not in the change log. Throws SHOP_MOVING where the shop is closed. */
export const recordUnlogged = async (
  deps: Pick<App, 'clock' | 'random'>,
  tx: Kysely<Database>,
  ...events: readonly AuditEvent[]
): Promise<void> => {
  for (const orgId of new Set(events.map((event) => event.orgId))) await demandOpen(tx, orgId);
  await recordAudit(deps, tx, ...events);
};
