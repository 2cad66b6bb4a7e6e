/** Budgets of codes and messages. The rows of one message are locked in the order of their keys. */
import { sql, type Kysely } from 'kysely';
import { NOTHING_SPENT, type Budget, type BudgetLine, type Spending } from '../domain/budget.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

interface SpendingRow extends Spending {
  readonly key: string;
}

const budgetsOf = (lines: readonly BudgetLine[], rows: readonly SpendingRow[]): readonly Budget[] =>
  lines.map((line) => {
    const row = rows.find(({ key }) => key === line.key);
    return { ...line, spending: row ?? NOTHING_SPENT };
  });

/**
 * Locks the rows of budgets until the transaction ends, inserting missing ones. Every shop waits for them:
 * the transaction must wait for nothing else afterwards. `isDurable: false`: its commit does not wait for the
 * disk.
 */
export const lockBudgets = async (
  tx: Db,
  lines: readonly BudgetLine[],
  { isDurable }: { readonly isDurable: boolean },
): Promise<readonly Budget[]> => {
  const commits = isDurable ? sql`select 1` : sql`select set_config('synchronous_commit', 'off', true)`;
  const { rows } = await sql<SpendingRow>`
    insert into message_budget as budget (key, minute, counts)
    select wanted.key, 0, '{}'
    from unnest(${lines.map(({ key }) => key)}::text[]) as wanted(key), (${commits}) as commits
    order by wanted.key
    on conflict (key) do update set minute = budget.minute
    returning key, minute, counts, low_minute as "lowMinute", spent_minute as "spentMinute"
  `.execute(tx);
  return budgetsOf(lines, rows);
};

export const saveBudgets = async (tx: Db, budgets: readonly Budget[]): Promise<void> => {
  const rows = budgets.map(({ key, spending }) => ({ ...spending, key }));
  await sql`
    update message_budget
    set minute = spent.minute, counts = spent.counts, low_minute = spent."lowMinute", spent_minute = spent."spentMinute"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as spent(key text, minute integer, counts integer[], "lowMinute" integer, "spentMinute" integer)
    where message_budget.key = spent.key
  `.execute(tx);
};

/** The shared budgets, and each shop that spent recently. */
export const spendings = async (db: Db): Promise<readonly SpendingRow[]> => {
  const { rows } = await sql<SpendingRow>`
    select key, minute, counts, low_minute as "lowMinute", spent_minute as "spentMinute" from message_budget
    where key not like 'address:%'
  `.execute(db);
  return rows;
};
