/** The page about menus in a spreadsheet. */
import { COLUMN_NAMES, MENU_COLUMNS } from '../../domain/menucolumns.ts';

/** docs/menu-csv.md. */
export const menuCsvReference = (): string =>
  [
    '# A menu from a spreadsheet',
    '',
    '```sh',
    'npm run ahwa -- menu-template > menu.csv                # one to start from',
    'npm run ahwa -- import-menu my-shop menu.csv --dry-run  # every fault with its row, and what would change',
    'npm run ahwa -- import-menu my-shop menu.csv            # a running server answers with it within a second',
    '```',
    '',
    'The file is CSV in UTF-8 (in Excel: “CSV UTF-8”); commas, semicolons and tabs all do. The first row holds the names of the columns, in any order, and every row after it is an item, or one size of an item.',
    '',
    '- An item is found by its id, else by its name. What the file does not name stays as it is; nothing is taken out of the menu.',
    '- A column that is not there leaves its field alone; a blank cell of one that is there empties the field.',
    '- The name in the shop’s main language and the price are needed.',
    '- Rows with the same name are the sizes of one item: each needs a size.',
    '- With one fault anywhere nothing is changed; every fault is told with its row.',
    '',
    'This page is written from `src/domain/menucolumns.ts`.',
    '',
    '## Columns',
    '',
    'Every column has a name of its own and others that are read as well. Capitals, spaces, hyphens, hamza, diacritics, the article and the ة at the end of a word make no difference: `الاسم العربي`, `الإسم بالعربيه` and `اسم عربى` are the same.',
    '',
    ...COLUMN_NAMES.flatMap((column) => {
      const { doc, names } = MENU_COLUMNS[column];
      return [`### ${column}`, '', doc, '', `Also: ${names.map((name) => `\`${name}\``).join(', ')}`, ''];
    }),
  ].join('\n');
