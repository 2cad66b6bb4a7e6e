import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../platform/app/app.ts';
import { exportMenuCsv, importMenuCsv, menuCsvTemplate } from '../../shopfile/app/menu-csv.ts';
import {
  exportShop,
  planFirstImport,
  readShopFiles,
  saveShopFiles,
  type ImportReport,
} from '../../shopfile/app/shopfile.ts';
import { loadConfig } from '../../config.ts';
import { asJson } from '../../generated-docs.ts';
import { printStatus } from '../../serve/faults.ts';
import { createPictureDownloader, createPictureSpool, readingTools } from '../../wiring.ts';
import type { ImportSteps } from './database.ts';
import { onFile, readInputs } from './files.ts';
import { describeReport, warningLines } from './import-report.ts';
import type { Print, WithApp } from './webhook.ts';

const printReports = (print: Print, reports: readonly ImportReport[], dryRun: boolean): void => {
  for (const report of reports) {
    print(describeReport(report, dryRun));
    warningLines(report).forEach(printStatus);
  }
};

const printTo = (print: Print, text: string, output: string | undefined): void => {
  if (output === undefined) print(text);
  else onFile('written', output, () => writeFileSync(output, text));
};

interface ImportFlags {
  readonly state: boolean;
  readonly dryRun: boolean;
  readonly fetchPictures: boolean;
}

/** Pictures are written first: a shop file that is there has its pictures. */
const exportTo = async (app: App, slug: string, output: string): Promise<void> => {
  const file = await exportShop(app, slug, (path, bytes) => {
    const target = join(dirname(output), path);
    onFile('written', target, () => {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    });
  });
  onFile('written', output, () => writeFileSync(output, asJson(file)));
};

const exportToScreen = async (app: App, slug: string, print: Print): Promise<void> => {
  const pictures: string[] = [];
  print(asJson(await exportShop(app, slug, (path) => pictures.push(path))));
  const count = new Set(pictures).size;
  if (count > 0)
    printStatus(
      `warning: ${slug}: its ${count} pictures are not in this output; --output writes them beside the file`,
    );
};

/** An import makes a database where there is none. */
interface Databases {
  readonly existing: WithApp<App>;
  readonly forImport: <Judged>(steps: ImportSteps<Judged>) => Promise<void>;
}

const FIRST_IMPORT = 'there are no tables yet; a first import would make them and do this';

const importFiles = async (
  { forImport }: Databases,
  files: readonly string[],
  { state, dryRun, fetchPictures }: ImportFlags,
  print: Print,
): Promise<void> => {
  const config = loadConfig();
  const { maxBytes, maxItems } = config.imports;
  const given = readInputs(files, maxBytes);
  const fetching = fetchPictures
    ? { downloader: createPictureDownloader(), spool: createPictureSpool() }
    : undefined;
  const options = { state, dryRun, maxItems, fetching, onProgress: printStatus };
  try {
    await forImport({
      dryRun,
      judge: async (tables) => {
        const read = await readShopFiles(readingTools(config), given, options);
        if (tables === 'current') return read;
        const reports = await planFirstImport(read);
        if (tables === 'none' && dryRun) {
          printStatus(FIRST_IMPORT);
          printReports(print, reports, dryRun);
        }
        return read;
      },
      work: async (app, read) => printReports(print, await saveShopFiles(app, read, options), dryRun),
    });
  } finally {
    fetching?.spool.discard();
  }
};

const wholeShops = (program: Command, databases: Databases, print: Print): void => {
  program
    .command('import')
    .description('import shop files: all of them, or nothing')
    .argument('<file...>', 'shop files (JSON); - is standard input')
    .option('--state', 'overwrite running state too: stock, sold out, pauses', false)
    .option(
      '--dry-run',
      'say what would change, and change nothing; without a database, what a first import would do',
      false,
    )
    .option('--fetch-pictures', 'fetch pictures at https:// addresses too, and serve them', false)
    .action((files: string[], flags: ImportFlags) => importFiles(databases, files, flags, print));

  program
    .command('export')
    .description('print a shop as a file that imports to the same shop')
    .argument('<slug>', "the shop's address name")
    .option('-o, --output <file>', 'write to a file instead, and the pictures beside it')
    .action((slug: string, { output }: { output?: string }) =>
      databases.existing(({ app }) =>
        output === undefined ? exportToScreen(app, slug, print) : exportTo(app, slug, output),
      ),
    );
};

interface MenuOptions {
  readonly dryRun: boolean;
  readonly removeMissingSizes: boolean;
  readonly ignoreColumns: boolean;
}

const menus = (program: Command, withApp: WithApp<App>, print: Print): void => {
  program
    .command('import-menu')
    .description('add or change menu items from a CSV file')
    .argument('<slug>', "the shop's address name")
    .argument('<file>', 'a CSV file with the columns of `ahwa menu-template`; - is standard input')
    .option('--dry-run', 'say what would change, and change nothing', false)
    .option('--remove-missing-sizes', 'take out the sizes that the rows of an item do not name', false)
    .option('--ignore-columns', 'pass over columns that nobody knows', false)
    .addHelpText('after', '\nEvery column and the names it goes by, in either language: docs/menu-csv.md')
    .action((slug: string, file: string, options: MenuOptions) => {
      const { maxBytes, maxItems } = loadConfig().imports;
      const given = readInputs([file], maxBytes);
      return withApp(async ({ app }) => {
        const reports: ImportReport[] = [];
        for (const one of given) reports.push(await importMenuCsv(app, slug, one, { ...options, maxItems }));
        printReports(print, reports, options.dryRun);
      });
    });

  program
    .command('export-menu')
    .description("print a shop's items as a CSV file that imports to the same menu")
    .argument('<slug>', "the shop's address name")
    .option('-o, --output <file>', 'write to a file instead')
    .action((slug: string, { output }: { output?: string }) =>
      withApp(async ({ app }) => {
        printTo(print, await exportMenuCsv(app, slug), output);
      }),
    );

  program
    .command('menu-template')
    .description('print a CSV menu to start from')
    .action(() => print(menuCsvTemplate()));
};

export const shopFileCommands = (program: Command, databases: Databases, print: Print): void => {
  wholeShops(program, databases, print);
  menus(program, databases.existing, print);
};
