/** Generates docs/menu-csv.md. */
import { COLUMN_NAMES, MENU_COLUMNS } from '../../domain/menu-csv/columns.ts';

const INTRODUCTION = `# A menu from a spreadsheet

\`\`\`sh
npm run ahwa -- export-menu my-shop -o menu.csv         # the present menu of the shop
npm run ahwa -- menu-template > menu.csv                # or an example to start from
npm run ahwa -- import-menu my-shop menu.csv --dry-run  # every fault with its row, and every change
npm run ahwa -- import-menu my-shop menu.csv            # a running server uses it within a second
\`\`\`

The file is CSV in UTF-8 (in Excel: “CSV UTF-8”), with commas, semicolons or tabs. The first row has the names of the columns, in any order. Every further row is an item, or one size of an item.

The safe way: export the menu, change it, read the dry run, import it. The dry run of an unchanged export says “nothing changes”.

## What changes, and what does not

- **A menu file changes only what it contains.** An item that is not in the file stays as it is; the dry run counts these items. To take an item off sale, write \`no\` under \`active\`.
- A field without its column stays as it is. A blank cell empties its field; a blank category leaves the item in its category.
- An item needs a name in the shop’s main language; a new item also needs a price. The price of an item can be emptied only if the item has a price on some channel.
- A category keeps its name in the other language; the report notes rows with a different name.
- Prices of single branches have no column: they stay. So do add-ons, modifier groups, pictures, combos, deals, and names in languages other than Arabic and English.
- If the file has a fault, nothing is imported; every fault is reported with its row.

### Sizes

- An item with sizes has a row for each size. A size that the file does not name stays with its prices, and the report notes it; \`--remove-missing-sizes\` removes it, and the dry run names it first. A size with a new name is therefore sold beside the old one; if one size is new and one is missing, the report notes a possible rename.
- For an item with one size, a row without a size sets the price of that size. For an item with several sizes, a row without a size must leave the price blank; otherwise the size is unknown, and the row is refused with the names of the sizes.
- Sizes for an item without sizes replace its price. If the item has other prices that the file does not contain, the row is refused, unless \`--remove-missing-sizes\` removes those prices.

### How an item is matched

1. By its id. The name can then change; the dry run shows the old and the new name.
2. Else by its category and its name in the main language.
3. Else by a name that is unique in the menu; the report says “found by name alone”, and the item moves to the category of the row.
4. Else the row is a new item. A new item with an id keeps that id. If an item of the same name exists (in the category of the row, or in any category if the row has none), the row is refused: its id is from another installation or was damaged by a spreadsheet.

Further rules:

- A row without a category is refused if several items have its name.
- A new name with the other-language name of an existing item that has no row in the file is refused, because it may be a rename (\`قهوة فرنساوي / Coffee\` when the shop has \`قهوة تركي / Coffee\`).
- Rows with the same category and name are the sizes of one item.
- Names are compared without case and extra spaces, and the stored spelling stays; to change it, give the id.
- The name or id of a combo or an add-on is refused: a menu file changes items only.

### Amounts

\`65\`, \`65.50\`, \`1,250\`, \`٦٥٫٥٠\`, \`65 ج.م\`: pounds, with at most two decimals. A comma before one or two digits is a decimal comma: \`12,50\` is 12.50, and the report notes it. In a file with commas as delimiter, such an amount needs quotation marks. A row with more cells than the first row because of a decimal comma is refused.

### Unknown columns

An unknown column is refused by name, with the nearest known column. \`--ignore-columns\` ignores unknown columns.

### Cells that look like formulas

A spreadsheet runs a text that begins with \`=\`, \`+\`, \`-\` or \`@\`. The export writes \`'\` before such a text (also inside a text, after a delimiter or a line break), and the import removes it.

## What the dry run shows

The dry run shows old and new prices of each item and size by category, new items with their prices, and changes of order in one line; then how rows were matched. Warnings do not stop the import; they are written to standard error:

- a price twenty times above or below the median of its category (or else of the menu), such as piastres typed as pounds;
- a price twenty times above or below its old value, even if all other prices changed too; a price that becomes zero;
- two items of one category with the same name, or with one name in two spellings (\`قهوة سادة\`, \`قهوه ساده\`);
- modifier groups of an item without add-ons (in shop files);
- a deal that saves nothing on any cart, at the prices of every branch and channel where it is on;
- a decimal comma; an invalid phone of a branch (in shop files).

Only mistakes that the file adds are reported. \`ahwa import --dry-run\` reports the same for a shop file.

A file of more than 64 MiB or 20,000 items is refused ([IMPORT_MAX_BYTES, IMPORT_MAX_ITEMS](config.md)).

This page is written from \`src/shopfile/domain/menu-csv/columns.ts\` and \`src/shopfile/app/menu-csv/reference.ts\`.

## Columns

Every column has a name and further accepted names. Case, spaces, hyphens, hamza, diacritics, the article and a final ة are ignored: \`الاسم العربي\`, \`الإسم بالعربيه\` and \`اسم عربى\` are the same.
`;

export const menuCsvReference = (): string =>
  [
    INTRODUCTION,
    ...COLUMN_NAMES.flatMap((column) => {
      const { doc, names } = MENU_COLUMNS[column];
      return [`### ${column}`, '', doc, '', `Also: ${names.map((name) => `\`${name}\``).join(', ')}`, ''];
    }),
  ].join('\n');
