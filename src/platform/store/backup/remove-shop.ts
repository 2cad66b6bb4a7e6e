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
  readonly change: Pick<Change, 'scope' | 'type' | 'id'>;
  readonly now: Instant;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * The number of the shop's last change. Until the end of the transaction it is not opened; a change of it is refused as before.
 * Rows without their shop were left by a process that was changing it.
 */
const mustNotBeOpen = async (client: pg.Client, { orgId, slug }: ShopMark): Promise<string> => {
  const { rows } = await client.query<{ seq: string; closed: boolean }>(
    `select seq, closed_seq is not null as closed from change_counter where ${SHOP_COLUMN} = $1 for key share`,
    [orgId],
  );
  const [counter] = rows;
  if (counter?.closed === true) return counter.seq;
  const shops = await client.query(`select from shop where ${SHOP_COLUMN} = $1`, [orgId]);
  if (shops.rowCount !== 0)
    throw new BackupError(
      `${slug} is open; nothing was changed. A shop is removed when it has moved away: \`ahwa backup --org ${slug} --close\` closes it, and is the last copy of what is removed.`,
    );
  return counter?.seq ?? '0';
};

/** What holds the shop closed goes last. */
const COUNTER = 'change_counter';

/** Rows before those that they refer to. */
const tablesToEmpty = async (client: pg.Client): Promise<string[]> => {
  const names = tablesOfShops(await tablesOf(client)).map(({ name }) => name);
  return [...names.filter((name) => name !== COUNTER).reverse(), 'change', COUNTER];
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
    const seq = await mustNotBeOpen(client, shop);
    const tables = await tablesToEmpty(client);
    let rows = 0;
    for (const table of tables) {
      onProgress?.({ table, rows });
      const { rowCount } = await client.query(`delete from ${quoted([table])} where ${SHOP_COLUMN} = $1`, [
        shop.orgId,
      ]);
      rows += rowCount ?? 0;
    }
    await client.query(INSERT_LAST_CHANGE, [shop.orgId, seq, scope, type, id, new Date(now)]);
    await client.query('commit');
    return { tables: tables.length, rows };
  });
