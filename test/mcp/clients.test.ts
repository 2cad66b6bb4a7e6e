/** The official clients over HTTP, with every way of negotiating a version. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  PROTOCOL_VERSIONS,
  tools,
  type ProtocolVersion,
  type ToolName,
} from '../../src/service/contract/tools.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { checkMessage } from '../support/server/mcp-schemas.ts';
import type { World } from '../support/server/world.ts';

const ME = { name: 'a-test', version: '1' };
const [DEFAULT] = PROTOCOL_VERSIONS;

let world: World;
/** Valid arguments for each tool. */
let calls: Readonly<Record<ToolName, Record<string, unknown>>>;
beforeAll(async () => {
  const made = await makeDemo();
  world = made.world;
  const { shops, orders } = made.demo;
  const branchOf = (slug: string) => shops.find((shop) => shop.slug === slug)?.branches[0]?.id;
  calls = {
    get_shop: { shop: 'beit-el-bunn' },
    get_menu: { shop: 'beit-el-bunn', branch_id: branchOf('beit-el-bunn') },
    get_booking_slots: { branch_id: branchOf('layaly'), date: '2026-11-22', party_size: 2 },
    track_order: { order_id: orders[0]?.id },
    about_ahwa: {},
  };
});
afterAll(() => world.close());

interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly _meta?: unknown;
}

/** The common interface of both client generations. */
interface Connected {
  /** The negotiated version. */
  readonly revision: string | undefined;
  readonly instructions: string | undefined;
  readonly capabilities: unknown;
  readonly serverInfo: unknown;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  /** Rejects also when the client finds that a result violates the output schema. */
  callTool(name: string, args: Record<string, unknown>): Promise<CallResult>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

interface Exchanged {
  readonly method: string;
  readonly sent: Headers;
  readonly status: number;
  readonly received: Headers;
  readonly answer: unknown;
}

type Change = (text: string) => string;
const same: Change = (text) => text;

interface Wire {
  readonly exchanged: Exchanged[];
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A fetch that records requests and responses and may change them. */
const recordingFetch = ({
  changeRequest = same,
  changeResponse = same,
}: { changeRequest?: Change; changeResponse?: Change } = {}): Wire => {
  const exchanged: Exchanged[] = [];
  return {
    exchanged,
    fetch: async (url, init = {}) => {
      const body = typeof init.body === 'string' ? changeRequest(init.body) : null;
      const response = await fetch(url, { ...init, body });
      const text = changeResponse(await response.text());
      exchanged.push({
        method: body === null ? (init.method ?? 'GET') : (JSON.parse(body) as { method: string }).method,
        sent: new Headers(init.headers),
        status: response.status,
        received: response.headers,
        answer: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      const { status, headers } = response;
      return new Response(text === '' ? null : text, { status, headers: [...headers] });
    },
  };
};

type Connect = (wire: Wire) => Promise<Connected>;

const address = (): URL => new URL('/mcp', world.baseUrl);

const sdk: Connect = async ({ fetch }) => {
  const client = new Client(ME);
  const transport = new StreamableHTTPClientTransport(address(), { fetch });
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    instructions: client.getInstructions(),
    capabilities: client.getServerCapabilities(),
    serverInfo: client.getServerVersion(),
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    ping: () => client.ping(),
    close: () => client.close(),
  };
};

type Options = NonNullable<ConstructorParameters<typeof ModernClient>[1]>;

const modern =
  (options?: Options): Connect =>
  async ({ fetch }) => {
    const client = new ModernClient(ME, options);
    await client.connect(new ModernTransport(address(), { fetch }));
    return {
      revision: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities(),
      serverInfo: client.getServerVersion(),
      listTools: () => client.listTools(),
      callTool: (name, args) => client.callTool({ name, arguments: args }),
      ping: () => client.ping(),
      close: () => client.close(),
    };
  };

/** The older client always requests its newest version; this simulates one that knows only `revision`. */
const requesting = (revision: ProtocolVersion): Change => {
  const initialize = /("method":"initialize".*"protocolVersion":)"[\d-]+"/;
  return (text) => text.replace(initialize, `$1"${revision}"`);
};

interface Kind {
  readonly connect: Connect;
  readonly revision: ProtocolVersion;
  readonly changeRequest?: Change;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'sdk 1.32.2': { connect: sdk, revision: DEFAULT },
  'client 2.4.0': { connect: modern(), revision: DEFAULT },
  'client 2.4.0 that probes for a newer revision': {
    connect: modern({ versionNegotiation: { mode: 'auto' } }),
    revision: DEFAULT,
  },
  ...Object.fromEntries(
    PROTOCOL_VERSIONS.flatMap((revision): [string, Kind][] => [
      [`sdk 1.32.2 asking for ${revision}`, { connect: sdk, revision, changeRequest: requesting(revision) }],
      [
        `client 2.4.0 that speaks ${revision} alone`,
        { connect: modern({ supportedProtocolVersions: [revision] }), revision },
      ],
    ]),
  ),
};

let open: Connected[] = [];
afterEach(async () => {
  for (const client of open) await client.close();
  open = [];
});

const connected = async (
  { connect, changeRequest = same }: Kind,
  wire = recordingFetch({ changeRequest }),
): Promise<Connected> => {
  const client = await connect(wire);
  open.push(client);
  return client;
};

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  test('connects with the revision that both support', async () => {
    const client = await connected(kind);
    expect(client.revision).toBe(kind.revision);
    expect(client.capabilities).toEqual({ tools: { listChanged: false } });
    expect(client.serverInfo).toMatchObject({ name: 'ahwa', version: 'test' });
    expect(client.instructions).toContain('read-only');
    await client.ping();
  });

  test('lists the five tools and accepts every result against its output schema', async () => {
    const client = await connected(kind);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(tools));
    for (const [name, args] of Object.entries(calls)) {
      const { isError, content, structuredContent } = await client.callTool(name, args);
      expect([name, isError ?? false, content]).toEqual([
        name,
        false,
        [{ type: 'text', text: expect.any(String) as string }],
      ]);
      expect([name, structuredContent]).toEqual([name, expect.any(Object)]);
    }
  });

  test('gets a refusal as a result with isError, an unknown tool as an error', async () => {
    const client = await connected(kind);
    await client.listTools();
    expect(await client.callTool('get_shop', { shop: 'no-such-shop' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('no-such-shop') as string }],
    });
    await expect(client.callTool('order_coffee', {})).rejects.toMatchObject({ code: -32602 });
    await client.ping();
  });

  test('receives one JSON answer per message, valid for the revision, without a session', async () => {
    const wire = recordingFetch(
      kind.changeRequest === undefined ? {} : { changeRequest: kind.changeRequest },
    );
    const client = await connected(kind, wire);
    await client.listTools();
    for (const [name, args] of Object.entries(calls)) await client.callTool(name, args);
    await client.ping();
    await client.close();
    for (const { method, status, received, answer } of wire.exchanged) {
      expect(received.has('mcp-session-id')).toBe(false);
      if (answer === undefined || method === 'GET')
        expect([method, status]).toEqual([method, method === 'GET' ? 405 : 202]);
      else checkMessage(kind.revision, method, answer);
    }
    const named = wire.exchanged.filter(({ method }) => method === 'tools/call');
    expect(named.map(({ sent }) => sent.get('mcp-protocol-version'))).toEqual(named.map(() => kind.revision));
  });
});

test.each(['sdk 1.32.2', 'client 2.4.0'])(
  '%s rejects a result that violates the output schema',
  async (name) => {
    const kind = KINDS[name] ?? expect.fail();
    const changeResponse: Change = (text) => text.replaceAll('"shop":"beit-el-bunn"', '"shop":7');
    const client = await connected(kind, recordingFetch({ changeResponse }));
    await client.listTools();
    await expect(client.callTool('get_shop', calls.get_shop)).rejects.toThrow(/schema/);
  },
);

test('a client that probes for a newer revision gets 400 and falls back to initialize', async () => {
  const wire = recordingFetch();
  await connected({ connect: modern({ versionNegotiation: { mode: 'auto' } }), revision: DEFAULT }, wire);
  const [probe, first] = wire.exchanged;
  expect(probe).toMatchObject({
    method: 'server/discover',
    status: 400,
    answer: { error: { code: -32600 } },
  });
  expect(first).toMatchObject({ method: 'initialize', status: 200 });
});

test('a client that supports only a newer revision is refused, and other clients still connect', async () => {
  const pinned = modern({ versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await expect(pinned(recordingFetch())).rejects.toThrow(/2026-07-28/);
  await (await connected({ connect: sdk, revision: DEFAULT })).ping();
});
