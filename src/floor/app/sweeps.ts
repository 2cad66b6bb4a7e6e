/** Work of the floor that falls due by the clock. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { addMinutes, type Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { App } from '../../platform/app/app.ts';
import { forEachDue, HOUR_MS, type Sweep } from '../../platform/app/sweep.ts';
import { withoutLineNotes } from '../../pricing/domain/frozen-cart.ts';
import { withoutNotes } from '../domain/ticket-line.ts';
import { endedTicketsOf, type TicketGuest } from '../store/guest-tickets.ts';
import { endedTickets, forgetTicket, type EndedTicket } from '../store/sweep.ts';
import { itemsOf } from '../store/ticket-item.ts';

type Tx = Kysely<Database>;

const MINUTES_KEPT = 24 * 60;

const forgetWords = async (tx: Tx, { orgId, id }: EndedTicket, now: Instant): Promise<void> => {
  const items = await itemsOf(tx, orgId, [id]);
  const plain = items.map((item) => ({
    ...{ id: item.id, line: withoutLineNotes(item.line), input: withoutNotes(item.input) },
  }));
  await forgetTicket(tx, orgId, id, plain, now);
};

/** Names and notes are the guests' words; a day after the end of a ticket nobody needs them. */
const forget = ({ db, clock }: App, ended: EndedTicket): Promise<void> =>
  db.tx((tx) => forgetWords(tx, ended, clock.now()));

/** The words on the ended tickets of a person who is erased. Returns the ids of the tickets. */
export const forgetTicketsOf = async (
  tx: Tx,
  orgId: Uuid,
  guest: TicketGuest,
  now: Instant,
): Promise<readonly Uuid[]> => {
  const ids = await endedTicketsOf(tx, orgId, guest);
  for (const id of ids) await forgetWords(tx, { orgId, id }, now);
  return ids;
};

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
