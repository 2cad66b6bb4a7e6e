import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { tableCards } from '../../floor/app/table-cards.ts';
import type { App } from '../../platform/app/app.ts';
import { StartError } from '../../serve/faults.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { onFile } from './files.ts';
import type { Print, WithApp } from './webhook.ts';

interface PrintOptions {
  readonly branch?: string;
  readonly output?: string;
}

/** `cards.svg` of the second page of a branch is `cards-ZML-2.svg`. */
const fileOf = (output: string, branch: string, page: number): string =>
  output.replace(/(\.svg)?$/i, `-${branch}-${page}.svg`);

const nothingToPrint = (branch?: string): string =>
  branch === undefined
    ? 'There are no tables to print.'
    : `The shop has no branch with the code ${branch} and tables.`;

export const tableCommands = (program: Command, withApp: WithApp<App>, print: Print): void => {
  program
    .command('tables')
    .description('the QR codes of tables')
    .command('print')
    .description(
      'draw a sheet of QR cards to print: SVG pages of A4, 12 cards each, in the colours of the shop',
    )
    .argument('<slug>', "the shop's address name")
    .option('-b, --branch <code>', 'only of the branch with this code')
    .option('-o, --output <file>', 'where the pages go: <file>-<branch>-<page>.svg', 'tables.svg')
    .action((slug: string, { branch, output = 'tables.svg' }: PrintOptions) =>
      withApp(async ({ app }) => {
        const sheets = await tableCards(app, await orgBySlug(app, slug), branch ?? null);
        if (sheets.length === 0) throw new StartError(nothingToPrint(branch));
        for (const { branch: code, pages } of sheets)
          for (const [index, page] of pages.entries()) {
            const file = fileOf(output, code, index + 1);
            onFile('written', file, () => writeFileSync(file, page));
            print(file);
          }
        print(`The codes lead to ${app.baseUrl} (BASE_URL).`);
      }),
    );
};
