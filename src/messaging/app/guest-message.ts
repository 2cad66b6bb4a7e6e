import { withLink } from '../domain/template.ts';
import { deferred, never, obsolete, type MessageRow, type Outcome } from '../domain/outbox.ts';
import type { Phone } from '../../kernel/phone.ts';
import { markBudgeted, type ClaimedRow } from '../store/outbox.ts';
import type { App } from '../../platform/app/app.ts';
import { budgetLines, recordAlerts, spendIn } from './message-budget.ts';

const DEFERRED_MS = 24 * 60 * 60_000;

type Row = ClaimedRow & MessageRow;
type Budgeting = Pick<App, 'db' | 'clock' | 'security' | 'messageBudgets'>;

/** Spends the budgets for a message, once for all its tries. Null: it may be sent. */
const spendBudget = async (app: Budgeting, row: Row, phone: Phone): Promise<Outcome | null> => {
  if (app.messageBudgets === null || row.isBudgeted) return null;
  const lines = budgetLines(app.messageBudgets, { phone, orgId: row.orgId, client: null });
  if (lines === null) return obsolete('no messages are sent to the country of the phone');
  const { waitMs, alerts } = await app.db.tx(async (tx) => {
    // Lock this row before the budgets: budgets are shared by all shops, so no lock may be awaited while they are held.
    await markBudgeted(tx, row, true);
    const spent = await spendIn(tx, lines, app.clock.now());
    if (spent.waitMs > 0) await markBudgeted(tx, row, false);
    return spent;
  });
  recordAlerts(app, alerts, null);
  if (waitMs === 0) return null;
  const reason = 'a budget of messages is spent';
  // After a day the message is of no use to the guest; an operator may replay it.
  return app.clock.now() - row.createdAt < DEFERRED_MS ? deferred(reason, waitMs) : never(reason);
};

/**
 * Sends an outbox message to the guest of its order, with the phone and link added now; dropped once the
 * person was erased.
 */
export const guestMessageSender =
  (app: Pick<App, 'messenger' | 'baseUrl'> & Budgeting) =>
  async (row: Row): Promise<Outcome> => {
    const { messenger, baseUrl } = app;
    const { phone, payload, subjectId } = row;
    if (!messenger.isReady) return obsolete('there is no sender of messages');
    if (phone === null) return obsolete('the order has no phone any more');
    const unsent = await spendBudget(app, row, phone);
    if (unsent !== null) return unsent;
    const { template, language, parameters } = payload;
    const link = `${baseUrl}/track/${subjectId}`;
    return messenger.send({ phone, template, language, parameters: withLink(parameters, link) });
  };
