/** Removes a shop that has moved away, with everything about it (docs/decisions/0056). */
import type pg from 'pg';
import type { Change } from '../../../kernel/change.ts';
import type { Instant } from '../../../kernel/time.ts';
import { INSERT_LAST_CHANGE } from '../change-log.ts';
import type { ConnectionOptions } from '../pool.ts';
import { quoted, SHOP_COLUMN, tablesOf, tablesOfShops } from './catalog.ts';
import { BackupError } from './head.ts';
import type { ShopMark } from './head.ts';
import { begin, inSession, liftTransactionTimeout, mustNotBeMigrated } from './session.ts';
import type { Progress, Totals } from './text.ts';

export interface RemoveShopOptions {
  /** Of the owner of the tables: the serving role may not delete from all of them. */
  readonly connection: ConnectionOptions;
  readonly shop: ShopMark;
  /** Tells processes that have read the shop. */
  readonly change: Change;
  readonly now: Instant;
  readonly onProgress?: (progress: Progress) => void;
}

/** The number of the shop's last change. Until the end of the transaction, the shop is not opened. */
const mustBeClosed = async (client: pg.Client, { orgId, slug }: ShopMark): Promise<string> => {
  const { rows } = await client.query<{ seq: string; closed: boolean }>(
    `select seq, closed_seq is not null as closed from change_counter where ${SHOP_COLUMN} = $1 for update`,
    [orgId],
  );
  const [counter] = rows;
  if (counter?.closed !== true)
    throw new BackupError(
      `${slug} is open; nothing was changed. A shop is removed when it has moved away: \`ahwa backup --org ${slug} --close\` closes it, and is the last copy of what is removed.`,
    );
  return counter.seq;
};

/** In one transaction. Throws BackupError and DatabaseUnavailable; then the database is unchanged. */
export const removeShop = ({
  connection,
  shop,
  change: { scope, type, id },
  now,
  onProgress,
}: RemoveShopOptions): Promise<Totals> =>
  inSession(connection, 'ahwa shop remove', async (client) => {
    await begin(client);
    await liftTransactionTimeout(client);
    await mustNotBeMigrated(client);
    const seq = await mustBeClosed(client, shop);
    let totals: Totals = { tables: 0, rows: 0 };
    const remove = async (table: string): Promise<void> => {
      const { rowCount } = await client.query(`delete from ${quoted([table])} where ${SHOP_COLUMN} = $1`, [
        shop.orgId,
      ]);
      totals = { tables: totals.tables + 1, rows: totals.rows + (rowCount ?? 0) };
      onProgress?.({ table, rows: totals.rows });
    };
    // Rows before those that they refer to.
    for (const { name } of tablesOfShops(await tablesOf(client)).reverse()) await remove(name);
    await remove('change');
    await client.query(INSERT_LAST_CHANGE, [shop.orgId, seq, scope, type, id, new Date(now)]);
    await client.query('commit');
    return totals;
  });
