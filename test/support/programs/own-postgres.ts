/** A PostgreSQL of a test file alone, whose roles and pg_hba.conf it may change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedConnection } from '../../../src/adapters/embedded-postgres.ts';
import { withAdmin } from '../database/test-database.ts';
import { addUsedCluster, dataFolder, removeDataFolder } from './data-folder.ts';

export interface OwnPostgres {
  /** As a superuser. */
  readonly connection: EmbeddedConnection;
  run(...statements: readonly string[]): Promise<void>;
  /** Replaces the lines of pg_hba.conf after those of the superuser, who always gets in by password. */
  admit(...lines: readonly string[]): Promise<void>;
  release(): Promise<void>;
}

export const ownPostgres = async (): Promise<OwnPostgres> => {
  const dataDir = dataFolder();
  await addUsedCluster(dataDir);
  const server = await startEmbeddedPostgres({ dataDir });
  const run = (...statements: readonly string[]): Promise<void> =>
    withAdmin({ connection: server.owner }, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  return {
    connection: server.owner,
    run,
    admit: async (...lines) => {
      const first = `local all ${server.owner.user} scram-sha-256`;
      writeFileSync(join(server.folder, 'pg_hba.conf'), [first, ...lines, ''].join('\n'));
      await run('select pg_reload_conf()');
    },
    release: async () => {
      await server.release();
      removeDataFolder(dataDir);
    },
  };
};
