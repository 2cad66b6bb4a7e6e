/** The command line. `ahwa --help` lists the commands; each works beside a running server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { demoPlaces } from './service/app/demo.ts';
import { UnwritableMenu } from './shopfile/app/menu-csv.ts';
import { UnknownShop } from './shops/app/org-named.ts';
import { ShopFileFaults, shopFileJsonSchema } from './shopfile/app/shopfile.ts';
import { backUpTo, backupInput, checkFrom, restoreFrom } from './doors/cli/backup.ts';
import { cardCommands } from './doors/cli/card.ts';
import { outboxCommands } from './doors/cli/outbox.ts';
import { sendingCommands } from './doors/cli/sending.ts';
import { shopFileCommands } from './doors/cli/shop-files.ts';
import { staffCommands } from './doors/cli/staff.ts';
import { webhookCommands } from './doors/cli/webhook.ts';
import { loadConfig, type Config } from './config.ts';
import { endpoints, staffEndpoints } from './service/contract/index.ts';
import { openApiDocument } from './service/contract/publish.ts';
import { asJson, configDocument, generatedDocs } from './documents.ts';
import { describePlaces } from './places.ts';
import { bringUpToDate, serve, StartError, tell, tellFault, version } from './serve.ts';
import { BackupError } from './platform/store/backup.ts';
import { demoActivity, openHouse, type House } from './wiring.ts';

const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
};

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A signal undoes what is under way and leaves no database server behind; a second one ends at once. */
const abandonOnSignals = (opening: Promise<House>): void => {
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => {
      void opening
        .then((house) => house.abandon())
        .catch(tellFault)
        .finally(() => process.exit(code));
    });
};

/** Opens the database for one command, and closes it whatever happens. */
const withDatabase = async (config: Config, work: (house: House) => Promise<void>): Promise<void> => {
  const opening = openHouse(config, 'command', tell);
  abandonOnSignals(opening);
  const house = await opening;
  try {
    await work(house);
  } finally {
    await house.close();
  }
};

/** The same, with the tables that this build needs. */
const withHouse = (work: (house: House) => Promise<void>): Promise<void> => {
  const config = loadConfig();
  return withDatabase(config, async (house) => {
    if (config.migrateOnStart) await bringUpToDate(house);
    else if (!(await house.app.isMigrated()))
      throw new StartError('The tables of the database are not up to date; run `ahwa migrate` first.');
    await work(house);
  });
};

const program = new Command('ahwa')
  .description(
    'The public face of a café: menus, branches, booking times and orders over HTTP.\n' +
      'Settings come from the environment; `ahwa config` lists them.',
  )
  .version(version())
  .showHelpAfterError('(`ahwa --help` lists the commands)')
  .addHelpText(
    'after',
    `
Examples:
  $ ahwa serve                                 serve until Ctrl-C
  $ ahwa import my-shop.json --dry-run         what would change, and every fault with its place
  $ ahwa import my-shop.json                   a running server answers with it within a second
  $ ahwa export my-shop > my-shop.json         the shop as a file that imports to the same shop
  $ ahwa menu-template > menu.csv              a spreadsheet to fill in
  $ ahwa import-menu my-shop menu.csv
  $ ahwa export-menu my-shop -o menu.csv       the shop's items as a spreadsheet to work on
  $ ahwa backup ahwa.backup                    everything, while the server goes on
  $ ahwa restore ahwa.backup                   into an empty database`,
  );

program.command('serve').description('serve the API; also brings the tables up to date').action(serve);

program
  .command('migrate')
  .description('bring the tables of the database up to date')
  .action(() =>
    withDatabase(loadConfig(), async (house) => {
      await bringUpToDate(house);
      tell('the tables are up to date');
    }),
  );

shopFileCommands(program, withHouse, print);

program
  .command('schema')
  .description('print the JSON Schema of the shop file')
  .action(() => print(asJson(shopFileJsonSchema())));

program
  .command('backup')
  .description('write everything in the database to a file')
  .argument('<file>', 'written whole or not at all; - is standard output')
  .addHelpText('after', '\nThe secret key is not in it: keep DATA_DIR/secret.key or SECRET_KEY too.')
  .action((file: string) => {
    const config = loadConfig();
    return withDatabase(config, async (house) => {
      const said = await backUpTo(house, config, file);
      // Standard output is taken.
      if (file === '-') for (const line of said) tell(line);
      else print(said.join('\n'));
    });
  });

program
  .command('restore')
  .description('bring a backup into an empty database')
  .argument('<file>', 'what `ahwa backup` wrote; - is standard input')
  .option('--check', 'only read the backup through; no database is used', false)
  .action(async (file: string, options: { check: boolean }) => {
    const from = backupInput(file);
    if (options.check) {
      print(await checkFrom(file, from));
      return;
    }
    const config = loadConfig();
    await withDatabase(config, async (house) => {
      print(await restoreFrom(house, config, file, from));
      if (config.migrateOnStart) await bringUpToDate(house);
    });
  });

program
  .command('openapi')
  .description('print the OpenAPI 3.1 description')
  .option('--staff', "of the staff's side", false)
  .action(({ staff }: { staff: boolean }) => {
    const { baseUrl, service } = loadConfig();
    const publication = { baseUrl, service, version: version() };
    print(
      asJson(
        staff
          ? openApiDocument(staffEndpoints, { ...publication, side: 'staff' })
          : openApiDocument(endpoints, publication),
      ),
    );
  });

program
  .command('demo')
  .description('list what the demo shops have to look at')
  .action(() =>
    withHouse(async ({ app }) => {
      const places = await demoPlaces(app, demoActivity());
      print(
        places.shops.length === 0
          ? 'There are no demo shops in this database.'
          : describePlaces(app.baseUrl, places).join('\n'),
      );
    }),
  );

staffCommands(program, withHouse, print);
cardCommands(program, withHouse, print);
webhookCommands(program, withHouse, print);
outboxCommands(program, withHouse, print);
sendingCommands(program, withHouse, print);

program
  .command('config')
  .description('list every setting with its default')
  .action(() => print(configDocument()));

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));

program
  .command('docs')
  .description('rewrite the generated files of docs/')
  .action(() => {
    for (const [name, text] of Object.entries(generatedDocs())) writeFileSync(join(DOCS, name), text);
  });

/** A fault that a person can mend is told in sentences; the exit code is 1 either way. */
const fail = (fault: unknown): void => {
  process.exitCode = 1;
  if (fault instanceof ShopFileFaults) for (const line of fault.lines()) tell(line);
  else if (fault instanceof UnknownShop || fault instanceof UnwritableMenu || fault instanceof BackupError)
    tell(fault.message);
  else tellFault(fault);
};

// Who reads only the beginning (`ahwa export my-shop | head`) has had what they wanted.
process.stdout.on('error', () => undefined);

await program.parseAsync().catch(fail);
