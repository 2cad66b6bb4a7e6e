import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COLUMN_NAMES, MENU_COLUMNS, type MenuColumn } from './columns.ts';
import { parsePounds } from './cells.ts';
import { readMenuTable } from './menu-csv.ts';

describe('an amount in pounds', () => {
  test.each([
    ['65', 6500],
    ['65.5', 6550],
    ['65.50', 6550],
    ['0', 0],
    ['0.05', 5],
    ['٦٥', 6500],
    ['٦٥٫٥٠', 6550],
    ['۶۵', 6500],
    ['1,250', 125_000],
    ['1,250.75', 125_075],
    ['١٬٢٥٠٫٧٥', 125_075],
    ['65,5', 6550],
    ['65,50', 6550],
    [' 65 ', 6500],
    ['\u200f65\u200f', 6500],
    ['65 ج.م', 6500],
    ['65 جنيه', 6500],
    ['EGP 65.00', 6500],
    ['65 LE', 6500],
    ['1000000', 100_000_000],
  ])('%j is %i piastres', (text, piastres) => {
    expect(parsePounds(text)).toBe(piastres);
  });

  test.each([
    '',
    'free',
    '-5',
    '+5',
    '65.505',
    '6.5.0',
    '1,25,000',
    '1,2500',
    '65..5',
    '6 5 x',
    '0x41',
    '6e2',
    '1000001',
    '.5',
    '٫٥',
    'NaN',
    '65.',
  ])('%j is not an amount', (text) => {
    expect(parsePounds(text)).toBeNull();
  });

  test('is exact in every notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (piastres) => {
        const text = (piastres / 100).toFixed(2);
        const eastern = text
          .replaceAll(/[0-9]/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))
          .replace('.', '٫');
        expect([parsePounds(text), parsePounds(eastern), parsePounds(text.replace('.', ','))]).toEqual([
          piastres,
          piastres,
          piastres,
        ]);
      }),
    );
  });
});

const LISTED = 'docs/menu-csv.md lists every name that is accepted';

describe('the columns', () => {
  const columnsOf = (...header: string[]) => [...readMenuTable([header]).columns];

  test('are recognised in either language and any notation', () => {
    expect(columnsOf('category', 'name_ar', 'name_en', 'price_egp')).toEqual([
      'category',
      'name_ar',
      'name_en',
      'price_egp',
    ]);
    expect(columnsOf('القسم', 'الاسم', 'الاسم بالإنجليزي', 'السعر')).toEqual([
      'category',
      'name_ar',
      'name_en',
      'price_egp',
    ]);
    expect(columnsOf(' Category ', 'Arabic Name', 'ENGLISH-NAME', 'Price (EGP)')).toEqual([
      'category',
      'name_ar',
      'name_en',
      'price_egp',
    ]);
    expect(columnsOf('\u200fالقسم', 'إسم الصنف', 'الإسم بالانجليزى', 'السّعر')).toEqual([
      'category',
      'name_ar',
      'name_en',
      'price_egp',
    ]);
  });

  test('that are unknown or repeated are faults; blank columns are skipped', () => {
    const { faults } = readMenuTable([['name_ar', 'prise_egp', '', 'الاسم', 'السغر', 'zzzzzz']]);
    expect(faults).toEqual([
      {
        row: 1,
        column: 'prise_egp',
        problem: `is not a column of a menu — did you mean ‘price_egp’? ${LISTED}`,
      },
      { row: 1, column: 'الاسم', problem: 'is the same column as ‘name_ar’' },
      { row: 1, column: 'السغر', problem: `is not a column of a menu — did you mean ‘السعر’? ${LISTED}` },
      { row: 1, column: 'zzzzzz', problem: `is not a column of a menu; ${LISTED}` },
    ]);
  });

  test.each<[MenuColumn, ...string[]]>([
    [
      'name_en',
      'الاسم بالإنجليزية',
      'الاسم الإنجليزي',
      'الإسم الانجليزى',
      'اسم إنجليزي',
      'الاسم (إنجليزي)',
      'الاسم بالإنكليزية',
    ],
    ['name_ar', 'الاسم بالعربية', 'الاسم العربي', 'الاسم بالعربى', 'اسم عربي', 'الِاسْم', 'اسم  الصنف'],
    ['price_egp', 'السعر بالجنيه', 'السعر', 'سعر', 'السـعر', 'السعر (جنيه)', 'السعر بالجنيه المصري'],
    ['category', 'التصنيف', 'القسم', 'الفئة', 'فئه', 'المجموعه'],
    ['size_ar', 'الحجم', 'الحجم العربي', 'المقاس'],
    ['size_en', 'الحجم بالإنجليزية', 'الحجم الإنجليزي'],
    ['description_en', 'الوصف الإنجليزي', 'وصف إنجليزي'],
    ['active', 'متاحة', 'المتاح', 'متوفر'],
  ])('%s is recognised by every Arabic spelling', (column, ...spellings) => {
    expect(spellings.map((name) => columnsOf(name))).toEqual(spellings.map(() => [column]));
  });

  test('without a language get a suggestion with a language', () => {
    expect(readMenuTable([['name']]).faults[0]?.problem).toMatch(/did you mean ‘(name_ar|name_en)’\?/);
  });

  test('have distinct names', () => {
    for (const column of COLUMN_NAMES)
      for (const name of [column, ...MENU_COLUMNS[column].names]) expect(columnsOf(name)).toEqual([column]);
  });
});

describe('the rows', () => {
  const HEADER = ['الاسم', 'السعر', 'pickup price', 'متاح', 'id'];

  test('are numbered as in a spreadsheet, blank ones too', () => {
    const { lines, faults } = readMenuTable([
      HEADER,
      ['شاي', '25'],
      ['', ' ', ''],
      ['قهوة', '٤٥', '40', 'لا'],
    ]);
    expect(faults).toEqual([]);
    expect(
      lines.map(({ row, price, channelPrices, active }) => ({ row, price, channelPrices, active })),
    ).toEqual([
      { row: 2, price: 2500, channelPrices: {}, active: null },
      { row: 4, price: 4500, channelPrices: { pickup: 4000 }, active: false },
    ]);
  });

  test('with faults are reported by row and by the column as spelled', () => {
    const { faults } = readMenuTable([
      HEADER,
      ['شاي', 'خمسة', '1.234', 'ربما', 'tea'],
      ['قه\nوة', '45', '', '', '', 'more'],
    ]);
    expect(faults.map(({ row, column, problem }) => `${row} ${column ?? '-'} ${problem}`)).toEqual([
      '2 id is not a UUID (‘tea’)',
      '2 متاح must be yes or no, نعم or لا (‘ربما’)',
      '2 pickup price is no price in pounds: write it as in 65 or 65.50, with at most two decimals (‘1.234’)',
      '2 السعر is no price in pounds: write it as in 65 or 65.50, with at most two decimals (‘خمسة’)',
      '3 - has more cells than there are column names',
      '3 الاسم holds the control character U+000A',
    ]);
  });
});
