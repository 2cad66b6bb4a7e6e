/** Generates docs/menu-csv.md. */
import { COLUMN_NAMES, MENU_COLUMNS } from '../../domain/menu-csv/columns.ts';

const INTRODUCTION = `# A menu from a spreadsheet

\`\`\`sh
npm run ahwa -- export-menu my-shop -o menu.csv         # the menu that the shop has, to work on
npm run ahwa -- menu-template > menu.csv                # or one to start from
npm run ahwa -- import-menu my-shop menu.csv --dry-run  # every fault with its row, and what would change
npm run ahwa -- import-menu my-shop menu.csv            # a running server answers with it within a second
\`\`\`

The file is CSV in UTF-8 (in Excel: “CSV UTF-8”); commas, semicolons and tabs all do. The first row holds the names of the columns, in any order, and every row after it is an item, or one size of an item.

The safe way: export the menu, change it, look at the dry run, import it. Exported and imported unchanged, the dry run says “nothing changes”.

## What changes, and what does not

- **A menu file changes only what it says.** An item that is not in it stays as it is; the dry run counts those. To take an item off sale write \`no\` under \`active\`.
- A column that is not there leaves its field alone. A blank cell of one that is there empties the field; a blank category leaves the item where it is.
- An item needs a name in the shop’s main language, a new one a price as well. The price of an item cannot be emptied unless it has a price on some channel.
- A category keeps its name in the other language, and the report says so where a row has another.
- Prices at one branch are no column: they stay. So do add-ons, modifier groups, pictures, combos, deals, and names in languages other than Arabic and English.
- With one fault anywhere nothing is changed; every fault is told with its row.

### Sizes

- An item with sizes has a row for each. A size that the rows of its item do not name stays, with its prices, and the report says so; \`--remove-missing-sizes\` takes it out, and the dry run names it first. So a size under a new name is sold beside the old one: where one is new and one is missing the report says that it looks like a rename.
- A row without a size prices the only size of an item that has one. Of an item with several sizes it must leave the price blank: nobody can tell which size a price is for, and the row is refused with the names of the sizes.
- Naming sizes of an item that had none replaces its price. Where it has other prices that the file does not speak of, that is refused, unless \`--remove-missing-sizes\` lets them go.

### Which item a row is about

1. The item with that id. With an id even the name may change, and the dry run shows the old one and the new one.
2. Else the item of that name in that category, in the main language.
3. Else the only item of that name in the menu; the report says “found by name alone”, and the category of the row becomes the item’s.
4. Else it is a new item. One with an id keeps that id; where an item of its name is there already (in the category of the row, or anywhere if it names none), the row is refused: such an id is of another installation, or was mangled by a spreadsheet.

A name that several items have is refused where the row has no category. So is a new name with the other-language name of an item that the file has no row for (\`قهوة فرنساوي / Coffee\` where the shop has \`قهوة تركي / Coffee\`): nobody can tell a new item from a rename. Rows with the same category and name are the sizes of one item. Capitals and spaces make no difference, and the spelling that the shop has stays; to change it, give the id. The name or id of a combo or an add-on is refused: a menu file changes items.

### Amounts

\`65\`, \`65.50\`, \`1,250\`, \`٦٥٫٥٠\`, \`65 ج.م\`: pounds, at most two decimals. A comma before one or two figures is a decimal comma, \`12,50\` is 12.50, and the report says how it was read; in a file with commas between its cells it needs quotation marks. A row that a decimal comma has made longer than the first row is refused.

### Columns that nobody knows

They are refused by name, with the nearest one that is known. \`--ignore-columns\` passes over them.

### Cells that look like formulas

A text that begins with \`=\`, \`+\`, \`-\` or \`@\` would be run by a spreadsheet. It is written with a \`'\` before it (also inside a text, after a delimiter or a line break), and read without it again.

## What the dry run shows

Old and new prices of each item and size, category by category; new items with their prices; places in the lists in one line. Then how the rows were read. Warnings stop nothing, and come on standard error:

- a price twenty times off the middle of its neighbours (of its category, or else of the menu), as when piastres were typed for pounds;
- a price twenty times off what it was, though all the others went with it; a price that becomes nothing;
- two items of one category with one name, or with one name in two spellings (\`قهوة سادة\`, \`قهوه ساده\`);
- modifier groups of an item that takes no add-ons (in shop files);
- a deal that saves nothing on any cart, at the prices of every branch and channel where it is on;
- a decimal comma; a phone of a branch that nobody can ring (in shop files).

Only what the file makes new is warned of. \`ahwa import --dry-run\` shows the same of a shop file.

A file of more than 64 MiB or 20,000 items is refused ([IMPORT_MAX_BYTES, IMPORT_MAX_ITEMS](config.md)).

This page is written from \`src/shopfile/domain/menu-csv/columns.ts\` and \`src/shopfile/app/menu-csv/reference.ts\`.

## Columns

Every column has a name of its own and others that are read as well. Capitals, spaces, hyphens, hamza, diacritics, the article and the ة at the end of a word make no difference: \`الاسم العربي\`, \`الإسم بالعربيه\` and \`اسم عربى\` are the same.
`;

export const menuCsvReference = (): string =>
  [
    INTRODUCTION,
    ...COLUMN_NAMES.flatMap((column) => {
      const { doc, names } = MENU_COLUMNS[column];
      return [`### ${column}`, '', doc, '', `Also: ${names.map((name) => `\`${name}\``).join(', ')}`, ''];
    }),
  ].join('\n');
