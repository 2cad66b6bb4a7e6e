/** (Decisions 14) */
import { REFUSALS } from '../../kernel/refusal.ts';
import type { RefusalName } from '../../kernel/refusal.ts';
import { commandOf, heading, markdown, tableOf, text } from './document-blocks.ts';
import type { Block } from './document-blocks.ts';
import type { QueryParameter } from '../../platform/contract/endpoint.ts';
import { fieldRows, typeOf } from './fields.ts';
import { plain } from './shapes.ts';
import { PROTOCOL_VERSIONS, tools } from './tools.ts';
import type { Tool } from '../../platform/contract/tool.ts';

/** With default settings. */
const BASE_URL = 'http://localhost:8080';

const [DEFAULT_VERSION] = PROTOCOL_VERSIONS;

const inCode = (word: string): string => `\`${word}\``;

/** For a shell. */
export const messageCommand = (baseUrl: string, method: string, params?: object): string =>
  [
    `curl '${baseUrl}/mcp' \\`,
    "  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\",
    `  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })}'`,
  ].join('\n');

const curl = (method: string, params?: object): Block => commandOf(messageCommand(BASE_URL, method, params));

const introduction = (): Block[] => [
  heading(1, 'Ahwa tool server'),
  text(
    'The reads of the public API as tools for AI assistants, over the Model Context Protocol. A tool answers what ' +
      '[the API](api.md) answers, in amounts of EGP and in words that can be read aloud. Nothing is ordered, booked or ' +
      'changed here, and there is no list of shops: a shop is named by its address name.',
  ),
  curl('tools/list'),
  heading(2, 'What a client sends'),
  tableOf(
    ['', ''],
    [
      [
        'Address',
        'POST to `/mcp` of the service, one JSON-RPC 2.0 message of at most 64 KB; `/mcp/` is the same',
      ],
      ['Transport', 'Streamable HTTP without state: no session id, no event stream, so GET answers 405'],
      ['Account', 'none: no key, no header for authentication'],
      ['`Content-Type`', '`application/json`'],
      ['`Accept`', '`application/json` and `text/event-stream`, as the protocol asks; answers are JSON'],
      [
        '`MCP-Protocol-Version`',
        `${PROTOCOL_VERSIONS.map(inCode).join(', ')}; may be left out, and is not looked at on \`initialize\``,
      ],
      ['`Origin`', 'set by browsers alone: any https origin; one of this machine while the service is on it'],
    ],
  ),
  text(
    'The service tells where this is by itself: a server card at `/.well-known/mcp/server-card.json` and ' +
      '`/mcp/server-card`, a manifest with the list of tools at `/.well-known/mcp.json`, a catalog at ' +
      '`/.well-known/ai-catalog.json`, and a guide for assistants at `/llms.txt`.',
  ),
  heading(2, 'Methods'),
  tableOf(
    ['Method', 'Takes', 'Gives'],
    [
      [
        '`initialize`',
        '`protocolVersion`, `capabilities`, `clientInfo`',
        `\`protocolVersion\` (the one asked for, or ${inCode(DEFAULT_VERSION)} where it is not spoken), ` +
          '`capabilities` (`tools.listChanged` is false), `serverInfo`, `instructions`; optional, as nothing is remembered',
      ],
      ['`ping`', 'nothing', 'an empty object'],
      [
        '`tools/list`',
        'nothing',
        'every tool on one page, each with the schemas of its arguments and its result',
      ],
      ['`tools/call`', '`name`, `arguments`', "the tool's result"],
    ],
  ),
];

const DOOR_REFUSALS = [
  'ORIGIN_NOT_ALLOWED',
  'HOST_NOT_ALLOWED',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'BODY_TOO_LARGE',
  'NOT_JSON',
  'BODY_COMPRESSED',
  'RATE_LIMITED',
] as const satisfies readonly RefusalName[];

const answers = (): Block[] => [
  heading(2, 'What answers what'),
  text(
    'What HTTP refuses has the [error body of the API](errors.md); what was understood as a message has an answer ' +
      'of JSON-RPC.',
  ),
  tableOf(
    ['Status', 'Body', 'When'],
    [
      ['200', '`result`', 'A request that is answered.'],
      [
        '200',
        '`result` with `isError: true`',
        'A tool that cannot answer; its text says why and what to do instead.',
      ],
      ['200', '`error` -32601', 'A method that does not exist.'],
      [
        '200',
        '`error` -32602',
        'A tool that does not exist; `params` or `arguments` that are no object; a `cursor`; `initialize` without ' +
          '`protocolVersion`.',
      ],
      ['202', 'none', "A notification, or a client's response."],
      ['400', '`error` -32700', 'A body that was sent as JSON and does not read as such.'],
      [
        '400',
        '`error` -32600',
        'JSON that is no message, such as an array; an `id` that is neither a string nor an integer; an ' +
          '`MCP-Protocol-Version` that is not spoken.',
      ],
      ...DOOR_REFUSALS.map((name) => {
        const { status, code, when }: { status: number; code: string | null; when: string } = REFUSALS[name];
        return [String(status), `error body${code === null ? '' : ` with ${inCode(code)}`}`, when];
      }),
    ],
  ),
];

const argumentRow = ([name, { scalar, required, description }]: [string, QueryParameter]): string[] => [
  inCode(name),
  typeOf({ type: plain(scalar.schema)['type'] }),
  required ? 'yes' : 'no',
  scalar.expected.en,
  description,
];

/** A value of each required argument. */
export const exampleArguments = ({ args }: Tool): object => {
  const needed = Object.entries(args).filter(([, { required }]) => required);
  const given = needed.map(([arg, { scalar }]): [string, unknown] => {
    const examples: unknown = plain(scalar.schema)['examples'];
    return [arg, Array.isArray(examples) ? examples[0] : null];
  });
  return Object.fromEntries(given);
};

const exampleCall = (tool: Tool): Block =>
  curl('tools/call', { name: tool.name, arguments: exampleArguments(tool) });

const toolBlocks = (tool: Tool): Block[] => {
  const args = Object.entries(tool.args);
  return [
    heading(3, tool.name),
    text(`${tool.title}. ${tool.description}`),
    args.length === 0
      ? text('Takes no arguments.')
      : tableOf(['Argument', 'Type', 'Required', 'Value', ''], args.map(argumentRow)),
    exampleCall(tool),
    tableOf(['Field of the result', 'Type', 'Always', ''], fieldRows(plain(tool.result))),
  ];
};

/** docs/tools.md. */
export const toolReference = (): string =>
  markdown([
    ...introduction(),
    ...answers(),
    heading(2, 'Tools'),
    text(
      'A result has the object as `structuredContent` and the same for reading as text in `content[0]`; each is ' +
        'complete by itself, and at most 40,000 characters long: beyond that it is shortened, with `truncated` and a ' +
        'sentence on what was left out. A field that is not always there is left out where nothing is known; none is ' +
        'null. All tools only read (`readOnlyHint`). Arguments that a tool does not have are refused by name. ' +
        'The ids below are examples; `npm run ahwa -- demo` prints real ones.',
    ),
    ...Object.values(tools).flatMap((tool: Tool) => toolBlocks(tool)),
  ]);
