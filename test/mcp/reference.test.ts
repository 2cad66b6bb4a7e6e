/** docs/tools.md, compared with the tool server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolReference } from '../../src/service/contract/tool-reference.ts';
import type { Tool } from '../../src/platform/contract/tool.ts';
import { listingOf, PROTOCOL_VERSIONS, tools } from '../../src/service/contract/tools.ts';
import { TOOL_MESSAGE_LIMIT } from '../../src/platform/contract/body-limits.ts';
import { readArguments } from '../../src/doors/mcp/arguments.ts';
import { RPC_CODES } from '../../src/doors/mcp/message.ts';
import { MAX_CHARACTERS } from '../../src/doors/mcp/shorten.ts';
import { postMcp, rpc } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const reference = toolReference();
const TOOLS: readonly Tool[] = Object.values(tools);
const sectionOf = ({ name }: Tool): string => reference.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? '';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
/** Field paths, outer before inner. */
const fieldsOf = (schema: Schema | undefined, above = ''): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, of]) => [
    `${above}${name}`,
    ...fieldsOf(of, `${above}${name}.`),
    ...fieldsOf(of.items, `${above}${name}[].`),
  ]);

interface Message {
  readonly method: string;
  readonly params?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}
/** Bodies of the curl lines. */
const messages = (): readonly string[] =>
  [...reference.matchAll(/ -d '([^']*)'$/gm)].map(([, body = '']) => body);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

describe('docs/tools.md', () => {
  test.each(TOOLS)('lists $name with every argument and result field', (tool) => {
    const section = sectionOf(tool);
    expect(section).toContain(`${tool.title}. ${tool.description}`);
    for (const name of Object.keys(tool.args)) expect(section).toContain(`| \`${name}\` |`);
    const [, results = ''] = section.split('| Field of the result |');
    const listed = [...results.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field]) => field);
    expect(listed).toEqual(fieldsOf(listingOf(tool).outputSchema));
  });

  test.each(TOOLS)('describes every result field of $name', (tool) => {
    const [, results = ''] = sectionOf(tool).split('| Field of the result |');
    const rows = results.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(fieldsOf(tool.result).length);
    // Field, type, required, description.
    for (const row of rows) expect(row).toMatch(/^\| `[^`]+` \| [^|]+ \| (yes|no) \| [^|]{5,} \|$/);
  });

  test('describes result fields that tools/list leaves undescribed', () => {
    for (const tool of TOOLS) {
      const { outputSchema } = listingOf(tool);
      expect(JSON.stringify(outputSchema)).not.toMatch(/"description":"/);
      // A field may be named `description`.
      expect(fieldsOf(outputSchema)).toEqual(fieldsOf(tool.result));
    }
  });

  test('shows one call of each tool with valid arguments', () => {
    const calls = messages().flatMap((body) => (JSON.parse(body) as Message).params ?? []);
    expect(calls.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const { name, arguments: args } of calls) {
      const tool = TOOLS.find((one) => one.name === name);
      expect(tool === undefined ? null : readArguments(tool, args, 0)).toEqual({ args });
    }
  });

  test('shows only messages that the server answers', async () => {
    expect(messages().length).toBe(TOOLS.length + 1);
    for (const body of messages()) {
      const reply = await postMcp(world, body);
      expect([body, reply.status, reply.body]).toEqual([
        body,
        200,
        expect.objectContaining({ id: 1, jsonrpc: '2.0' }),
      ]);
      expect(reply.body).toHaveProperty('result');
    }
  });

  test('lists every method, revision and error code', async () => {
    const unknown = await rpc(world, 'nothing');
    const methods = unknown.error?.message.split('there are ')[1]?.replace('.', '').split(', ') ?? [];
    expect(methods).toContain('initialize');
    for (const method of methods) expect(reference).toContain(`| \`${method}\` |`);
    for (const version of PROTOCOL_VERSIONS) expect(reference).toContain(`\`${version}\``);
    const codes = [...reference.matchAll(/-32\d{3}/g)].map(([code]) => Number(code));
    expect(new Set(codes)).toEqual(new Set(Object.values(RPC_CODES)));
  });

  test('states the limits of the code', () => {
    expect(reference).toContain(`${TOOL_MESSAGE_LIMIT / 1024} KB`);
    expect(reference).toContain(`${MAX_CHARACTERS.toLocaleString('en')} characters`);
  });

  test('contains no path of the machine that wrote it', () => {
    expect(reference).not.toMatch(/file:|\/(home|root|Users|tmp)\//);
    expect(reference).not.toContain(import.meta.dirname);
  });
});

/** Provokes each answer that the reference lists. */
const PROVOCATIONS: readonly (readonly [
  row: string,
  send: () => Promise<{ status: number; body: unknown }>,
])[] = [
  ['| 200 | `result` |', () => postMcp(world, '{"jsonrpc":"2.0","id":1,"method":"ping"}')],
  [
    '| 200 | `result` with `isError: true` |',
    () =>
      postMcp(
        world,
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_shop","arguments":{"shop":"x"}}}',
      ),
  ],
  ['| 200 | `error` -32601 |', () => postMcp(world, '{"jsonrpc":"2.0","id":1,"method":"nothing"}')],
  ['| 200 | `error` -32602 |', () => postMcp(world, '{"jsonrpc":"2.0","id":1,"method":"initialize"}')],
  ['| 202 | none |', () => postMcp(world, '{"jsonrpc":"2.0","method":"notifications/initialized"}')],
  ['| 400 | `error` -32700 |', () => postMcp(world, '{')],
  ['| 400 | `error` -32600 |', () => postMcp(world, '[]')],
  ['| 403 | error body |', () => postMcp(world, '{}', { origin: 'null' })],
  ['| 405 | error body |', () => world.get('/mcp')],
  ['| 406 | error body |', () => postMcp(world, '{}', { accept: 'text/html' })],
  ['| 413 | error body |', () => postMcp(world, ' '.repeat(TOOL_MESSAGE_LIMIT + 1))],
  ['| 415 | error body |', () => postMcp(world, '{}', { 'content-type': 'text/plain' })],
];

/** A response in the terms of that table. */
const inWords = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return 'none';
  const { result, error } = body as { result?: { isError?: boolean }; error?: string | { code: number } };
  if (typeof error === 'object') return `\`error\` ${error.code}`;
  if (error !== undefined) return 'error body';
  return result?.isError === true ? '`result` with `isError: true`' : '`result`';
};

describe('the table of answers in docs/tools.md', () => {
  test.each(PROVOCATIONS)('%s', async (row, send) => {
    const { status, body } = await send();
    expect(`| ${status} | ${inWords(body)} |`).toBe(row);
    expect(reference).toContain(`\n${row} `);
  });

  test('lists no other answer except 429', () => {
    const rows = reference.match(/^\| \d{3} \| [^|]* \|/gm) ?? [];
    const provoked = new Set(PROVOCATIONS.map(([row]) => row));
    expect(rows.filter((row) => !provoked.has(row))).toEqual(['| 429 | error body with `RATE_LIMITED` |']);
  });
});
