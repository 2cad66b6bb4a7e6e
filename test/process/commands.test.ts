/** Output and errors of the `ahwa` program. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { configReference } from '../../src/config.ts';
import { withoutDatabase } from '../support/programs/database-line.ts';
import { aBranch, aShopFile, aTable } from '../support/shops/cafe.ts';
import { useProgram } from '../support/programs/program.ts';

const bench = useProgram('file', 'shared');

/** A café whose second branch has no tables. */
const aShopWithTables = (name = aShopFile().name) => {
  const zamalek = aBranch({ code: 'ZML', tables: [aTable('t1', 4), aTable('t2', 4)] });
  return aShopFile({ name, branches: [zamalek, aBranch({ key: 'maadi', code: 'MAD' })] });
};

const csvMenu = (names: readonly string[], price: string, last: string): string =>
  ['category,name_ar,price_egp', ...names.map((name) => `تجربة,${name},${price}`), `تجربة,${last}`, ''].join(
    '\n',
  );

const file = (name: string, content: string): string => {
  const path = join(bench.dataDir(), name);
  writeFileSync(path, content);
  return path;
};

describe('commands without a database', () => {
  test('--help lists commands and examples', async () => {
    const { code, stdout } = await bench.ahwa(['--help']);
    expect(code).toBe(0);
    for (const line of [
      /^Usage: ahwa \[options\] \[command\]$/m,
      /Settings come from the environment; `ahwa config` lists them\./,
      /^ {2}(serve|migrate|demo|config|schema|openapi) {2,}\w/m,
      /^ {2}import \[options\] <file\.\.\.> {2,}import shop files: all of them, or/m,
      /^ {2}export \[options\] <slug> {2,}print a shop as a file that imports to/m,
      /^ {2}\$ ahwa import my-shop\.json --dry-run {2,}what would change, and every fault/m,
      /^ {2}\$ ahwa import-menu my-shop menu\.csv$/m,
    ])
      expect(stdout).toMatch(line);
    expect((await bench.ahwa(['import', '--help'])).stdout).toMatch(/--dry-run +say what would change/);
  });

  test('an unknown command, option or missing argument is refused with a hint to --help', async () => {
    for (const [args, sentence] of [
      [['frobnicate'], "error: unknown command 'frobnicate'"],
      [['import', 'x.json', '--force'], "error: unknown option '--force'"],
      [['export'], "error: missing required argument 'slug'"],
    ] as const) {
      const { code, stdout, stderr } = await bench.ahwa(args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(sentence);
      expect(stderr).toContain('--help');
    }
  });

  test('config lists every setting', async () => {
    const { code, stdout } = await bench.ahwa(['config']);
    expect(code).toBe(0);
    expect(stdout.match(/^## \w+$/gm)).toEqual(configReference.map(({ key }) => `## ${key}`));
  });

  test('openapi prints the OpenAPI 3.1 document for BASE_URL, with the service’s name and contact', async () => {
    const settings = {
      BASE_URL: 'https://menu.example/',
      SERVICE_NAME: 'Bunn',
      SERVICE_CONTACT: 'a@b.example',
    };
    const { stdout } = await bench.ahwa(['openapi'], settings);
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Bunn public API', contact: { email: 'a@b.example' } },
      servers: [{ url: 'https://menu.example' }],
    });
  });

  test('schema prints a JSON Schema', async () => {
    const schema = JSON.parse((await bench.ahwa(['schema'])).stdout) as object;
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
  });
});

describe('shop files', () => {
  beforeAll(async () => {
    const { code, stdout } = await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopWithTables()));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^beit-el-bunn: \d+ new, 0 changed, 0 archived, 0 as before\n$/),
    ]);
  });

  test('an export imported from standard input gives the same shop', async () => {
    const first = await bench.ahwa(['export', 'beit-el-bunn']);
    const again = await bench.ahwa(['import', '-'], {}, first.stdout);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^beit-el-bunn: 0 new, 0 changed, 0 archived, \d+ as before\n/),
    ]);
    expect((await bench.ahwa(['export', 'beit-el-bunn'])).stdout).toBe(first.stdout);
  });

  test('a broken file is refused with the line of every fault, together with all other files', async () => {
    const broken = file(
      'broken.json',
      [
        '{',
        '  "format": 1,',
        '  "slug": "Bad Slug",',
        '  "name": { "ar": "" },',
        '  "branches": [],',
        '  "menu": { "items": [{ "price": -1 }] }',
        '}',
      ].join('\n'),
    );
    const good = file('good.json', JSON.stringify(aShopFile({ slug: 'another' })));
    const { code, stdout, stderr } = await bench.ahwa(['import', good, broken]);
    expect([code, stdout]).toEqual([1, '']);
    const faults = stderr.split('\n').filter((line) => line.startsWith('ahwa: broken.json:'));
    expect(faults.length).toBeGreaterThanOrEqual(4);
    for (const place of [/broken\.json:3\b.*slug/, /broken\.json:4\b.*name/, /broken\.json:6\b.*price/])
      expect(faults.join('\n')).toMatch(place);
    expect((await bench.ahwa(['export', 'another'])).code).toBe(1);
  });

  test('invalid JSON, a missing file and an unknown shop end with one message each', async () => {
    const cut = file('cut.json', '{\n  "format": 1,\n');
    for (const [args, sentence] of [
      [['import', cut], /^ahwa: cut\.json:\d+/m],
      [
        ['import', join(bench.dataDir(), 'none.json')],
        /^ahwa: \S+none\.json cannot be read: there is no such file\.$/m,
      ],
      [['import', bench.dataDir()], /^ahwa: \S+ cannot be read: it is a folder\.$/m],
      [['export', 'nobody'], /^ahwa: .*nobody.*$/m],
      [
        ['export', 'beit-el-bunn', '-o', join(bench.dataDir(), 'no', 'such')],
        /^ahwa: \S+ cannot be written: /m,
      ],
    ] as const) {
      const { code, stderr } = await bench.ahwa(args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  test('a dry run reports the changes and writes nothing', async () => {
    const before = await bench.ahwa(['export', 'beit-el-bunn']);
    const renamed = aShopWithTables({ ar: 'اسم آخر', en: 'Another name' });
    const { code, stdout } = await bench.ahwa(['import', '-', '--dry-run'], {}, JSON.stringify(renamed));
    expect([code, stdout]).toEqual([0, expect.stringContaining('(nothing was written)\n  updated shop')]);
    expect((await bench.ahwa(['export', 'beit-el-bunn'])).stdout).toBe(before.stdout);
  });

  test('tables print draws the cards of a branch, and names the address that they lead to', async () => {
    const settings = { BASE_URL: 'https://menu.example' };
    const output = join(bench.dataDir(), 'cards.svg');
    const printed = await bench.ahwa(['tables', 'print', 'beit-el-bunn', '-o', output], settings);
    const page = join(bench.dataDir(), 'cards-ZML-1.svg');
    expect([printed.code, withoutDatabase(printed.stderr), printed.stdout]).toEqual([
      ...[0, '', `${page}\nThe codes lead to https://menu.example (BASE_URL).\n`],
    ]);
    expect(readFileSync(page, 'utf8').match(/>T[12]</g)).toEqual(['>T1<', '>T2<']);
    const none = await bench.ahwa(['tables', 'print', 'beit-el-bunn', '-b', 'MAD', '-o', output]);
    expect([none.code, none.stdout, withoutDatabase(none.stderr)]).toEqual([
      ...[1, '', 'ahwa: The shop has no branch with the code MAD and tables.\n'],
    ]);
  });

  test('an import reports its progress in at most ten lines', async () => {
    const [category] = aShopFile().menu.categories ?? [];
    const items = Array.from({ length: 400 }, (_, index) => ({
      ...{ key: `item-${index}`, category: 'coffee' },
      name: { ar: `صنف ${index}`, en: `Item ${index}` },
      sizes: [
        { label: 'S', price: 1000 + index },
        { label: 'L', price: 2000 + index },
      ],
    }));
    const large = aShopFile({
      slug: 'large',
      menu: { categories: category === undefined ? [] : [category], items },
    });
    const { code, stderr } = await bench.ahwa(['import', '-'], {}, JSON.stringify(large));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/writing: (\d+) of \1 rows/)]);
    expect(stderr.match(/writing: /g)?.length).toBeLessThanOrEqual(10);
  });

  test('a file or stream over the limits of an import is refused', async () => {
    const huge = join(bench.dataDir(), 'huge.json');
    writeFileSync(huge, '');
    truncateSync(huge, 5_000_000_000);
    const small = { IMPORT_MAX_BYTES: '200' };
    const two = [
      { name: 'شاي', price: 2500 },
      { name: 'ينسون', price: 3000 },
    ];
    const large = JSON.stringify(aShopFile({ menu: { items: two } }));
    for (const [args, settings, input, sentence] of [
      [['import', huge], {}, '', /huge\.json is too large: it has 5,000,000,000 bytes, .*IMPORT_MAX_BYTES/],
      [['import', '/dev/zero'], {}, '', /\/dev\/zero is too large: it has more than 67,108,864 bytes/],
      [['import', '-'], small, large, /standard input is too large: it has more than 200 bytes/],
      [['import-menu', 'beit-el-bunn', '-'], small, large, /standard input is too large/],
      [
        ['import', '-'],
        { IMPORT_MAX_ITEMS: '1' },
        large,
        /menu\.items has \d items; an import reads at most 1 \(IMPORT_MAX/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await bench.ahwa([...args], settings, input);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  test('an exported CSV menu imports unchanged or with a changed price', async () => {
    const menu = join(bench.dataDir(), 'menu.csv');
    const written = await bench.ahwa(['export-menu', 'beit-el-bunn', '-o', menu]);
    expect([written.code, written.stdout]).toEqual([0, '']);
    const same = await bench.ahwa(['import-menu', 'beit-el-bunn', menu, '--dry-run']);
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('\n  nothing changes')]);
    const dearer = readFileSync(menu, 'utf8').replace(/(\d+)\.\d\d/, '999.50');
    const dry = await bench.ahwa(['import-menu', 'beit-el-bunn', '-', '--dry-run'], {}, dearer);
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/^ {6}.*\d\.\d\d → 999\.50$/m)]);
    const extra = dearer.replace(/^(\uFEFF?)id,/, '$1supplier,');
    const refused = await bench.ahwa(['import-menu', 'beit-el-bunn', '-', '--dry-run'], {}, extra);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('supplier is not a column')]);
  });

  test('a likely mistake is imported with a warning on standard error', async () => {
    const file = csvMenu(['قهوة', 'شاي', 'ينسون'], '45', 'سحلب,4500');
    const { code, stdout, stderr } = await bench.ahwa(['import-menu', 'beit-el-bunn', '-'], {}, file);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^beit-el-bunn: [1-9]\d* new/)]);
    expect(stderr).toMatch(/^ahwa: warning: beit-el-bunn: ‘سحلب’ costs 4500\.00, where others/m);
  });

  test('the CSV template imports as a menu, a broken CSV file is refused', async () => {
    const template = await bench.ahwa(['menu-template']);
    const [columns = '', ...rows] = template.stdout.trim().split('\n');
    expect(columns.split(',').length).toBeGreaterThan(3);
    expect(rows.length).toBeGreaterThan(0);
    const filled = await bench.ahwa(['import-menu', 'beit-el-bunn', '-'], {}, template.stdout);
    expect([filled.code, filled.stdout]).toEqual([0, expect.stringMatching(/^beit-el-bunn: [1-9]\d* new/)]);
    const broken = await bench.ahwa(
      ['import-menu', 'beit-el-bunn', '-'],
      {},
      `${columns}\nonly one column\n`,
    );
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^ahwa: standard input:\d+/m)]);
  });
});
