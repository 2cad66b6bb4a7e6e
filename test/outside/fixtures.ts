/**
 * The tools that the conformance suites ask for by name, as far as a server that answers each message at once can have
 * them, mounted on the dispatcher that serves the production tools.
 */
import { createToolServer, type MountedTool, type ToolServer } from '../../src/doors/mcp/server.ts';

type Json = Readonly<Record<string, unknown>>;

/** Takes no arguments. */
const NOTHING: Json = { type: 'object', properties: {}, additionalProperties: false };

const tool = (name: string, description: string, result: Json, inputSchema = NOTHING): MountedTool => ({
  listing: { name, description, inputSchema },
  call: () => Promise.resolve(JSON.stringify(result)),
});

const text = (words: string): Json => ({ type: 'text', text: words });

/** One red dot. */
const IMAGE: Json = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
};

/** A WAV header before no sound. */
const AUDIO: Json = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
};

const resource = (uri: string, mimeType: string, words: string): Json => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

/** Words of a newer draft of JSON Schema, which must come through the list as they are. */
const NEWER_SCHEMA: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const FIXTURES: readonly MountedTool[] = [
  tool('test_simple_text', 'Some words', { content: [text('This is a simple text response for testing.')] }),
  tool('test_image_content', 'A picture', { content: [IMAGE] }),
  tool('test_audio_content', 'A sound', { content: [AUDIO] }),
  tool('test_embedded_resource', 'A document', {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  tool('test_multiple_content_types', 'Words, a picture and a document', {
    content: [
      text('Multiple content types test:'),
      IMAGE,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  tool('test_error_handling', 'Always refuses', {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  tool(
    'json_schema_2020_12_tool',
    'Arguments described in JSON Schema 2020-12',
    { content: [text('Read.')] },
    NEWER_SCHEMA,
  ),
];

export const fixtureServer = (): ToolServer =>
  createToolServer({
    tools: FIXTURES,
    info: { name: 'fixtures', title: 'Fixtures', version: '1.0.0' },
    instructions: 'Tools for conformance suites.',
  });
