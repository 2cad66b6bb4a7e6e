/** The protocol's schemas accept valid messages and reject invalid ones. */
import { expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/service/contract/tools.ts';
import { checkMessage, checkServerCard } from '../support/server/mcp-schemas.ts';

const answer = (result: unknown, id: unknown = 1): object => ({ jsonrpc: '2.0', id, result });
const error = (code: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: 'No.' },
});

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: false } },
  serverInfo: { name: 'ahwa', title: 'Ahwa', version: '1' },
  instructions: 'Read.',
};
const TOOL = { name: 'get_shop', description: 'A shop', inputSchema: { type: 'object' } };
const CALLED = { content: [{ type: 'text', text: 'A shop' }], structuredContent: { name: 'A shop' } };

test.each(PROTOCOL_VERSIONS)('the schemas of %s accept valid answers', (revision) => {
  checkMessage(revision, 'initialize', answer(INITIALIZED));
  checkMessage(revision, 'ping', answer({}, 'a'));
  checkMessage(revision, 'tools/list', answer({ tools: [TOOL] }));
  checkMessage(revision, 'tools/call', answer(CALLED));
  checkMessage(revision, 'tools/call', answer({ ...CALLED, isError: true }));
  checkMessage(revision, 'anything', error(-32601));
  checkMessage(revision, 'anything', error(-32700, null));
});

test.each(PROTOCOL_VERSIONS)('the schemas of %s reject invalid answers', (revision) => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['initialize', answer({ ...INITIALIZED, protocolVersion: 20250618 })],
    ['initialize', answer({ ...INITIALIZED, serverInfo: { name: 'ahwa' } })],
    ['ping', answer([])],
    ['ping', answer({}, null)],
    ['ping', { id: 1, result: {} }],
    ['ping', undefined],
    ['tools/list', answer({ tools: [{ ...TOOL, inputSchema: { type: 'string' } }] })],
    ['tools/list', answer({ tools: { get_shop: TOOL } })],
    ['tools/call', answer({ structuredContent: {} })],
    ['tools/call', answer({ content: [{ type: 'text' }] })],
    ['resources/list', answer({})],
    ['anything', error('-32601')],
    ['anything', { ...error(-32601), result: {} }],
  ];
  for (const [method, message] of wrong)
    expect(() => checkMessage(revision, method, message), `${method} ${JSON.stringify(message)}`).toThrow();
});

test('the public schema rejects an invalid server card', () => {
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'example.ahwa/ahwa',
    version: '1.0.0',
    description: 'Shops',
  };
  checkServerCard(card);
  expect(() => checkServerCard({ ...card, name: 'ahwa' })).toThrow('/name');
  expect(() => checkServerCard({ ...card, $schema: undefined })).toThrow('$schema');
});
