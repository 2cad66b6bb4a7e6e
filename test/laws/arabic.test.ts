/** What is wrong with a request is said in Arabic as it is in English (Decisions 5). */
import { expect, test } from 'vitest';
import { readParameters } from '../../src/doors/http/address.ts';
import { errorBody } from '../../src/doors/http/refuse.ts';
import { invalidInput, type Fault } from '../../src/kernel/refusal.ts';
import { bodyCheck } from '../../src/platform/app/body-check.ts';
import { isPage, type Endpoint } from '../../src/platform/contract/endpoint.ts';
import { allEndpoints } from '../../src/service/contract/endpoints.ts';
import { readSources } from './sources.ts';

const ARABIC = /[\u0600-\u06ff]/;

const operations = Object.values<Endpoint>(allEndpoints).filter((endpoint) => !isPage(endpoint));

const names = (of: object): readonly string[] => Object.keys(of);

/** Texts that a scalar refuses, in every parameter, with one too many. */
const parameterFaults = (endpoint: Endpoint): readonly Fault[] =>
  ['', '%00', '%FF', 'x'.repeat(300), '-', 'Pickupp'].flatMap((text) => {
    const segments = new Map(names(endpoint.params).map((name) => [name, text]));
    const query = names(endpoint.query).map((name) => `${name}=${text}`);
    const headers = Object.fromEntries(names(endpoint.headers).map((name) => [name, `${text}\u0001`]));
    return [
      ...readParameters(endpoint, segments, [...query, 'surplus=1'].join('&'), headers).faults,
      ...readParameters(endpoint, segments, [...query, ...query].join('&'), {}).faults,
      ...readParameters(endpoint, segments, '', {}).faults,
    ];
  });

type Schema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

const WRONG = [
  ...[null, true, -1e12, 1e12, 0.5, '', 'x'.repeat(9_000), 'deliverry', '\0', '\ud800'],
  ...[[], {}, { __proto__: null, surplus: 1 }, [null, null]],
];

/** Values with a fault at the schema or at one of its parts. */
const wrongValues = (schema: Schema, levels = 4): readonly unknown[] => {
  if (levels === 0) return WRONG;
  const ofFields = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    wrongValues(part, levels - 1).map((value) => ({ [name]: value })),
  );
  const ofItems =
    schema.items === undefined ? [] : wrongValues(schema.items, levels - 1).map((value) => [value]);
  return [...WRONG, ...ofFields, ...ofItems];
};

const bodyFaults = ({ body }: Endpoint): readonly Fault[] => {
  if (body === undefined) return [];
  const schema = JSON.parse(JSON.stringify(body)) as Schema;
  return [undefined, ...wrongValues(schema)].flatMap((value) => bodyCheck(body)(value));
};

/** The Arabic error bodies of the faults that differ. */
const answersOf = (endpoint: Endpoint): readonly { readonly problem: string; readonly error: string }[] => {
  const faults = [...parameterFaults(endpoint), ...bodyFaults(endpoint)];
  const byProblem = new Map(faults.map((fault) => [fault.problem, fault]));
  return [...byProblem.values()].map((fault) => {
    const { error, fields } = errorBody(invalidInput(fault), 'ar');
    return { problem: fields?.[0]?.problem ?? '', error };
  });
};

test.each(operations.map((endpoint) => [endpoint.id, endpoint] as const))(
  'a malformed request of %s has its faults in Arabic',
  (_, endpoint) => {
    const answers = answersOf(endpoint);
    expect(answers.filter(({ problem, error }) => !ARABIC.test(problem) || !ARABIC.test(error))).toEqual([]);
  },
);

test('the faults that were looked for are of every kind', () => {
  const found = operations.flatMap(answersOf).map(({ problem }) => problem.replace(/:.*/s, ''));
  expect([...new Set(found)].sort()).toMatchInlineSnapshot(`
    [
      "أقل عدد مسموح من الأحرف",
      "أقل عدد مسموح من العناصر",
      "أقل قيمة مسموحة",
      "أكبر عدد مسموح من الأحرف",
      "أكبر قيمة مسموحة",
      "الترميز بعلامات % ليس UTF-8 صحيحًا",
      "الصيغة المطلوبة",
      "القيمة المطلوبة",
      "النص ليس Unicode صحيحًا",
      "النمط المطلوب",
      "في النص حرف NUL",
      "مذكور أكثر من مرة",
      "هذا الحقل غير معروف هنا",
      "هذا الحقل مطلوب",
      "هذا العنوان لا يقبل هذا المعامل",
    ]
  `);
});

test('a text beside its Arabic one is not English in both languages', () => {
  const inEnglish = readSources().flatMap(({ path, code }) =>
    [...code.matchAll(/\barabic: (['"`])((?:(?!\1).)*)\1/g)]
      .filter(([, , text = '']) => !ARABIC.test(text))
      .map(([text]) => `${path}: ${text}`),
  );
  expect(inEnglish).toEqual([]);
});
