/** Budgets of codes and messages: the rows of all that one sending concerns are locked in the order of their keys. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { NOTHING_SPENT, type Budget, type BudgetLine, type Spending } from '../domain/budget.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

type Db = Kysely<Database>;

interface SpendingRow extends Spending {
  readonly key: string;
}

/**
 * The statement that locks the rows of budgets, made where there are none, as a part of another: `after` is a query of one
 * row that must have run before, since these rows are waited for by every shop.
 */
export const lockingBudgets = (
  lines: readonly BudgetLine[],
  after: RawBuilder<unknown>,
  now: Instant,
): RawBuilder<SpendingRow> => sql`
  insert into message_budget as budget (key, minute, counts, updated_at)
  select wanted.key, 0, '{}', ${at(now)}
  from unnest(${lines.map(({ key }) => key)}::text[]) as wanted(key), (${after}) as earlier
  order by wanted.key
  on conflict (key) do update set updated_at = excluded.updated_at
  returning key, minute, counts, low_minute as "lowMinute", spent_minute as "spentMinute"`;

/** The budgets of lines, from the rows that were found. */
export const budgetsOf = (lines: readonly BudgetLine[], rows: readonly SpendingRow[]): readonly Budget[] =>
  lines.map((line) => {
    const row = rows.find(({ key }) => key === line.key);
    return { ...line, spending: row ?? NOTHING_SPENT };
  });

export const lockBudgets = async (
  tx: Db,
  lines: readonly BudgetLine[],
  now: Instant,
): Promise<readonly Budget[]> => {
  const { rows } = await lockingBudgets(lines, sql`select 1`, now).execute(tx);
  return budgetsOf(lines, rows);
};

/** The statement that writes locked budgets, alone or as a part of another. */
export const savingBudgets = (budgets: readonly Budget[]): RawBuilder<unknown> => sql`
  update message_budget
  set minute = spent.minute, counts = spent.counts, low_minute = spent."lowMinute", spent_minute = spent."spentMinute"
  from jsonb_to_recordset(${JSON.stringify(budgets.map(({ key, spending }) => ({ ...spending, key })))}::jsonb)
    as spent(key text, minute integer, counts integer[], "lowMinute" integer, "spentMinute" integer)
  where message_budget.key = spent.key`;

export const saveBudgets = async (tx: Db, budgets: readonly Budget[]): Promise<void> => {
  await savingBudgets(budgets).execute(tx);
};

/** What the budgets that every shop shares have spent, and each shop that spent anything lately. */
export const spendings = async (db: Db): Promise<readonly SpendingRow[]> => {
  const { rows } = await sql<SpendingRow>`
    select key, minute, counts, low_minute as "lowMinute", spent_minute as "spentMinute" from message_budget
    where key not like 'address:%'
  `.execute(db);
  return rows;
};
