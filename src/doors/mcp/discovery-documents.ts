/** Discovery documents (Behaviour, Tool server endpoint; Decisions 14). None contains text of a shop. */
import type { App } from '../../platform/app/app.ts';
import { SERVICE_DESCRIPTION } from '../../service/app/about.ts';
import { PROTOCOL_VERSIONS, tools } from '../../service/contract/tools.ts';
import { cardName, catalogIdentifier } from './identity.ts';
import { llmsText, type LinkedDocument } from './llms.ts';
import { CAPABILITIES, type ServerInfo } from './server.ts';

/** Constant for the life of the process. */
export interface DiscoveryDocument {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly write: () => string;
}

export interface DiscoveryFacts {
  readonly app: App;
  /** As in `initialize`. */
  readonly info: ServerInfo;
  readonly instructions: string;
}

const CARD_TYPE = 'application/mcp-server-card+json';
const CATALOG_TYPE = 'application/ai-catalog+json';
const JSON_TYPE = 'application/json';

const PATHS = {
  card: '/mcp/server-card',
  wellKnownCard: '/.well-known/mcp/server-card.json',
  manifest: '/.well-known/mcp.json',
  catalog: '/.well-known/ai-catalog.json',
  llms: '/llms.txt',
  openapi: '/openapi.json',
  docs: '/docs',
  docsMarkdown: '/docs.md',
} as const;

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/** At most 100 characters. */
const CARD_DESCRIPTION =
  'Menus, prices, table times and order status of cafés and restaurants in Egypt. Read-only.';

const [DEFAULT_VERSION] = PROTOCOL_VERSIONS;
const TRANSPORT = 'streamable-http';

const endpointOf = ({ baseUrl }: App): string => `${baseUrl}/mcp`;

/** In the fields of Behaviour. */
const connection = ({ app, info }: DiscoveryFacts) => ({
  serverInfo: info,
  protocolVersion: DEFAULT_VERSION,
  endpoint: endpointOf(app),
  transport: { type: TRANSPORT, endpoint: endpointOf(app) },
  capabilities: CAPABILITIES,
  authentication: { required: false },
});

/** The fields of the public schema and those of Behaviour, which the schema allows. */
const serverCard = (facts: DiscoveryFacts) => {
  const { app, info } = facts;
  return {
    $schema: CARD_SCHEMA,
    name: cardName(app.baseUrl, info.name),
    title: info.title,
    version: info.version,
    description: CARD_DESCRIPTION,
    websiteUrl: app.baseUrl,
    remotes: [{ type: TRANSPORT, url: endpointOf(app), supportedProtocolVersions: PROTOCOL_VERSIONS }],
    ...connection(facts),
  };
};

const manifest = (facts: DiscoveryFacts) => {
  const { app, info, instructions } = facts;
  const at = (path: string): string => `${app.baseUrl}${path}`;
  return {
    name: cardName(app.baseUrl, info.name),
    title: info.title,
    description: SERVICE_DESCRIPTION,
    version: info.version,
    supportedProtocolVersions: PROTOCOL_VERSIONS,
    ...connection(facts),
    instructions,
    tools: Object.values(tools).map(({ name, title, description }) => ({ name, title, description })),
    links: {
      website: app.baseUrl,
      docs: at(PATHS.docs),
      openapi: at(PATHS.openapi),
      serverCard: at(PATHS.wellKnownCard),
      catalog: at(PATHS.catalog),
      llms: at(PATHS.llms),
    },
    contact: app.service.contact,
  };
};

/** An entry links to the card and does not repeat its fields. */
const catalog = ({ app, info }: DiscoveryFacts) => ({
  specVersion: '1.0',
  host: { displayName: info.title, documentationUrl: `${app.baseUrl}${PATHS.docs}` },
  entries: [
    {
      identifier: catalogIdentifier(app.baseUrl, info.name),
      type: CARD_TYPE,
      url: `${app.baseUrl}${PATHS.card}`,
    },
  ],
});

const LINKED: readonly LinkedDocument[] = [
  {
    title: 'Reference',
    path: PATHS.docsMarkdown,
    note: 'every operation, shape and refusal of the JSON API, as Markdown.',
  },
  { title: 'OpenAPI 3.1', path: PATHS.openapi, note: 'the same for programs.' },
  {
    title: 'Server card',
    path: PATHS.wellKnownCard,
    note: 'what a client needs to connect to the tool server.',
  },
  { title: 'Manifest', path: PATHS.manifest, note: 'the tool server and its tools in one document.' },
];

/** Written on first request. */
export const discoveryDocuments = (facts: DiscoveryFacts): readonly DiscoveryDocument[] => {
  const json = (id: string, path: string, type: string, make: () => unknown): DiscoveryDocument => ({
    ...{ id, path, type },
    write: () => JSON.stringify(make()),
  });
  return [
    json('serverCard', PATHS.card, CARD_TYPE, () => serverCard(facts)),
    json('wellKnownServerCard', PATHS.wellKnownCard, JSON_TYPE, () => serverCard(facts)),
    json('mcpManifest', PATHS.manifest, JSON_TYPE, () => manifest(facts)),
    json('aiCatalog', PATHS.catalog, CATALOG_TYPE, () => catalog(facts)),
    {
      ...{ id: 'llms', path: PATHS.llms, type: 'text/plain; charset=utf-8' },
      write: () => llmsText({ ...facts, documents: LINKED }),
    },
  ];
};
