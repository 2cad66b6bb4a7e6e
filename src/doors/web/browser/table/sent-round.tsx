/** What became of the round that the guest has sent: it follows the running bill. */
import { useRef } from 'preact/hooks';
import { useMessages } from '../../components/reader.ts';
import type { TableBill } from '../../components/table.ts';
import { table as messages } from '../../messages/compiled/table.ts';
import type { SentRound as Sent } from './use-sending.ts';

export const SENT = 'table-sent';

type State = TableBill['rounds'][number]['state'];

/** A round that was taken off shows in the bill. */
const WORDS = {
  waiting: 'sentWaiting',
  fired: 'sent',
  ready: 'sent',
  rejected: 'sentRejected',
  void: null,
} as const satisfies Record<State, string | null>;

/** Null: the answer was repeated, and its ticket may have rounds of others since: all of them count together. */
const numberOf = ({ ticket, isRepeated }: Sent): number | null =>
  isRepeated ? null : Math.max(...ticket.items.map((item) => item.round_number));

/** Null: the bill has no such round. */
const stateIn = (bill: TableBill | null, ticketId: string, number: number | null): State | null => {
  if (bill?.ticket_id !== ticketId) return null;
  if (number === null) return bill.rounds.some(({ state }) => state === 'waiting') ? 'waiting' : 'fired';
  return bill.rounds.find((one) => one.number === number)?.state ?? null;
};

/** As the answer to the round said. */
const stateAsSent = ({ items }: Sent['ticket']): State =>
  items.some(({ accepted, voided }) => !accepted && !voided) ? 'waiting' : 'fired';

/** Of a ticket that had ended when the answer came; a line that was rejected was never accepted. */
const wordsOfEnded = ({ status, items }: Sent['ticket']) =>
  status === 'settled' && items.every(({ accepted }) => accepted) ? null : 'sentGone';

/** A process hears of what others change within a second: a view that was asked for before may lack the round. */
const LATER_MS = 1_000;

interface SentRoundProps {
  readonly sent: Sent;
  readonly bill: TableBill | null;
  /** When the bill was asked for, in milliseconds of the page. */
  readonly askedAt: number;
}

/** Null: nothing is said. */
const useWords = ({ sent, bill, askedAt }: SentRoundProps) => {
  const { ticket, isRepeated, answeredAt } = sent;
  const last = useRef<{ readonly of: Sent; readonly state: State }>({ of: sent, state: stateAsSent(ticket) });
  if (last.current.of !== sent) last.current = { of: sent, state: stateAsSent(ticket) };
  if (ticket.status !== 'open') return wordsOfEnded(ticket);
  const state = stateIn(bill, ticket.id, numberOf(sent));
  if (state !== null) last.current = { of: sent, state };
  else if (askedAt >= answeredAt + LATER_MS) return last.current.state === 'waiting' ? 'sentGone' : null;
  return isRepeated ? 'sentBefore' : WORDS[last.current.state];
};

export const SentRound = (props: SentRoundProps) => {
  const t = useMessages(messages);
  const words = useWords(props);
  if (words === null) return null;
  return (
    <p class="notice" role="status" id={SENT} tabIndex={-1}>
      {t[words]}
    </p>
  );
};
