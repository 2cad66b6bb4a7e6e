/** The tool server as a client meets it: one POST, one answer, over HTTP. */
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { PROTOCOL_VERSIONS, tools, type ShopMenu, type ToolName } from '../../src/service/contract/tools.ts';
import { SLUG } from './cafe.ts';
import { checkMessage } from './mcp-schemas.ts';
import type { Reply, World } from './world.ts';

/** What every client of the transport sends. */
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

/** One POST of these bytes; an answer of the message layer is checked against the protocol's schema of each revision. */
export const post = async (
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

/** One request; its answer, which must be JSON under 200 or 400. */
export const request = async (
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
  const { status, body, text } = await post(world, message, headers);
  if (status !== 200 && status !== 400) throw new Error(`${method} answered ${status}: ${text}`);
  return { ...(body as RpcAnswer), status };
};

export interface ToolAnswer {
  /** What a model reads. */
  readonly text: string;
  /** What a program reads; undefined in a refusal. */
  readonly structured: unknown;
  readonly isError: boolean;
}

interface CallResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** What a tool answers to these arguments. */
export const ask = async (world: World, name: ToolName, args: object = {}): Promise<ToolAnswer> => {
  const { result, error } = await request(world, 'tools/call', { name, arguments: args });
  if (error !== undefined) throw new Error(`${name} answered an error: ${error.code} ${error.message}`);
  const { content, structuredContent, isError } = result as CallResult;
  return {
    text: content.map((block) => block.text).join('\n'),
    structured: structuredContent,
    isError: isError === true,
  };
};

/** The text of a tool's refusal. */
export const refusalOf = async (world: World, name: ToolName, args: object = {}): Promise<string> => {
  const { text, isError, structured } = await ask(world, name, args);
  if (!isError || structured !== undefined) throw new Error(`${name} was not refused: ${text.slice(0, 500)}`);
  return text;
};

export interface ToldMenu {
  readonly text: string;
  readonly lines: readonly string[];
  readonly menu: ShopMenu;
}

/** get_menu's answer, which is one of its declared shape. */
export const toldMenu = async (world: World, args: object = {}): Promise<ToldMenu> => {
  const { text, structured, isError } = await ask(world, 'get_menu', { shop: SLUG, ...args });
  expect(isError, text).toBe(false);
  const shape = tools.get_menu.result;
  if (!Value.Check(shape, structured)) throw new Error(JSON.stringify(Value.Errors(shape, structured)));
  return { text, lines: text.split('\n'), menu: structured };
};
