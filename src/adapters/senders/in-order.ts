/** Several senders of one-time codes, one after the other. */
import type { Carrier, CodeSender } from '../../messaging/domain/code-text.ts';
import { later, never, type SendOutcome, type Unsent } from '../../messaging/domain/outbox.ts';
import type { Messenger } from '../../ports.ts';

export interface OrderedSender {
  readonly name: CodeSender;
  readonly sendCode: Messenger['sendCode'];
}

export interface OrderParts {
  /** At least one; each is tried once. */
  readonly senders: readonly OrderedSender[];
  /** `refusals`: what the senders before said. */
  readonly onSent: (carrier: Carrier, refusals: string) => void;
}

/** A later try helps if it helps with one of the senders. */
const refusalOf = (refusals: readonly Unsent[], reason: string): Unsent => {
  const passing = refusals.filter(({ again }) => again === 'later');
  if (passing.length === 0) return never(reason);
  const waits = passing.map(({ waitMs }) => waitMs);
  return later(reason, waits.includes(null) ? null : Math.min(...waits.map((ms) => ms ?? 0)));
};

/** A code that a sender does not take goes to the next one, the same code within the same request. */
export const sendInOrder =
  ({ senders, onSent }: OrderParts): Messenger['sendCode'] =>
  async (to): Promise<SendOutcome> => {
    const refusals: Unsent[] = [];
    const reasons: string[] = [];
    for (const { name, sendCode } of senders) {
      const outcome = await sendCode(to);
      if (outcome.sent) {
        onSent({ sender: name, place: refusals.length === 0 ? 'first' : 'next' }, reasons.join('; '));
        return outcome;
      }
      refusals.push(outcome);
      reasons.push(senders.length === 1 ? outcome.reason : `${name}: ${outcome.reason}`);
    }
    return refusalOf(refusals, reasons.join('; '));
  };
