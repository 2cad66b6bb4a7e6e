/** Time limits that apply to a server but not to a command. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openRuntime, type Role } from '../../src/wiring.ts';
import { urlOf } from '../support/programs/program.ts';
import { freshDatabase } from '../support/database/test-database.ts';

const limitsOf = async (role: Role): Promise<unknown> => {
  const database = await freshDatabase();
  const config = loadConfig({ DATABASE_URL: urlOf(database.connection), SECRET_KEY: 'k'.repeat(64) });
  const runtime = await openRuntime(config, role, () => undefined);
  try {
    const { rows } = await sql`
      select current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('statement_timeout') as statement
    `.execute(runtime.app.db.kysely);
    return rows[0];
  } finally {
    await runtime.close();
    await database.release();
  }
};

test('the short database time limits of a server do not apply to a command', async () => {
  expect(await limitsOf('command')).toEqual({ idle: '0', statement: '10min' });
  expect(await limitsOf('server')).toEqual({ idle: '6s', statement: '5s' });
});
