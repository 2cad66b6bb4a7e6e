/** Messages to guests: what the outbox keeps of one, put together with the phone and the link when it is sent. */
import { withLink } from '../../orders/domain/message.ts';
import { deferred, never, pointless, type MessageRow, type Outcome } from '../domain/outbox.ts';
import type { Phone } from '../../kernel/phone.ts';
import { noteBudgeted, type ClaimedRow } from '../store/outbox.ts';
import type { App } from '../../platform/app/app.ts';
import { budgetLines, recordAlerts, spendIn } from './message-budget.ts';

/** How long a message waits for its budget. */
const DEFERRED_MS = 24 * 60 * 60_000;

type Row = ClaimedRow & MessageRow;
type Budgeting = Pick<App, 'db' | 'clock' | 'security' | 'messageBudgets'>;

/** Counts a message in the budgets, once however often it is tried; null: it may be sent. */
const unbudgeted = async (app: Budgeting, row: Row, phone: Phone): Promise<Outcome | null> => {
  if (app.messageBudgets === null || row.isBudgeted) return null;
  const lines = budgetLines(app.messageBudgets, { phone, orgId: row.orgId, client: null });
  if (lines === null) return pointless('no messages are sent to the country of the phone');
  const { waitMs, alerts } = await app.db.tx(async (tx) => {
    // Before the budgets are locked, for which every shop waits: this row may be waited for.
    await noteBudgeted(tx, row, true);
    const spent = await spendIn(tx, lines, app.clock.now());
    if (spent.waitMs > 0) await noteBudgeted(tx, row, false);
    return spent;
  });
  recordAlerts(app, alerts, null);
  if (waitMs === 0) return null;
  const reason = 'a budget of messages is spent';
  // A guest who has heard nothing for a day has no use for it; a person may replay it.
  return app.clock.now() - row.createdAt < DEFERRED_MS ? deferred(reason, waitMs) : never(reason);
};

/** Sends a message of the outbox to the guest of its order; to nobody once the person was erased. */
export const guestMessageSender =
  (app: Pick<App, 'messenger' | 'baseUrl'> & Budgeting) =>
  async (row: Row): Promise<Outcome> => {
    const { messenger, baseUrl } = app;
    const { phone, payload, subjectId } = row;
    if (!messenger.isReady) return pointless('there is no sender of messages');
    if (phone === null) return pointless('the order has no phone any more');
    const unsent = await unbudgeted(app, row, phone);
    if (unsent !== null) return unsent;
    const { template, language, parameters } = payload;
    const link = `${baseUrl}/track/${subjectId}`;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
