/** Discovery documents: valid against the public schemas, and consistent with the server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/platform/app/app.ts';
import { baseUrl as asConfigured } from '../../src/config/values.ts';
import { instructionsOf } from '../../src/doors/mcp/about.ts';
import { discoveryDocuments } from '../../src/doors/mcp/discovery-documents.ts';
import { aBranch, aShopFile, openShops, SLUG } from '../support/shops/cafe.ts';
import { CLIENT_HEADERS, rpc } from '../support/server/mcp-client.ts';
import { checkServerCard } from '../support/server/mcp-schemas.ts';
import { makeWorld, PUBLIC_ADDRESS, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const CARD = '/mcp/server-card';
const WELL_KNOWN_CARD = '/.well-known/mcp/server-card.json';
const MANIFEST = '/.well-known/mcp.json';
const CATALOG = '/.well-known/ai-catalog.json';
const LLMS = '/llms.txt';

const TYPES: Readonly<Record<string, string>> = {
  [CARD]: 'application/mcp-server-card+json',
  [WELL_KNOWN_CARD]: 'application/json',
  [MANIFEST]: 'application/json',
  [CATALOG]: 'application/ai-catalog+json',
  [LLMS]: 'text/plain; charset=utf-8',
};
const ADDRESSES = Object.keys(TYPES);

interface Card {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly websiteUrl: string;
  readonly protocolVersion: string;
  readonly endpoint: string;
  readonly serverInfo: object;
  readonly remotes: readonly {
    readonly type: string;
    readonly url: string;
    readonly supportedProtocolVersions: readonly string[];
  }[];
}
interface Manifest extends Card {
  readonly supportedProtocolVersions: readonly string[];
  readonly instructions: string;
  readonly tools: readonly object[];
  readonly links: Readonly<Record<string, string>>;
  readonly contact: string;
}
interface Catalog {
  readonly specVersion: string;
  readonly host: { readonly displayName: string };
  readonly entries: readonly { readonly identifier: string; readonly type: string; readonly url: string }[];
}
interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: object };
}

let world: World;
let card: Card;
let manifest: Manifest;
let catalog: Catalog;
let llms: string;
let initialized: Readonly<Record<string, unknown>>;
let tools: readonly Tool[];

beforeAll(async () => {
  world = await makeWorld();
  card = (await world.get(CARD)).body as Card;
  manifest = (await world.get(MANIFEST)).body as Manifest;
  catalog = (await world.get(CATALOG)).body as Catalog;
  llms = (await world.get(LLMS)).text;
  const asked = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  initialized = (await rpc(world, 'initialize', asked)).result as typeof initialized;
  tools = ((await rpc(world, 'tools/list')).result as { tools: readonly Tool[] }).tools;
});
afterAll(() => world.close());

/** Documents of a service with these settings, by path. */
const documentsOf = (baseUrl: string, service: Partial<App['service']> = {}): Map<string, string> => {
  const app: App = { ...world.app, baseUrl, service: { ...world.app.service, ...service } };
  const info = { name: 'ahwa', title: app.service.name, version: 'test' };
  const documents = discoveryDocuments({ app, info, instructions: instructionsOf(app) });
  return new Map(documents.map(({ path, write }) => [path, write()]));
};
const cardOf = (...settings: Parameters<typeof documentsOf>): Card =>
  JSON.parse(documentsOf(...settings).get(CARD) ?? '') as Card;

describe('the server card', () => {
  test('is the same document at both addresses', async () => {
    const [reserved, wellKnown] = [await world.get(CARD), await world.get(WELL_KNOWN_CARD)];
    expect(reserved.bytes.equals(wellKnown.bytes)).toBe(true);
    expect(reserved.headers.etag).toBe(wellKnown.headers.etag);
  });

  test('is valid against the public schema', () => checkServerCard(card));

  test('states authentication, endpoint, transport, revisions and capabilities', () => {
    expect(card).toMatchObject({
      authentication: { required: false },
      transport: { type: 'streamable-http', endpoint: `${PUBLIC_ADDRESS}/mcp` },
      endpoint: `${PUBLIC_ADDRESS}/mcp`,
      capabilities: { tools: { listChanged: false } },
      protocolVersion: '2025-06-18',
      version: 'test',
    });
    expect(card.remotes).toEqual([
      {
        type: 'streamable-http',
        url: `${PUBLIC_ADDRESS}/mcp`,
        supportedProtocolVersions: ['2025-06-18', '2025-03-26', '2024-11-05'],
      },
    ]);
  });

  test('lists no tools', () => expect(card).not.toHaveProperty('tools'));

  test('is the same for any Accept header', async () => {
    const plain = await world.get(CARD);
    for (const accept of ['application/mcp-server-card+json', 'application/json', '*/*', 'text/html'])
      expect((await world.get(CARD, { accept })).text).toBe(plain.text);
  });

  test('is named by the reversed host name', () => {
    expect(card.name).toBe('example.ahwa/ahwa');
  });

  test.each([
    ['http://localhost:8080', 'localhost/ahwa'],
    ['https://menus.cafe.example/', 'example.cafe.menus/ahwa'],
    ['https://cafe.example:8443/public/ahwa', 'example.cafe/ahwa'],
    ['https://CAFE.example.', 'example.cafe/ahwa'],
    ['http://my_host:8080', 'my-host/ahwa'],
    ['https://قهوة.example', 'example.xn--ogb3cpe/ahwa'],
    ['http://127.0.0.1:8080', '1.0.0.127/ahwa'],
    ['http://[2001:db8::ff00:42:8329]', '2001-db8--ff00-42-8329/ahwa'],
    ['http://[::1]:8080', '1/ahwa'],
  ])('of BASE_URL %s is named %s', (address, name) => {
    const baseUrl = asConfigured(address) ?? '';
    const odd = cardOf(baseUrl);
    expect(odd.name).toBe(name);
    expect(odd.remotes[0]?.url).toBe(`${baseUrl}/mcp`);
    checkServerCard(odd);
  });

  test('is valid for the longest host name and service name', () => {
    const host = `${'a'.repeat(60)}.`.repeat(4).slice(0, 250);
    for (const name of ['W'.repeat(80), 'م'.repeat(80), '😀'.repeat(40), ' '])
      checkServerCard(cardOf(`https://${host}example`, { name }));
  });
});

describe('the manifest', () => {
  test('lists the tools as tools/list does, by name, title and description', () => {
    expect(manifest.tools).toEqual(
      tools.map(({ name, title, description }) => ({ name, title, description })),
    );
  });

  test('agrees with the server card', () => {
    const { name, title, version, protocolVersion, endpoint, serverInfo, remotes, websiteUrl } = card;
    expect(manifest).toMatchObject({ name, title, version, protocolVersion, endpoint, serverInfo });
    expect(manifest.supportedProtocolVersions).toEqual(remotes[0]?.supportedProtocolVersions);
    expect(manifest.links['website']).toBe(websiteUrl);
  });

  test('agrees with GET / and the OpenAPI document', async () => {
    const about = await world.read('about', '/');
    expect(manifest).toMatchObject({
      title: about.name,
      description: about.description,
      contact: about.contact,
      endpoint: about.mcp,
    });
    expect(manifest.links).toMatchObject({ openapi: about.openapi, docs: about.docs });
    const { info, servers } = (await world.get('/openapi.json')).body as {
      info: { version: string };
      servers: readonly { url: string }[];
    };
    expect([info.version, servers[0]?.url]).toEqual([manifest.version, manifest.links['website']]);
  });
});

describe('initialize and the discovery documents', () => {
  test('have the same name, title, version, default revision and capabilities', () => {
    for (const document of [card, manifest])
      expect(document).toMatchObject({
        serverInfo: initialized['serverInfo'],
        capabilities: initialized['capabilities'],
        protocolVersion: initialized['protocolVersion'],
      });
    expect(initialized['serverInfo']).toMatchObject({ title: card.title, version: card.version });
    expect(card.name.split('/')[1]).toBe((initialized['serverInfo'] as { name: string }).name);
  });

  test('have the same instructions', () => {
    const instructions = String(initialized['instructions']);
    expect(manifest.instructions).toBe(instructions);
    for (const line of instructions.split('\n')) expect(llms).toContain(`\n- ${line}\n`);
  });

  test('support every revision that the card names', async () => {
    for (const protocolVersion of card.remotes[0]?.supportedProtocolVersions ?? []) {
      const { result } = await rpc(world, 'initialize', { protocolVersion });
      expect(result).toMatchObject({ protocolVersion });
    }
  });
});

describe('the AI catalog', () => {
  test('has one entry, a link to the server card with its media type', async () => {
    expect(catalog).toEqual({
      specVersion: '1.0',
      host: { displayName: card.title, documentationUrl: `${PUBLIC_ADDRESS}/docs` },
      entries: [
        {
          identifier: 'urn:air:ahwa.example:mcp:ahwa',
          type: 'application/mcp-server-card+json',
          url: `${PUBLIC_ADDRESS}/mcp/server-card`,
        },
      ],
    });
    const [entry] = catalog.entries;
    const reply = await world.get(entry?.url.slice(PUBLIC_ADDRESS.length) ?? '', {
      accept: entry?.type ?? '',
    });
    expect([reply.headers['content-type'], reply.body]).toEqual([entry?.type, card]);
  });

  test.each(['http://[::1]:8080', 'http://127.0.0.1', 'http://localhost:1', 'https://my_host.example./x'])(
    'has a well-formed identifier for BASE_URL %s',
    (address) => {
      const odd = JSON.parse(documentsOf(asConfigured(address) ?? '').get(CATALOG) ?? '') as Catalog;
      expect(odd.entries[0]?.identifier).toMatch(/^urn:air:[a-z0-9-]+(\.[a-z0-9-]+)*:mcp:ahwa$/);
    },
  );
});

describe('llms.txt', () => {
  const items = (): string[] => {
    const [, ...sections] = llms.split(/^## .*$/m);
    return sections.flatMap((section) => section.split('\n').filter((line) => line !== ''));
  };

  test('has one title, a summary and two sections of links, as its convention requires', () => {
    const [title, blank, summary] = llms.split('\n');
    expect([title, blank]).toEqual([`# ${card.title}`, '']);
    expect(summary).toMatch(/^> \S/);
    expect(llms.match(/^#+ /gm)).toEqual(['# ', '## ', '## ']);
    expect(items().length).toBeGreaterThan(8);
    for (const item of items()) expect(item).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)\s]+\): \S/);
  });

  test('lists every tool with title, description and arguments', () => {
    for (const { name, title, description, inputSchema } of tools) {
      const line = llms.split('\n').find((each) => each.startsWith(`- \`${name}(`)) ?? '';
      for (const argument of Object.keys(inputSchema.properties)) expect(line).toContain(argument);
      expect(line).toContain(`${title}. ${description}`);
    }
  });

  test('lists every public read of the API with its full address, and no other operation', async () => {
    const { paths } = (await world.get('/openapi.json')).body as {
      paths: Record<string, { get?: { parameters: readonly { in: string; name: string }[] } }>;
    };
    const listed = items().filter((item) => item.startsWith('- [GET '));
    const reads = Object.entries(paths).filter(([path, { get }]) => path.startsWith('/public/') && get);
    expect(listed.length).toBe(reads.length);
    for (const [path, { get }] of reads) {
      const query = (get?.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));
      const template = `${PUBLIC_ADDRESS}${path}${query.length === 0 ? '' : `{?${query.join(',')}}`}`;
      const line = listed.find((each) => each.includes(`[GET ${path}]`));
      expect(line).toContain(`\`${template}\``);
      for (const name of query) expect(line).toContain(`\`${name}\` (`);
    }
  });

  test('explains money, times, the missing list of shops and caching', () => {
    for (const words of ['piastres', 'UTC', 'no list of shops', 'crawled', 'Cache-Control', 'If-None-Match'])
      expect(llms).toContain(words);
    expect(llms).toContain(`Questions: ${manifest.contact}`);
  });

  test('stays one title when the service’s name contains Markdown', () => {
    const text = documentsOf(PUBLIC_ADDRESS, { name: 'One\n# Two', contact: 'a\n## b' }).get(LLMS) ?? '';
    expect(text.split('\n')[0]).toBe('# One # Two');
    expect(text).toContain('\nQuestions: a ## b\n');
  });
});

test('every link of the discovery documents leads to an existing document and anchor', async () => {
  const links = new Set([
    ...Object.values(manifest.links),
    ...catalog.entries.map(({ url }) => url),
    ...[...llms.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? ''),
  ]);
  expect(links.size).toBeGreaterThan(12);
  for (const link of links) {
    const { origin, pathname, hash } = new URL(link);
    const reply = await world.get(pathname, { accept: '*/*' });
    expect([link, origin, reply.status]).toEqual([link, PUBLIC_ADDRESS, 200]);
    if (hash !== '') expect(reply.text).toContain(`id="${hash.slice(1)}"`);
  }
});

describe('each discovery document', () => {
  test.each(ADDRESSES)('%s has its media type, an hour’s lifetime and CORS headers', async (address) => {
    const { status, headers } = await world.get(address, { origin: 'https://assistant.example' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': TYPES[address],
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(headers['access-control-expose-headers']).toMatch(/\bETag\b/);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test.each(ADDRESSES)('%s has a tag per encoding, and any of these tags gets 304', async (address) => {
    const replies: Reply[] = [];
    for (const coding of ['identity', 'gzip', 'br'])
      replies.push(await world.get(address, { 'accept-encoding': coding }));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    for (const { headers } of replies) {
      expect(headers.etag).toMatch(/^"[^"]+"$/);
      const unchanged = await world.get(address, { 'if-none-match': headers.etag ?? '' });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      expect(unchanged.headers['cache-control']).toBe('public, max-age=3600');
    }
  });

  test.each(ADDRESSES)(
    '%s answers HEAD like GET without a body, and any other method with 405',
    async (address) => {
      const [head, get] = [await world.send('HEAD', address), await world.get(address)];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(head.headers[name]).toBe(get.headers[name]);
      for (const [method, body] of [['POST', '{}'], ['PUT', '{}'], ['DELETE']] as const) {
        const reply = await world.send(method, address, CLIENT_HEADERS, body);
        expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
        expect(reply.body).toEqual({ error: expect.any(String) as string });
      }
    },
  );

  test.each(ADDRESSES)('%s answers a preflight request that names If-None-Match', async (address) => {
    const { status, headers } = await world.send('OPTIONS', address, {
      origin: 'https://assistant.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    });
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-methods']).toMatch(/\bGET\b/);
    expect(headers['access-control-allow-headers']).toMatch(/if-none-match/);
    expect(headers['access-control-allow-headers']).toMatch(/content-type/);
  });

  test('does not depend on the shops and contains no text of a shop', async () => {
    const words = ['كلمة المحل', 'Words of the shop', 'شارع المحل', 'Street of the shop'];
    await openShops(
      world,
      aShopFile({
        name: { ar: 'كلمة المحل', en: 'Words of the shop' },
        branches: [
          aBranch({
            name: { ar: 'كلمة المحل', en: 'Words of the shop' },
            address: { ar: 'شارع المحل', en: 'Street of the shop' },
          }),
        ],
      }),
    );
    expect((await world.read('getBrand', `/public/orgs/brand?slug=${SLUG}`)).name).toBe(words[0]);
    const fresh = documentsOf(PUBLIC_ADDRESS);
    for (const address of ADDRESSES) {
      const { text } = await world.get(address);
      for (const word of words) expect(text).not.toContain(word);
      expect(text).toBe(fresh.get(address));
    }
  });
});

describe('an address where clients look for OAuth metadata', () => {
  const SIGN_IN = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
    '/mcp/.well-known/oauth-protected-resource',
    '/mcp/.well-known/oauth-authorization-server',
    '/authorize',
    '/token',
    '/register',
  ];
  test.each(SIGN_IN)('%s is 404 in JSON, without a sign-in challenge', async (address) => {
    for (const [method, body] of [['GET'], ['POST', '{}']] as const) {
      const reply = await world.send(method, address, CLIENT_HEADERS, body);
      expect([reply.status, reply.body]).toEqual([404, { error: expect.any(String) as string }]);
      expect(reply.headers['content-type']).toMatch(/^application\/json\b/);
      expect(reply.headers).not.toHaveProperty('www-authenticate');
      expect(reply.headers['access-control-allow-origin']).toBe('*');
    }
  });
});
