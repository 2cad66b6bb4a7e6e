import Type from 'typebox';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { Text, Word } from '../../platform/contract/scalars.ts';

/** GET / as JSON (Decisions 1). */
export const AboutService = Type.Object({
  name: Text(),
  description: Text(),
  openapi: Text(),
  mcp: Text({ description: 'The tool server for AI assistants.' }),
  docs: Text(),
  contact: Text(),
});

export const about = endpoint({
  id: 'about',
  method: 'GET',
  path: '/',
  tag: 'Service',
  summary: 'What this service is and where its documents are',
  params: {},
  query: {},
  reply: AboutService,
  refusals: [],
  cache: { maxAge: 3600 },
  limit: 'general',
  examples: {
    'the service': {
      reply: {
        name: 'Ahwa',
        description: 'Menus, branches, booking times and order status of cafés and restaurants.',
        openapi: 'https://ahwa.example/openapi.json',
        mcp: 'https://ahwa.example/mcp',
        docs: 'https://ahwa.example/docs',
        contact: 'hello@ahwa.example',
      },
    },
  },
});

export const openapi = endpoint({
  id: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'This description, as OpenAPI 3.1',
  params: {},
  query: {},
  reply: Type.Object({ openapi: Text() }),
  refusals: [],
  cache: { maxAge: 3600 },
  limit: 'general',
  examples: {},
});

export const health = endpoint({
  id: 'health',
  method: 'GET',
  path: '/health',
  tag: 'Service',
  summary: 'Whether the process is up',
  params: {},
  query: {},
  reply: Type.Object({ status: Word(['up']) }),
  refusals: [],
  cache: 'no-store',
  limit: 'none',
  examples: { up: { reply: { status: 'up' } } },
});

export const ready = endpoint({
  id: 'ready',
  method: 'GET',
  path: '/ready',
  tag: 'Service',
  summary:
    'Whether requests will be answered: the database answers, takes writes and is migrated, and its disk has room',
  params: {},
  query: {},
  reply: Type.Object({
    status: Word(['ready']),
    sending: Type.Optional(
      Word(['off'], {
        description: 'There while no message, code or event leaves, as on a restored copy; else left out.',
      }),
    ),
  }),
  refusals: ['UNAVAILABLE'],
  cache: 'no-store',
  limit: 'none',
  examples: {
    ready: { reply: { status: 'ready' } },
    'ready, and silent': { reply: { status: 'ready', sending: 'off' } },
  },
});
