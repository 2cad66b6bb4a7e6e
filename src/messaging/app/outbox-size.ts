import type { App } from '../../platform/app/app.ts';
import { countOutbox } from '../store/outbox-size.ts';

/** Rows that a reading counts at most, so that its cost has a bound. */
const MOST = 10_000;

/** By state, of all shops together. */
export const outboxSize = async ({ db }: Pick<App, 'db'>): Promise<Readonly<Record<string, number>>> => ({
  ...(await countOutbox(db.kysely, MOST)),
});
