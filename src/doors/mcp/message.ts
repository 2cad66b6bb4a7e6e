/** (Decisions 14) */
import type { ReadJson } from '../../platform/app/answer.ts';

/** None is in the range that newer revisions of the protocol reserve. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
} as const;
export type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES];

export type RpcId = string | number;

/** `id` is null when the request has no valid one. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: RpcCode;
  readonly id: RpcId | null;

  constructor(code: RpcCode, message: string, id: RpcId | null = null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** Null: a notification or a response, which gets no answer. */
export type RpcMessage = RpcRequest | null;

const valueOf = (read: ReadJson): unknown => {
  if ('value' in read) return read.value;
  if ('tooLarge' in read) throw new RpcError(RPC_CODES.invalidRequest, `The body ${read.tooLarge.problem}.`);
  throw new RpcError(RPC_CODES.parse, 'The body is not JSON in UTF-8.');
};

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Larger numbers would lose precision. */
const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isSafeInteger(value);

const has = (fields: Fields, name: string): boolean => Object.hasOwn(fields, name);

/** Null when the message is a request, a notification or a response. */
const problemOf = (message: Fields): string | null => {
  if (message['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0".';
  if (has(message, 'id') && !isId(message['id'])) return 'id must be a string or an integer.';
  if (has(message, 'method'))
    return typeof message['method'] === 'string' ? null : 'method must be a string.';
  if (has(message, 'result') || has(message, 'error'))
    return has(message, 'id') ? null : 'A response needs an id.';
  return 'method is required.';
};

/** Throws RpcError: unreadable, too large, an array, no message, or an invalid id. */
export const readMessage = (read: ReadJson): RpcMessage => {
  const message = valueOf(read);
  if (!isFields(message))
    throw new RpcError(
      RPC_CODES.invalidRequest,
      `One message per POST is taken, as an object; this is ${Array.isArray(message) ? 'an array' : 'none'}.`,
    );
  const id = isId(message['id']) ? message['id'] : null;
  const problem = problemOf(message);
  if (problem !== null) throw new RpcError(RPC_CODES.invalidRequest, problem, id);
  const method = message['method'];
  return typeof method === 'string' && id !== null ? { id, method, params: message['params'] } : null;
};
