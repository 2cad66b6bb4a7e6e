/** A client of the tool server: one POST, one answer. */
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { ShopMenu } from '../../../src/menu/contract/tools.ts';
import { PROTOCOL_VERSIONS, tools, type ToolName } from '../../../src/service/contract/tools.ts';
import { SLUG } from '../shops/cafe.ts';
import { checkMessage } from './mcp-schemas.ts';
import type { World } from './world.ts';
import type { Reply } from './http-client.ts';

/** Headers that the transport requires. */
export const CLIENT_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

const isMessage = (body: unknown): boolean => typeof body === 'object' && body !== null && 'jsonrpc' in body;

const methodOf = (body: string | Buffer): string => {
  try {
    const message: unknown = JSON.parse(body.toString().replace(/^\ufeff/, ''));
    return typeof message === 'object' && message !== null && 'method' in message
      ? String(message.method)
      : 'none';
  } catch {
    return 'none';
  }
};

/** One POST; a JSON-RPC answer is checked against the protocol's schema of each revision. */
export const postMcp = async (
  world: World,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  address = '/mcp',
): Promise<Reply> => {
  const reply = await world.send('POST', address, { ...CLIENT_HEADERS, ...headers }, body);
  if (isMessage(reply.body))
    for (const revision of PROTOCOL_VERSIONS) checkMessage(revision, methodOf(body), reply.body);
  return reply;
};

interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One JSON-RPC request. Throws unless the status is 200 or 400. */
export const rpc = async (
  world: World,
  method: string,
  params?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer & { readonly status: number }> => {
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    ...(params === undefined ? {} : { params }),
  });
  const { status, body, text } = await postMcp(world, message, headers);
  if (status !== 200 && status !== 400) throw new Error(`${method} answered ${status}: ${text}`);
  return { ...(body as RpcAnswer), status };
};

export interface ToolAnswer {
  /** For a model. */
  readonly text: string;
  /** For a program; undefined in a refusal. */
  readonly structured: unknown;
  readonly isError: boolean;
}

interface CallResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export const callTool = async (world: World, name: ToolName, args: object = {}): Promise<ToolAnswer> => {
  const { result, error } = await rpc(world, 'tools/call', { name, arguments: args });
  if (error !== undefined) throw new Error(`${name} answered an error: ${error.code} ${error.message}`);
  const { content, structuredContent, isError } = result as CallResult;
  return {
    text: content.map((block) => block.text).join('\n'),
    structured: structuredContent,
    isError: isError === true,
  };
};

/** The text of a tool's refusal. */
export const toolRefusal = async (world: World, name: ToolName, args: object = {}): Promise<string> => {
  const { text, isError, structured } = await callTool(world, name, args);
  if (!isError || structured !== undefined) throw new Error(`${name} was not refused: ${text.slice(0, 500)}`);
  return text;
};

export interface MenuAnswer {
  readonly text: string;
  readonly lines: readonly string[];
  readonly menu: ShopMenu;
}

/** The answer of get_menu, checked against its declared shape. */
export const getMenu = async (world: World, args: object = {}): Promise<MenuAnswer> => {
  const { text, structured, isError } = await callTool(world, 'get_menu', { shop: SLUG, ...args });
  expect(isError, text).toBe(false);
  const shape = tools.get_menu.result;
  if (!Value.Check(shape, structured)) throw new Error(JSON.stringify(Value.Errors(shape, structured)));
  return { text, lines: text.split('\n'), menu: structured };
};
