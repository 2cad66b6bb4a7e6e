/** The reference for people, made from the endpoint table: as Markdown for the repository, as one page for a browser. */
import type { TSchema } from 'typebox';
import { REFUSALS } from '../domain/refusal.ts';
import type { RefusalName } from '../domain/refusal.ts';
import type { Block } from './blocks.ts';
import { escaped, heading, html, jsonOf, markdown, tableOf, text } from './blocks.ts';
import { components } from './components.ts';
import type { CachePolicy, Endpoint } from './endpoint.ts';
import { refusalsOf } from './endpoint.ts';

type EndpointTable = Readonly<Record<string, Endpoint>>;

export type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const plain = (schema: TSchema): Plain => JSON.parse(JSON.stringify(schema)) as Plain;

const nameByText = new Map(
  Object.entries(components).map(([name, schema]) => [JSON.stringify(schema), name]),
);

/** A shape's type in words; the name of a named one. */
export const typeOf = (schema: unknown): string => {
  if (!isPlain(schema)) return 'any';
  const name = nameByText.get(JSON.stringify(schema));
  if (name !== undefined) return name;
  const { type, format, items, enum: words, anyOf, additionalProperties } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ');
  if (Array.isArray(words)) return words.map((word) => `\`${String(word)}\``).join(', ');
  if (type === 'array') return `array of ${typeOf(items)}`;
  if (isPlain(schema['patternProperties']) || isPlain(additionalProperties)) return 'map';
  const types = (Array.isArray(type) ? type : [type ?? 'any']).map(String);
  return types.map((each) => (each === 'null' || typeof format !== 'string' ? each : format)).join(' or ');
};

export const descriptionOf = (schema: unknown): string =>
  isPlain(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';

const keeping = (cache: CachePolicy): string =>
  typeof cache === 'string'
    ? `\`Cache-Control: ${cache}\``
    : `\`Cache-Control: public, max-age\` of at most ${cache.maxAge}`;

const refusalCell = (name: RefusalName): string => {
  const { status, code } = REFUSALS[name];
  return code === null ? String(status) : `${status} \`${code}\``;
};

const operationBlocks = (e: Endpoint): Block[] => {
  const parameters = [
    ...Object.entries(e.params).map(([name, p]) => [
      `\`${name}\``,
      'path',
      'yes',
      p.scalar.expected,
      p.description,
    ]),
    ...Object.entries(e.query).map(([name, q]) => [
      `\`${name}\``,
      'query',
      q.required ? 'yes' : 'no',
      q.scalar.expected,
      q.description,
    ]),
  ];
  return [
    heading(3, `${e.method} ${e.path}`),
    text(`\`${e.id}\`. ${e.summary}.${e.description === undefined ? '' : ` ${e.description}`}`),
    ...(parameters.length === 0 ? [] : [tableOf(['Parameter', 'In', 'Required', 'Value', ''], parameters)]),
    ...(e.body === undefined ? [] : [text(`Takes ${typeOf(plain(e.body))}.`)]),
    text(`Answers ${e.status} with ${typeOf(plain(e.reply))}; ${keeping(e.cache)}.`),
    text(`Refuses with ${[...new Set(refusalsOf(e).map(refusalCell))].join(', ')}.`),
    ...Object.entries(e.examples).flatMap(([name, example]): Block[] => [
      text(`Example, ${name}:`),
      ...(example.body === undefined ? [] : [jsonOf(example.body)]),
      jsonOf(example.reply),
    ]),
  ];
};

const shapeBlocks = (name: string, schema: TSchema): Block[] => {
  const { properties, required } = plain(schema);
  if (!isPlain(properties)) return [];
  const always = Array.isArray(required) ? required : [];
  const rows = Object.entries(properties).map(([field, of]) => [
    `\`${field}\``,
    typeOf(of),
    always.includes(field) ? 'yes' : 'no',
    descriptionOf(of),
  ]);
  return [heading(3, name), tableOf(['Field', 'Type', 'Always', ''], rows)];
};

/** What the API is called, after the service; the repository's own documents are of one with default settings. */
export const apiTitle = (service = 'Ahwa', side: 'public' | 'staff' = 'public'): string =>
  `${service} ${side} API`;

const apiBlocks = (endpoints: EndpointTable, title: string): Block[] => {
  const table = Object.values(endpoints);
  return [
    heading(1, title),
    text(
      'Money is an integer number of piastres (100 = 1.00 EGP); times are ISO 8601 in UTC. Fields may be added.',
    ),
    text(
      'The same as a machine reads it: `/openapi.json`; as tools for AI assistants: `/mcp`, to which `/llms.txt` is ' +
        'the guide. Every refusal by name: the errors below each operation.',
    ),
    ...[...new Set(table.map((e) => e.tag))].flatMap((tag) => [
      heading(2, tag),
      ...table.filter((e) => e.tag === tag).flatMap(operationBlocks),
    ]),
    heading(2, 'Shapes'),
    ...Object.entries(components).flatMap(([name, schema]) => shapeBlocks(name, schema)),
  ];
};

const errorBlocks = (): Block[] => [
  heading(1, 'Errors'),
  text(
    'Every error is one JSON body: `error` always, `code` where the status does not suffice, `vars` with the figures.',
  ),
  text(
    'A malformed input lists every fault in `fields`; a cart with faults of which one has a code lists all of them in ' +
      '`faults`, by line and field. The first gives status, `code` and `vars`; where that is a malformed one, there is ' +
      'no `code`. Send `Accept-Language: ar` for Arabic; messages then tell names and what is wrong with a cart in ' +
      'Arabic, while names in `vars` are in the main language of the shop.',
  ),
  tableOf(
    ['Status', 'Code', 'When', 'English', 'Arabic'],
    Object.values(REFUSALS)
      .toSorted((a, b) => a.status - b.status)
      .map((refusal) => {
        const { status, code, when, en, ar } = refusal;
        const left = 'left' in refusal ? refusal.left : null;
        return [
          String(status),
          code === null ? '' : `\`${code}\``,
          when,
          left === null ? en : `${en} / ${left.en}`,
          left === null ? ar : `${ar} / ${left.ar}`,
        ];
      }),
  ),
];

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.55 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #8886;padding:.3rem .5rem;text-align:start;vertical-align:top}' +
  '.wide,pre{overflow-x:auto}pre{background:#8881;padding:.75rem}code{font-family:ui-monospace,monospace}h3{margin-block-start:2rem}';

/** docs/api.md, and of a service by its name. */
export const apiReference = (endpoints: EndpointTable, service?: string): string =>
  markdown(apiBlocks(endpoints, apiTitle(service)));

/** docs/errors.md. */
export const errorReference = (): string => markdown(errorBlocks());

/** Both on one page, without script. */
export const apiPage = (endpoints: EndpointTable, service?: string): string => {
  const title = apiTitle(service);
  const [errorsTitle, ...errors] = errorBlocks();
  const body = [
    ...apiBlocks(endpoints, title),
    ...(errorsTitle === undefined ? [] : [heading(2, 'Errors')]),
    ...errors,
  ].map(html);
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>${body.join('')}</main></body></html>`
  );
};
