/** The database of a command: named first, and made or migrated only by the commands that are for it. */
import { loadConfig, type Config } from '../../config.ts';
import type { App } from '../../platform/app/app.ts';
import type { ConnectionOptions } from '../../platform/store/db.ts';
import { tablesState, type TablesState } from '../../platform/store/migrate.ts';
import { prepareDatabase } from '../../serve/prepare-database.ts';
import { printFault, printStatus, StartError } from '../../serve/faults.ts';
import { databaseName, knownTables, MIGRATIONS, openRuntime, type Runtime } from '../../wiring.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The first signal rolls back running work and stops the embedded database; a second one exits at once. */
const abandonOnSignals = (opening: Promise<Runtime>): void => {
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => {
      void opening
        .then((runtime) => runtime.abandon())
        .catch(printFault)
        .finally(() => process.exit(code));
    });
};

/** Only commands that bring something in make a database; the others would show an empty one as the right one. */
type Target = 'existing' | 'existing or new';

const printDatabase = (config: Config): void => printStatus(`database: ${databaseName(config)}`);

const onRuntime = async (
  config: Config,
  target: Target,
  work: (runtime: Runtime) => Promise<void>,
): Promise<void> => {
  const opening = openRuntime(config, 'command', printStatus, target === 'existing or new');
  abandonOnSignals(opening);
  const runtime = await opening;
  try {
    await work(runtime);
  } finally {
    await runtime.close();
  }
};

export const withDatabase = (
  config: Config,
  target: Target,
  work: (runtime: Runtime) => Promise<void>,
): Promise<void> => {
  printDatabase(config);
  return onRuntime(config, target, work);
};

const notMigrated = (): StartError =>
  new StartError('The tables of the database are not up to date; run `ahwa migrate` first.');

/** Throws StartError where they are missing, or older than this build. */
export const requireTables = async (config: Config, connection: ConnectionOptions): Promise<void> => {
  const tables = await tablesState(connection, MIGRATIONS);
  if (tables === 'older') throw notMigrated();
  if (tables === 'none')
    throw new StartError(
      `There are no tables of Ahwa in ${databaseName(config)}; \`ahwa migrate\`, \`ahwa import\` and \`ahwa restore\` make them.`,
    );
};

export type WithRuntime = (work: (runtime: Runtime) => Promise<void>) => Promise<void>;

/** Requires up-to-date tables. */
export const onExisting: WithRuntime = async (work) => {
  const config = loadConfig();
  printDatabase(config);
  const { databaseUrl: url } = config;
  // Opening the runtime makes a missing secret key.
  if (url !== null) await requireTables(config, { url });
  await onRuntime(config, 'existing', async (runtime) => {
    if (url === null) await requireTables(config, runtime.connection);
    await work(runtime);
  });
};

export interface ImportSteps<Judged> {
  readonly dryRun: boolean;
  /** Before a database is made or migrated. */
  readonly judge: (tables: TablesState) => Promise<Judged>;
  /** Compares with a database, and writes unless it is a dry run. */
  readonly work: (app: App, judged: Judged) => Promise<void>;
}

/** A dry run ends after `judge` where there are no tables; older tables are refused, because nothing is migrated. */
export const onImport = async <Judged>({ dryRun, judge, work }: ImportSteps<Judged>): Promise<void> => {
  const config = loadConfig();
  printDatabase(config);
  const judged = async (tables: TablesState): Promise<Judged> => {
    const result = await judge(tables);
    if (tables === 'older' && dryRun) throw notMigrated();
    if (tables !== 'current' && !config.migrateOnStart && !dryRun) throw notMigrated();
    return result;
  };
  const write = async (runtime: Runtime, files: Judged): Promise<void> => {
    if (config.migrateOnStart && !dryRun) await prepareDatabase(runtime);
    await work(runtime.app, files);
  };
  const known = await knownTables(config);
  if (known === null) {
    await onRuntime(config, 'existing', async (runtime) => {
      const tables = await tablesState(runtime.owner, MIGRATIONS);
      const files = await judged(tables);
      if (tables !== 'none' || !dryRun) await write(runtime, files);
    });
    return;
  }
  // Opening the runtime makes a missing secret key.
  const files = await judged(known);
  if (known === 'none' && dryRun) return;
  await onRuntime(config, known === 'none' ? 'existing or new' : 'existing', (runtime) =>
    write(runtime, files),
  );
};
