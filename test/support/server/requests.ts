/**
 * JSON requests to a world, and what their answers must be: a success (`done`, `postOk`) or a refusal (`refusalOf`).
 */
import type { ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { ErrorBody } from '../../../src/platform/contract/error.ts';
import type { EndpointOf, OperationId, StaffOperationId } from '../../../src/service/contract/endpoints.ts';
import type { Reply } from './http-client.ts';
import type { World } from './world.ts';

type Headers = Readonly<Record<string, string>>;

export const JSON_BODY = { 'content-type': 'application/json' };

/** A POST of `body`: a string is sent as it is, anything else as JSON. */
export const post = (world: World, address: string, body: unknown, headers: Headers = {}): Promise<Reply> => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return world.send('POST', address, { ...JSON_BODY, ...headers }, text);
};

/** The body of a 200 or 201, typed by the operation's id. Throws otherwise. */
export const done = <Id extends OperationId | StaffOperationId>(
  _: Id,
  { status, body, text }: Reply,
): ReplyOf<EndpointOf<Id>> => {
  if (status !== 200 && status !== 201) throw new Error(`answered ${status}: ${text}`);
  // The shape was checked against the document.
  return body as ReplyOf<EndpointOf<Id>>;
};

/** The body of a POST that must answer 200. Throws otherwise. */
export const postOk = async (
  world: World,
  headers: Headers,
  address: string,
  body: unknown,
): Promise<unknown> => {
  const reply = await post(world, address, body, headers);
  if (reply.status !== 200) throw new Error(`${address} answered ${reply.status}: ${reply.text}`);
  return reply.body;
};

/** The error body of a refusal, with its status. Throws below 400. */
export const refusalOf = ({ status, body, text }: Reply): ErrorBody & { readonly status: number } => {
  if (status < 400) throw new Error(`not refused: ${status} ${text.slice(0, 500)}`);
  // The shape was checked against the document.
  return { ...(body as ErrorBody), status };
};
