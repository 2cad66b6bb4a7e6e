/** Markdown for the repository. The page `/docs` has the same. */
import type { TSchema } from 'typebox';
import { CANCEL_REASONS } from '../../orders/domain/order.ts';
import { REFUSALS } from '../../kernel/refusal.ts';
import type { RefusalName } from '../../kernel/refusal.ts';
import type { Block } from './document-blocks.ts';
import { heading, jsonOf, linesOf, markdown, tableOf, text } from './document-blocks.ts';
import {
  fileOf,
  type CachePolicy,
  type Endpoint,
  type EndpointTable,
} from '../../platform/contract/endpoint.ts';
import { fieldRows, isBody, typeOf } from './fields.ts';
import {
  REPEATED_DESCRIPTION,
  ANSWER_HEADERS,
  BEARER_TOKENS,
  NOT_MODIFIED_DESCRIPTION,
  IF_NONE_MATCH,
  isPublished,
  parametersOf,
  refusalsByStatus,
} from './operation.ts';
import { isPlain, namedBy, plain, shapesOf } from './shapes.ts';
import type { Plain } from './shapes.ts';
import type { Audience } from './audiences.ts';
import { apiTitle, AUDIENCES, TAGS } from './audiences.ts';

const inCode = (words: string): string => `\`${words}\``;

export const cacheText = (cache: CachePolicy): string =>
  typeof cache === 'string'
    ? `\`Cache-Control: ${cache}\`.`
    : `\`Cache-Control: public, max-age\` of at most ${cache.maxAge}.`;

const tokenRows = ({ access }: Endpoint): string[][] => {
  if (access === undefined || access.by === 'anyone') return [];
  const asked = access.by === 'staff' ? access.permission : null;
  const permission = asked === null ? '' : ` Needs the permission ${inCode(asked)}.`;
  return [
    [inCode('Authorization'), 'header', 'yes', '`Bearer` and a token', BEARER_TOKENS[access.by] + permission],
  ];
};

/** Name, place, whether it is required, value, description. */
export const parameterRows = (e: Endpoint): string[][] => [
  ...tokenRows(e),
  ...parametersOf(e).map(({ name, in: place, required, scalar, description }) => [
    ...[inCode(name), place, required ? 'yes' : 'no', scalar.expected.en, description],
  ]),
  ...(isPublished(e)
    ? [[inCode(IF_NONE_MATCH.name), 'header', 'no', 'an `ETag`', IF_NONE_MATCH.description]]
    : []),
];

/** The codes, and the conditions of refusals without one. */
const refusalCells = (names: readonly RefusalName[]): string[] => {
  const codes = [...new Set(names.flatMap((name) => REFUSALS[name].code ?? []))].map(inCode);
  const uncoded = names.filter((name) => REFUSALS[name].code === null).map((name) => REFUSALS[name].when);
  const isEither = codes.length > 0 && uncoded.length > 0;
  return [codes.join(', '), `${isEither ? 'Without a code: ' : ''}${uncoded.join(' ')}`];
};

const answerRows = (e: Endpoint): string[][] => {
  const file = fileOf(e);
  const json = `${e.answers === 'events' ? 'stream of ' : ''}${typeOf(plain(e.reply))}`;
  const body = file === null ? json : inCode(file.mediaType);
  const reply = e.status === 204 ? 'no body' : body;
  return [
    [String(e.status), reply, cacheText(e.cache)],
    ...(e.repeatable === true && e.status !== 200 ? [['200', reply, REPEATED_DESCRIPTION]] : []),
    ...(isPublished(e) ? [['304', '', NOT_MODIFIED_DESCRIPTION]] : []),
    ...refusalsByStatus(e).map(([status, names]) => [String(status), ...refusalCells(names)]),
  ];
};

const fieldsTable = (schema: Plain): Block[] => {
  const rows = fieldRows(schema);
  const third = isBody(schema) ? 'Required' : 'Always';
  return rows.length === 0 ? [] : [tableOf(['Field', 'Type', third, ''], rows)];
};

/** The fields of an unnamed schema, which has no separate table. */
const unnamedTable = (schema: Plain): Block[] => (namedBy(schema) === null ? fieldsTable(schema) : []);

/** The stream on the wire: the start id, then the events. */
const streamOf = (events: readonly unknown[]): Block =>
  linesOf([
    'id: 41',
    ...events.flatMap((data, index) => [
      ...['', `id: ${42 + index}`],
      ...(isPlain(data) ? [`event: ${String(data['type'])}`] : []),
      `data: ${JSON.stringify(data)}`,
    ]),
  ]);

const replyBlock = (e: Endpoint, reply: unknown): Block =>
  fileOf(e) === null ? jsonOf(reply) : linesOf(String(reply).trimEnd().split('\r\n'));

const exampleBlocks = (e: Endpoint): Block[] => {
  const examples = Object.entries(e.examples);
  if (e.answers === 'events') return [text('Example:'), streamOf(examples.map(([, { reply }]) => reply))];
  return examples.flatMap(([name, { body, reply }]): Block[] => [
    text(`Example, ${name}:`),
    ...(body === undefined ? [] : [jsonOf(body)]),
    ...(e.status === 204 ? [] : [replyBlock(e, reply)]),
  ]);
};

const operationBlocks = (e: Endpoint): Block[] => {
  const parameters = parameterRows(e);
  const body = e.body === undefined ? null : plain(e.body);
  const reply = plain(e.reply);
  const replyFields = unnamedTable(reply);
  return [
    heading(3, `${e.method} ${e.path}`),
    text(`\`${e.id}\`. ${e.summary}.${e.description === undefined ? '' : ` ${e.description}`}`),
    ...(parameters.length === 0 ? [] : [tableOf(['Parameter', 'In', 'Required', 'Value', ''], parameters)]),
    ...(body === null
      ? []
      : [text(`Takes ${namedBy(body) === null ? 'this:' : `${typeOf(body)}.`}`), ...unnamedTable(body)]),
    tableOf(['Answers', 'With', ''], answerRows(e)),
    ...(replyFields.length === 0 ? [] : [text(`The fields of ${e.status}:`), ...replyFields]),
    ...exampleBlocks(e),
  ];
};

const shapeBlocks = ([name, schema]: readonly [string, TSchema]): Block[] => [
  heading(3, name),
  ...fieldsTable(plain(schema)),
];

const headerBlocks = (): Block[] => [
  heading(2, 'Headers of answers'),
  tableOf(
    ['Header', '', 'Example'],
    Object.values(ANSWER_HEADERS).map(({ line, description, example }) => [
      ...[inCode(line), description, inCode(String(example))],
    ]),
  ),
];

const REASONS: readonly Block[] = [
  heading(2, 'Reasons of a cancel'),
  tableOf(
    ['Reason', 'The guest reads', ''],
    Object.entries(CANCEL_REASONS).map(([reason, { en, ar }]) => [inCode(reason), en, ar]),
  ),
];

interface Page {
  readonly service?: string | undefined;
  readonly audience: Audience;
  readonly errors: string;
}

const apiBlocks = (endpoints: EndpointTable, { service, audience, errors }: Page): Block[] => {
  const table = Object.values(endpoints);
  const { introduction, openapi } = AUDIENCES[audience];
  return [
    heading(1, apiTitle(service, audience)),
    text(introduction),
    text(
      `The same as a machine reads it: ${inCode(openapi)}. Statuses from 400 on have the body ` +
        `[ErrorBody](#errorbody); what each code means is in [Errors](${errors}).`,
    ),
    ...[...new Set(table.map((e) => e.tag))].flatMap((tag) => [
      heading(2, tag),
      ...(TAGS[tag] === undefined ? [] : [text(TAGS[tag])]),
      ...table.filter((e) => e.tag === tag).flatMap(operationBlocks),
    ]),
    ...headerBlocks(),
    ...(audience === 'staff' ? REASONS : []),
    heading(2, 'Shapes'),
    ...shapesOf(table).flatMap(shapeBlocks),
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

/** docs/api.md, or the same under a service's own name. `errors`: where the errors are explained. */
export const apiReference = (endpoints: EndpointTable, service?: string, errors = 'errors.md'): string =>
  markdown(apiBlocks(endpoints, { service, audience: 'public', errors }));

/** docs/staff-api.md. */
export const staffReference = (endpoints: EndpointTable): string =>
  markdown(apiBlocks(endpoints, { audience: 'staff', errors: 'errors.md' }));

/** docs/errors.md. */
export const errorReference = (): string => markdown(errorBlocks());
