import { withLink } from '../domain/template.ts';
import {
  deferred,
  never,
  obsolete,
  type MessageRow,
  type MessageSubject,
  type Obsolete,
  type Outcome,
  type Unsent,
} from '../domain/outbox.ts';
import type { Phone } from '../../kernel/phone.ts';
import { markBudgeted, type ClaimedRow } from '../store/outbox.ts';
import type { App } from '../../platform/app/app.ts';
import { budgetLines, recordAlerts, spendIn } from './message-budget.ts';

const DEFERRED_MS = 24 * 60 * 60_000;

/** Who gets a message, read when it is sent. */
export interface Recipient {
  readonly phone: Phone;
  /** Absolute; it gives access to the order, booking or card. */
  readonly link: string;
  /** Whether the message may spend the reserved fifth of the budgets. */
  readonly isWhole: boolean;
  /** Instead of those of the row, where they name the guest. */
  readonly parameters?: readonly string[];
}

/** `Obsolete`: the message is no longer true, or nobody is to get it. */
export type RecipientOf = (row: MessageRow) => Promise<Recipient | Obsolete | Unsent>;

type Row = ClaimedRow & MessageRow;
type Budgeting = Pick<App, 'db' | 'clock' | 'security' | 'messageBudgets'>;

/** Spends the budgets for a message, once for all its tries. Null: it may be sent. */
const spendBudget = async (
  app: Budgeting,
  row: Row,
  { phone, isWhole }: Recipient,
): Promise<Outcome | null> => {
  if (app.messageBudgets === null || row.isBudgeted) return null;
  const lines = budgetLines(app.messageBudgets, { phone, orgId: row.orgId, client: null });
  if (lines === null) return obsolete('no messages are sent to the country of the phone');
  const { waitMs, alerts } = await app.db.tx(async (tx) => {
    // Lock this row before the budgets: budgets are shared by all shops, so no lock may be awaited while they are held.
    await markBudgeted(tx, row, true);
    const spent = await spendIn(tx, lines, app.clock.now(), { isWhole, isDurable: true, maxCount: 1 });
    if (spent.waitMs > 0) await markBudgeted(tx, row, false);
    return spent;
  });
  recordAlerts(app, alerts, null);
  if (waitMs === 0) return null;
  const reason = 'a budget of messages is spent';
  // After a day the message is of no use to the guest; an operator may replay it.
  return app.clock.now() - row.createdAt < DEFERRED_MS ? deferred(reason, waitMs) : never(reason);
};

/** Sends an outbox message to a guest, with the phone and link added now. */
export const guestMessageSender =
  (app: Pick<App, 'messenger'> & Budgeting, recipients: Readonly<Record<MessageSubject, RecipientOf>>) =>
  async (row: Row): Promise<Outcome> => {
    const { messenger } = app;
    if (!messenger.isReady) return obsolete('there is no sender of messages');
    const recipient = await recipients[row.subject](row);
    if ('again' in recipient) return recipient;
    const unsent = await spendBudget(app, row, recipient);
    if (unsent !== null) return unsent;
    const { template, language } = row.payload;
    const { phone, link, parameters = row.payload.parameters } = recipient;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
