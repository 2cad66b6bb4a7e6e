/** Rows of the outbox for tests, and timers that tests set off themselves. */
import { sql } from 'kysely';
import type { Senders } from '../../src/messaging/app/outbox.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import type { TemplateName } from '../../src/orders/domain/message.ts';
import { messageRow, webhookRow, type OutboxRow } from '../../src/messaging/domain/outbox.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { Db } from '../../src/platform/store/db.ts';
import type { Timers } from '../../src/ports.ts';
import { addToOutbox } from '../../src/messaging/store/outbox.ts';
import type { Database } from '../../src/platform/store/schema.ts';

let made = 0;
/** An id that nothing else of this test file has. */
export const anId = (): Uuid => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;

export const ORG = '0a000000-0000-4000-8000-000000000001';

export const aMessage = (orderId: Uuid, template: TemplateName = 'order_received'): OutboxRow =>
  messageRow(ORG, anId(), orderId, {
    template,
    language: 'ar',
    parameters: ['بيت البن', 'D-ZML-261120-0007'],
  });

export const anEvent = (orderId: Uuid, targetId: Uuid): OutboxRow =>
  webhookRow(ORG, anId(), orderId, targetId, { type: 'order.updated' });

export const add = (db: Db<Database>, rows: readonly OutboxRow[], now: Instant): Promise<void> =>
  db.tx((tx) => addToOutbox(tx, rows, now));

export interface Kept {
  readonly id: Uuid;
  readonly status: string;
  readonly attempts: number;
  readonly nextAt: Instant;
  readonly doneAt: Instant | null;
  readonly providerId: string | null;
  readonly reason: string | null;
}

/** A row as it is kept now. */
export const kept = async (db: Db<Database>, { id }: { readonly id: Uuid }): Promise<Kept> => {
  const { rows } = await sql<Kept>`
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

/** Timers that a test sets off itself. */
export const handTimers = () => {
  const pending = new Set<{ readonly ms: number; readonly work: () => void; readonly once: boolean }>();
  const add = (ms: number, work: () => void, once: boolean) => {
    const timer = { ms, work, once };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  const timers: Timers = {
    every: (ms, work) => add(ms, work, false),
    after: (ms, work) => add(ms, work, true),
  };
  return {
    timers,
    /** Lets all that wait for so long go off. */
    goOff: (ms: number): void => {
      for (const timer of [...pending]) {
        if (timer.ms !== ms) continue;
        if (timer.once) pending.delete(timer);
        timer.work();
      }
    },
    pending: (): number[] => [...pending].map(({ ms }) => ms).sort((a, b) => a - b),
  };
};

/** Senders that ask the test what becomes of each row. */
export const sendersOf = (
  send: (
    row: Parameters<Senders['message']>[0] | Parameters<Senders['webhook']>[0],
  ) => ReturnType<Senders['message']>,
): Senders => ({
  message: send,
  webhook: send,
});

/** A promise and what resolves it. */
export const gate = <T = void>(): { readonly passed: Promise<T>; readonly pass: (value: T) => void } => {
  let pass: (value: T) => void = () => undefined;
  const passed = new Promise<T>((resolve) => (pass = resolve));
  return { passed, pass };
};
