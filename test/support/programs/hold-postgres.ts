/**
 * A process that uses the embedded PostgreSQL of a data folder: prints its connection or `{ refused }` as one JSON
 * line, and releases PostgreSQL when its standard input ends.
 */
import { startEmbeddedPostgres } from '../../../src/adapters/embedded-postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const server = await startEmbeddedPostgres({ dataDir });
  process.stdout.write(`${JSON.stringify(server.connection)}\n`);
  process.stdin.resume();
  process.stdin.once('end', () => void server.release());
} catch (fault) {
  process.stdout.write(
    `${JSON.stringify({ refused: fault instanceof Error ? fault.message : String(fault) })}\n`,
  );
}
