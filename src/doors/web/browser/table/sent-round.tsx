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

/** The number of the round; null: the answer was repeated, and its ticket may have rounds of others since. */
const numberOf = ({ ticket, isRepeated }: Sent): number | null =>
  isRepeated ? null : Math.max(...ticket.items.map((item) => item.round_number));

/** Null: the bill has no such round. */
const stateIn = (bill: TableBill | null, ticketId: string, number: number | null): State | null => {
  const round = bill?.ticket_id === ticketId ? bill.rounds.find((one) => one.number === number) : undefined;
  return round?.state ?? null;
};

/** As the answer to the round said. */
const stateAsSent = ({ items }: Sent['ticket']): State =>
  items.some(({ accepted, voided }) => !accepted && !voided) ? 'waiting' : 'fired';

interface SentRoundProps {
  readonly sent: Sent;
  readonly bill: TableBill | null;
  /** When the bill was asked for, in milliseconds of the page. */
  readonly askedAt: number;
}

/** Of an answer that was repeated: the ticket as it stands, or the bill that was asked for since. */
const wordsOfRepeated = ({ id, status }: Sent['ticket'], bill: TableBill | null, isOld: boolean) => {
  if (bill?.ticket_id === id) return 'sentBefore';
  if (status !== 'open') return status === 'settled' ? null : 'sentGone';
  return isOld ? 'sentBefore' : null;
};

/** Null: nothing is said. */
const useWords = ({ sent, bill, askedAt }: SentRoundProps) => {
  const last = useRef<{ readonly of: Sent; readonly state: State }>({
    of: sent,
    state: stateAsSent(sent.ticket),
  });
  if (last.current.of !== sent) last.current = { of: sent, state: stateAsSent(sent.ticket) };
  const number = numberOf(sent);
  if (number === null) return wordsOfRepeated(sent.ticket, bill, askedAt < sent.answeredAt);
  const state = stateIn(bill, sent.ticket.id, number);
  if (state !== null) last.current = { of: sent, state };
  else if (askedAt >= sent.answeredAt) return last.current.state === 'waiting' ? 'sentGone' : null;
  return WORDS[last.current.state];
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
