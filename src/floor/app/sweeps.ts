/** Work of the floor that falls due by the clock. */
import { addMinutes } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { forEachDue, HOUR_MS, type Sweep } from '../../platform/app/sweep.ts';
import { withoutLineNotes } from '../../pricing/domain/frozen-cart.ts';
import { endedTickets, forgetTicket, type EndedTicket } from '../store/sweep.ts';
import { itemsOf } from '../store/ticket-item.ts';

const MINUTES_KEPT = 24 * 60;

/** As it was ordered, without notes. */
const withoutNotes = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input, (key, value: unknown) => (key === 'notes' ? undefined : value)));

/** Names and notes are the guests' words; a day after the end of a ticket nobody needs them. */
const forget = ({ db, clock }: App, { orgId, id }: EndedTicket): Promise<void> =>
  db.tx(async (tx) => {
    const items = await itemsOf(tx, orgId, [id]);
    const plain = items.map((item) => ({
      ...{ id: item.id, line: withoutLineNotes(item.line), input: withoutNotes(item.input) },
    }));
    await forgetTicket(tx, orgId, id, plain, clock.now());
  });

export const sweeps: readonly Sweep[] = [
  {
    name: 'words of guests on ended tickets',
    everyMs: HOUR_MS,
    run: forEachDue({
      find: ({ db }, { now, ...query }) =>
        endedTickets(db.kysely, { ...query, now: addMinutes(now, -MINUTES_KEPT) }),
      handle: forget,
    }),
  },
];
