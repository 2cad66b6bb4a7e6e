import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postMcp, rpc } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

/** Decisions 14: every message gets exactly one answer, and the next request works. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** HTTP status, error code and id. */
const errorOf = ({ status, body }: Reply): readonly [number, number | undefined, unknown] => {
  const { error, id } = body as { error?: { code: number }; id: unknown };
  return [status, error?.code, id];
};

const sent = async (message: unknown, headers: Record<string, string> = {}) =>
  errorOf(await postMcp(world, JSON.stringify(message), headers));

const stillWorks = async () =>
  expect(await rpc(world, 'ping')).toEqual({ status: 200, jsonrpc: '2.0', id: 1, result: {} });

describe('a request is answered 200 with its own id', () => {
  test.each([1, 0, -7, 'a', '', '𝒳 عربي', Number.MAX_SAFE_INTEGER])('%j', async (id) => {
    const { status, body, headers } = await postMcp(world, JSON.stringify({ ...PING, id }));
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id, result: {} }]);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  test('the id 1.0 is answered as the integer 1', async () => {
    expect((await postMcp(world, '{"jsonrpc":"2.0","id":1.0,"method":"ping"}')).text).toContain('"id":1,');
  });

  test('a byte order mark and white space around the message are ignored', async () => {
    expect((await postMcp(world, `\ufeff \n${JSON.stringify(PING)}\n`)).status).toBe(200);
  });
});

describe('a message that expects no response gets 202 without a body', () => {
  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever', params: [1] }],
    ['a method sent as a notification', { jsonrpc: '2.0', method: 'tools/list' }],
    ['a response', { jsonrpc: '2.0', id: 4, result: {} }],
    ['an error response', { jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'no' } }],
  ])('%s', async (_, message) => {
    const { status, headers, bytes } = await postMcp(world, JSON.stringify(message));
    expect([status, bytes.length, headers['content-type'], headers['content-length']]).toEqual([
      202,
      0,
      undefined,
      '0',
    ]);
  });
});

test('a message with more than 512 object shapes is refused before parsing: 400, −32600', async () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `{"a${index}":0}`).join();
  const reply = await postMcp(world, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"list":[${names}]}}`);
  expect(errorOf(reply)).toEqual([400, -32600, null]);
  expect(reply.text).toContain('The body has objects of more than 512 different shapes.');
  await stillWorks();
});

describe('a body that is not JSON gets 400, −32700 and id null', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['half a message', '{"jsonrpc":"2.0","id":1,"method":"pi'],
    ['two messages', `${JSON.stringify(PING)}\n${JSON.stringify(PING)}`],
    ['a word', 'ping'],
    ['a comment', '{"jsonrpc":"2.0","id":1,"method":"ping"} // hello'],
    ['an event stream', 'event: message\ndata: {}\n\n'],
    ['open brackets without end', '['.repeat(60_000)],
  ])('%s', async (_, body) => {
    expect(errorOf(await postMcp(world, body))).toEqual([400, -32700, null]);
    await stillWorks();
  });

  test('bytes that are not UTF-8', async () => {
    const body = Buffer.from([
      ...Buffer.from('{"jsonrpc":"2.0","id":"'),
      0xff,
      ...Buffer.from('","method":"ping"}'),
    ]);
    const reply = await postMcp(world, body);
    expect(errorOf(reply)).toEqual([400, -32700, null]);
  });
});

describe('an invalid request gets 400, −32600, with its id if that is valid', () => {
  test.each<[string, unknown, unknown]>([
    ['a batch', [PING], null],
    ['an empty batch', [], null],
    ['null', null, null],
    ['a number', 7, null],
    ['a text', 'ping', null],
    ['an empty object', {}, null],
    ['without jsonrpc', { id: 1, method: 'ping' }, 1],
    ['another jsonrpc', { ...PING, jsonrpc: '1.0' }, 1],
    ['jsonrpc as a number', { ...PING, jsonrpc: 2.0 }, 1],
    ['without a method', { jsonrpc: '2.0', id: 'a' }, 'a'],
    ['a method that is no text', { ...PING, method: 4 }, 1],
    ['a method that is null', { ...PING, method: null }, 1],
    ['an id that is null', { ...PING, id: null }, null],
    ['an id with a fraction', { ...PING, id: 1.5 }, null],
    ['an id that is true', { ...PING, id: true }, null],
    ['an id that is an object', { ...PING, id: {} }, null],
    ['an id that is an array', { ...PING, id: [1] }, null],
    ['an id that would come back as another number', { ...PING, id: 2 ** 53 }, null],
    ['a response without an id', { jsonrpc: '2.0', result: {} }, null],
  ])('%s', async (_, message, id) => {
    expect(await sent(message)).toEqual([400, -32600, id]);
    await stillWorks();
  });

  test('very deeply nested arrays', async () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(errorOf(await postMcp(world, deep))).toEqual([400, -32600, null]);
    await stillWorks();
  });
});

describe('an unknown method gets 200 with −32601', () => {
  test.each([
    'resources/list',
    'prompts/list',
    'server/discover',
    'logging/setLevel',
    'completion/complete',
    'tools/lists',
    'Ping',
    '',
    'constructor',
    '__proto__',
    'notifications/initialized',
  ])('%j', async (method) => {
    expect(await sent({ ...PING, method })).toEqual([200, -32601, 1]);
  });

  test('the error message lists the known methods', async () => {
    const { error } = await rpc(world, 'resources/list');
    expect(error?.message).toBe(
      'There is no method "resources/list"; there are initialize, ping, tools/list, tools/call.',
    );
  });
});

describe('invalid params get 200 with −32602', () => {
  test.each<[string, string, unknown]>([
    ['ping', 'an array', []],
    ['ping', 'null', null],
    ['tools/list', 'a text', 'x'],
    ['tools/list', 'a cursor', { cursor: 'abc' }],
    ['tools/list', 'an empty cursor', { cursor: '' }],
    ['tools/list', 'a cursor that is null', { cursor: null }],
    ['initialize', 'no protocol version', {}],
    ['initialize', 'a protocol version that is no text', { protocolVersion: 20250618 }],
    ['initialize', 'a protocol version that is null', { protocolVersion: null }],
    ['tools/call', 'nothing', undefined],
    ['tools/call', 'no name', { arguments: {} }],
    ['tools/call', 'a name that is no text', { name: 5 }],
    ['tools/call', 'an unknown tool', { name: 'get_everything', arguments: {} }],
    ['tools/call', 'the name of a property of every object', { name: 'toString' }],
    ['tools/call', '__proto__ as a tool', { name: '__proto__' }],
    ['tools/call', 'arguments as an array', { name: 'get_shop', arguments: [] }],
    ['tools/call', 'arguments as a text', { name: 'get_shop', arguments: '{"shop":"x"}' }],
    ['tools/call', 'arguments as null', { name: 'about_ahwa', arguments: null }],
  ])('%s with %s', async (method, _, params) => {
    expect(await sent({ ...PING, method, ...(params === undefined ? {} : { params }) })).toEqual([
      200, -32602, 1,
    ]);
    await stillWorks();
  });

  test('the error for an unknown tool lists the known tools', async () => {
    const { error } = await rpc(world, 'tools/call', { name: 'menu' });
    expect(error?.message).toBe(
      'There is no tool "menu"; there are get_shop, get_menu, get_booking_slots, track_order, about_ahwa.',
    );
  });

  test('the error quotes the client’s text in short on one line', async () => {
    const name = `a\n\u202eb\u0000${'x'.repeat(5000)}`;
    const { error } = await rpc(world, 'tools/call', { name });
    expect(error?.message).toMatch(/^There is no tool "a\\n\\u202eb\\u0000x{74,76}…"; there are get_shop/);
  });

  test('metadata and fields of newer revisions are ignored', async () => {
    const params = { _meta: { progressToken: 1 }, task: { ttl: 5 } };
    expect((await rpc(world, 'tools/list', params)).error).toBeUndefined();
  });
});

describe('initialize negotiates a revision', () => {
  const negotiated = async (protocolVersion: string, headers: Record<string, string> = {}) => {
    const client = { capabilities: {}, clientInfo: { name: 't', version: '1' } };
    return (await rpc(world, 'initialize', { protocolVersion, ...client }, headers)).result;
  };

  test.each(['2025-06-18', '2025-03-26', '2024-11-05'])('%s is accepted', async (version) => {
    expect(await negotiated(version)).toEqual({
      protocolVersion: version,
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'ahwa', title: 'Ahwa', version: 'test' },
      instructions: expect.stringContaining('read-only') as string,
    });
  });

  test.each(['2025-11-25', '2026-07-28', '1999-01-01', 'latest', ''])(
    'an unknown revision gets the default: %j',
    async (version) => {
      expect(await negotiated(version)).toMatchObject({ protocolVersion: '2025-06-18' });
    },
  );

  test('the header MCP-Protocol-Version has no effect on initialize', async () => {
    const header = { 'mcp-protocol-version': '2026-07-28' };
    expect(await negotiated('2024-11-05', header)).toMatchObject({ protocolVersion: '2024-11-05' });
  });

  test('a call without initialize is answered, without session or cookie', async () => {
    const { headers } = await postMcp(world, JSON.stringify({ ...PING, method: 'tools/list' }));
    for (const name of ['mcp-session-id', 'set-cookie', 'www-authenticate'])
      expect(headers[name]).toBeUndefined();
  });
});

describe('the header MCP-Protocol-Version', () => {
  test.each(['2025-06-18', '2025-03-26', '2024-11-05'])('%s is accepted', async (version) => {
    expect(await rpc(world, 'ping', undefined, { 'mcp-protocol-version': version })).toMatchObject({
      status: 200,
      result: {},
    });
  });

  test.each(['2025-11-25', '2026-07-28', 'x', '2025-06-18, 2025-06-18'])(
    '%s is refused with −32600, and the message lists the supported revisions',
    async (version) => {
      const answer = await rpc(world, 'ping', undefined, { 'mcp-protocol-version': version });
      expect(answer).toMatchObject({ status: 400, id: 1, error: { code: -32600 } });
      expect(answer.error?.message).toMatch(/2025-06-18, 2025-03-26, 2024-11-05 are\.$/);
      await stillWorks();
    },
  );

  test('an unknown revision on a notification is refused with id null', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await sent(message, { 'mcp-protocol-version': '2026-07-28' })).toEqual([400, -32600, null]);
  });
});

describe('tools/list', () => {
  test('lists the five tools in a fixed order, always the same bytes, under 8,000', async () => {
    // Typical length: a UUID.
    const id = 'd1c7a9b2-0d4e-4c52-9f1a-6b8e3f2a7c10';
    const listTools = () => postMcp(world, JSON.stringify({ ...PING, id, method: 'tools/list' }));
    const [first, second] = [await listTools(), await listTools()];
    const { tools } = (first.body as { result: { tools: { name: string; title: string }[] } }).result;
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ['get_shop', "A shop's details"],
      ['get_menu', "A shop's menu"],
      ['get_booking_slots', 'Table availability'],
      ['track_order', "An online order's status"],
      ['about_ahwa', 'About the service'],
    ]);
    expect(second.text).toBe(first.text);
    expect(Buffer.byteLength(first.text)).toBeLessThan(8_000);
  });

  test('describes every tool as read-only with a flat, closed input schema and examples', async () => {
    const { result } = await rpc(world, 'tools/list');
    const { tools } = result as {
      tools: {
        inputSchema: { type: string; properties: Record<string, object>; additionalProperties: boolean };
        outputSchema: { type: string };
        annotations: object;
      }[];
    };
    for (const { inputSchema, outputSchema, annotations } of tools) {
      expect(annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect([inputSchema.type, inputSchema.additionalProperties, outputSchema.type]).toEqual([
        'object',
        false,
        'object',
      ]);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(\$ref|\$defs|anyOf|oneOf|allOf|not|if)"/);
      for (const property of Object.values(inputSchema.properties))
        expect(property).toMatchObject({
          description: expect.stringMatching(/.{10}/) as string,
          examples: [expect.anything()],
        });
    }
    expect(tools.map(({ inputSchema }) => inputSchema)).toMatchObject([
      { required: ['shop'], properties: { shop: { type: 'string' } } },
      { required: ['shop'], properties: { branch_id: { type: 'string', format: 'uuid' } } },
      {
        required: ['branch_id', 'date', 'party_size'],
        properties: { date: { type: 'string', format: 'date' }, party_size: { type: 'integer', minimum: 1 } },
      },
      { required: ['order_id'], properties: { order_id: { type: 'string', format: 'uuid' } } },
      { properties: {} },
    ]);
  });
});
