/**
 * Stateless dispatcher of the tool server: one message in, at most one answer out
 * (Behaviour, Tool server endpoint; Decisions 14). HTTP-level refusals happen before it.
 *
 *     const server = createToolServer({ tools: mountTools(app), info, instructions });
 *     const version = request.headers['mcp-protocol-version'];
 *     const { status, body } = await server.answer(readJson(bytes, limits), version, context);
 */
import type { MessageContext, ReadJson } from '../../platform/app/answer.ts';
import { PROTOCOL_VERSIONS, type ToolListing } from '../../service/contract/tools.ts';
import { isFields, readMessage, RPC_CODES, RpcError, type Fields, type RpcRequest } from './message.ts';
import { shown } from './text.ts';

export interface MountedTool {
  readonly listing: ToolListing;
  /** JSON text of the result; refusals are results too (`isError`). */
  call(args: Fields, context: MessageContext): Promise<Buffer | string>;
}

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

export interface ToolServerOptions {
  /** In the order of `tools/list`. */
  readonly tools: readonly MountedTool[];
  readonly info: ServerInfo;
  readonly instructions: string;
}

export interface MessageAnswer {
  readonly status: 200 | 202 | 400;
  /** Null with status 202. */
  readonly body: Buffer | null;
}

export interface ToolServer {
  /** `version`: the header `MCP-Protocol-Version`. Rejects for internal errors only. */
  answer(message: ReadJson, version: string | undefined, context: MessageContext): Promise<MessageAnswer>;
}

export const CAPABILITIES = { tools: { listChanged: false } } as const;

const [DEFAULT_VERSION] = PROTOCOL_VERSIONS;
const isSupported = (version: string): boolean => PROTOCOL_VERSIONS.some((spoken) => spoken === version);

const invalidParams = (problem: string): RpcError => new RpcError(RPC_CODES.invalidParams, problem);

type Method = (params: Fields, context: MessageContext) => Buffer | string | Promise<Buffer | string>;

const initialize =
  ({ info, instructions }: ToolServerOptions): Method =>
  ({ protocolVersion }) => {
    if (typeof protocolVersion !== 'string') throw invalidParams('protocolVersion must be a string.');
    return JSON.stringify({
      protocolVersion: isSupported(protocolVersion) ? protocolVersion : DEFAULT_VERSION,
      capabilities: CAPABILITIES,
      serverInfo: info,
      instructions,
    });
  };

const listTools = ({ tools }: ToolServerOptions): Method => {
  const list = JSON.stringify({ tools: tools.map((tool) => tool.listing) });
  return ({ cursor }) => {
    if (cursor !== undefined) throw invalidParams('There is one page of tools: leave cursor out.');
    return list;
  };
};

const callTool = ({ tools }: ToolServerOptions): Method => {
  const byName = new Map(tools.map((tool) => [tool.listing.name, tool]));
  const names = [...byName.keys()].join(', ');
  return ({ name, arguments: args = {} }, context) => {
    if (typeof name !== 'string') throw invalidParams(`name must be one of ${names}.`);
    const tool = byName.get(name);
    if (tool === undefined) throw invalidParams(`There is no tool ${shown(name)}; there are ${names}.`);
    if (!isFields(args)) throw invalidParams('arguments must be an object.');
    return tool.call(args, context);
  };
};

const methodsOf = (options: ToolServerOptions): ReadonlyMap<string, Method> =>
  new Map<string, Method>([
    ['initialize', initialize(options)],
    ['ping', () => '{}'],
    ['tools/list', listTools(options)],
    ['tools/call', callTool(options)],
  ]);

const envelope = (id: RpcRequest['id'] | null, kind: 'result' | 'error', value: Buffer | string): Buffer => {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${kind}":`;
  return typeof value === 'string'
    ? Buffer.from(`${head}${value}}`)
    : Buffer.concat([Buffer.from(head), value, Buffer.from('}')]);
};

const refused = ({ code, message, id }: RpcError): MessageAnswer => ({
  status: code === RPC_CODES.parse || code === RPC_CODES.invalidRequest ? 400 : 200,
  body: envelope(id, 'error', JSON.stringify({ code, message })),
});

/** Every message except `initialize` must name a supported version, if any (Decisions 14). */
const assertSupported = (version: string | undefined, request: RpcRequest | null): void => {
  if (version === undefined || isSupported(version) || request?.method === 'initialize') return;
  throw new RpcError(
    RPC_CODES.invalidRequest,
    `MCP-Protocol-Version ${shown(version)} is not spoken here; ${PROTOCOL_VERSIONS.join(', ')} are.`,
    request?.id ?? null,
  );
};

export const createToolServer = (options: ToolServerOptions): ToolServer => {
  const methods = methodsOf(options);

  const run = async ({ id, method, params = {} }: RpcRequest, context: MessageContext): Promise<Buffer> => {
    const answer = methods.get(method);
    if (answer === undefined)
      throw new RpcError(
        RPC_CODES.unknownMethod,
        `There is no method ${shown(method)}; there are ${[...methods.keys()].join(', ')}.`,
      );
    if (!isFields(params)) throw invalidParams('params must be an object.');
    return envelope(id, 'result', await answer(params, context));
  };

  return {
    answer: async (message, version, context) => {
      let request: RpcRequest | null = null;
      try {
        request = readMessage(message);
        assertSupported(version, request);
        if (request === null) return { status: 202, body: null };
        return { status: 200, body: await run(request, context) };
      } catch (thrown) {
        if (!(thrown instanceof RpcError)) throw thrown;
        return refused(new RpcError(thrown.code, thrown.message, thrown.id ?? request?.id ?? null));
      }
    },
  };
};
