/** What became of the round that the guest has sent: it follows the running bill. */
import { useMessages } from '../../components/reader.ts';
import type { TableBill } from '../../components/table.ts';
import { table as messages } from '../../messages/compiled/table.ts';
import type { SentRound as Sent } from './use-sending.ts';

export const SENT = 'table-sent';

type State = TableBill['rounds'][number]['state'];

/** A round that was taken off shows in the bill; with its ticket, nowhere. */
const WORDS = {
  waiting: 'sentWaiting',
  fired: 'sent',
  ready: 'sent',
  rejected: 'sentRejected',
  void: null,
} as const satisfies Record<State, string | null>;

/** Null: the bill has no such round. */
const stateIn = (bill: TableBill | null, { id, items }: Sent['ticket']): State | null => {
  const sent = Math.max(...items.map((item) => item.round_number));
  const round = bill?.ticket_id === id ? bill.rounds.find(({ number }) => number === sent) : undefined;
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

export const SentRound = ({ sent: { ticket, answeredAt }, bill, askedAt }: SentRoundProps) => {
  const t = useMessages(messages);
  const state = stateIn(bill, ticket) ?? (askedAt < answeredAt ? stateAsSent(ticket) : 'void');
  const words = WORDS[state];
  if (words === null) return null;
  return (
    <p class="notice" role="status" id={SENT} tabIndex={-1}>
      {t[words]}
    </p>
  );
};
