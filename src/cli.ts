import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { demoContents } from './service/app/demo.ts';
import { UnwritableMenu } from './shopfile/app/menu-csv.ts';
import { UnknownShop } from './shops/app/org-by-slug.ts';
import { namedShop } from './shopfile/app/move-shop.ts';
import { ShopFileFaults, shopFileJsonSchema } from './shopfile/app/shopfile.ts';
import { backUpTo, backupInput, checkFrom, readingBackup, restoreFrom } from './doors/cli/backup.ts';
import { onExisting, onImport, requireTables, withDatabase } from './doors/cli/database.ts';
import { cardCommands } from './doors/cli/loyalty-card.ts';
import { tableCommands } from './doors/cli/table-cards.ts';
import { outboxCommands } from './doors/cli/outbox.ts';
import { sendingCommands } from './doors/cli/sending.ts';
import { shopCommands } from './doors/cli/shop.ts';
import { shopFileCommands } from './doors/cli/shop-files.ts';
import { staffCommands } from './doors/cli/staff.ts';
import { walletCommands } from './doors/cli/wallet.ts';
import { webhookCommands } from './doors/cli/webhook.ts';
import { loadConfig } from './config.ts';
import { endpoints, staffEndpoints } from './service/contract/endpoints.ts';
import { openApiDocument } from './service/contract/openapi-document.ts';
import { asJson, configDocument, generatedFiles } from './generated-docs.ts';
import { describeDemo } from './banner.ts';
import { serve } from './serve.ts';
import { prepareDatabase } from './serve/prepare-database.ts';
import { printFault, printStatus, StartError } from './serve/faults.ts';
import { distribute, DistributionError } from './platform/store/nodes/distribute.ts';
import { BackupError } from './platform/store/backup.ts';
import { demoActivity, MIGRATIONS, version } from './wiring.ts';
import { checkWallets } from './wiring/providers.ts';

const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
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
  $ ahwa restore ahwa.backup                   into an empty database
  $ ahwa backup --org my-shop --close my-shop.backup   a shop that moves to another installation`,
  );

program.command('serve').description('serve the API; also brings the tables up to date').action(serve);

program
  .command('migrate')
  .description('bring the tables of the database up to date')
  .action(() =>
    withDatabase(loadConfig(), 'existing or new', async (runtime) => {
      await prepareDatabase(runtime);
      printStatus('the tables are up to date');
    }),
  );

program
  .command('distribute')
  .description('spread the tables over the nodes of Citus, by shop; again after `ahwa migrate`')
  .action(() =>
    withDatabase(loadConfig(), 'existing', async ({ owner }) => {
      const tables = await distribute({ connection: owner, folder: MIGRATIONS, onProgress: printStatus });
      print(
        tables.length === 0 ? 'Every table is laid out already.' : `${tables.length} tables are laid out.`,
      );
    }),
  );

shopFileCommands(program, { existing: onExisting, forImport: onImport }, print);

program
  .command('schema')
  .description('print the JSON Schema of the shop file')
  .action(() => print(asJson(shopFileJsonSchema())));

interface BackupOptions {
  readonly org?: string;
  readonly close: boolean;
}

program
  .command('backup')
  .description('write everything in the database, or one shop, to a file')
  .argument('<file>', 'written whole or not at all; - is standard output')
  .option('--org <shop>', 'one shop alone, by its address name or id')
  .option('--close', 'with --org: close the shop first, so that it can move', false)
  .addHelpText('after', '\nThe secret key is not in it: keep DATA_DIR/secret.key or SECRET_KEY too.')
  .action((file: string, { org, close }: BackupOptions) => {
    const config = loadConfig();
    if (close && org === undefined) throw new StartError('--close closes one shop: name it with --org.');
    return withDatabase(config, 'existing', async (runtime) => {
      if (org !== undefined) await requireTables(config, runtime.connection);
      const shop = org === undefined ? null : { ...(await namedShop(runtime.app, org)), close };
      const said = await backUpTo(runtime, config, file, shop);
      // Standard output carries the backup.
      if (file === '-') for (const line of said) printStatus(line);
      else print(said.join('\n'));
    });
  });

program
  .command('restore')
  .description('bring a backup into an empty database, or a backup of one shop into one that has others')
  .argument('<file>', 'what `ahwa backup` wrote; - is standard input')
  .option('--check', 'only read the backup through; no database is used', false)
  .action(async (file: string, options: { check: boolean }) => {
    const from = backupInput(file);
    if (options.check) {
      print(await checkFrom(file, from));
      return;
    }
    const config = loadConfig();
    await readingBackup(file, from, async (backup) => {
      const isOfShop = backup.head.shop !== null;
      await withDatabase(config, isOfShop ? 'existing' : 'existing or new', async (runtime) => {
        print(await restoreFrom(runtime, config, backup));
        // Other shops' servers are at work on the tables that one shop comes into.
        if (config.migrateOnStart && !isOfShop) await prepareDatabase(runtime);
      });
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
          ? openApiDocument(staffEndpoints, { ...publication, audience: 'staff' })
          : openApiDocument(endpoints, publication),
      ),
    );
  });

program
  .command('demo')
  .description('list what the demo shops have to look at')
  .action(() =>
    onExisting(async ({ app }) => {
      const demo = await demoContents(app, demoActivity());
      print(
        demo.shops.length === 0
          ? 'There are no demo shops in this database.'
          : describeDemo(app.baseUrl, demo).join('\n'),
      );
    }),
  );

shopCommands(program, onExisting, print);
staffCommands(program, onExisting, print);
cardCommands(program, onExisting, print);
tableCommands(program, onExisting, print);
webhookCommands(program, onExisting, print);
outboxCommands(program, onExisting, print);
sendingCommands(program, onExisting, print);
walletCommands(program, () => checkWallets(loadConfig()), print);

program
  .command('config')
  .description('list every setting with its default')
  .action(() => print(configDocument()));

const ROOT = fileURLToPath(new URL('../', import.meta.url));

program
  .command('docs')
  .description('rewrite the generated files of docs/')
  .action(() => {
    for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(join(ROOT, path), text);
  });

/** 2: the tables of this database cannot be distributed. */
const fail = (fault: unknown): void => {
  process.exitCode = fault instanceof DistributionError ? 2 : 1;
  if (fault instanceof ShopFileFaults) for (const line of fault.lines()) printStatus(line);
  else if (
    fault instanceof UnknownShop ||
    fault instanceof UnwritableMenu ||
    fault instanceof BackupError ||
    fault instanceof DistributionError
  )
    printStatus(fault.message);
  else printFault(fault);
};

// A reader that closes the pipe early (`ahwa export my-shop | head`) is no error.
process.stdout.on('error', () => undefined);

void program.parseAsync().catch(fail);
