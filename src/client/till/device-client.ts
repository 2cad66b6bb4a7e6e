/** What a paired device asks the server, by its token. */
import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { EndpointOf } from '../../service/contract/endpoints.ts';
import { call } from '../client.ts';

export type Pulled = ReplyOf<EndpointOf<'pullChanges'>>;
type PullBody = BodyOf<EndpointOf<'pullChanges'>>;
type Replayed = ReplyOf<EndpointOf<'replayEvents'>>;
type ReplayBody = BodyOf<EndpointOf<'replayEvents'>>;

export interface DeviceClientOptions {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** That pairing gave the device. */
  readonly token: string;
}

export interface DeviceClient {
  /** `POST /sync/pull`. */
  readonly pull: (body: PullBody, signal?: AbortSignal) => Promise<Pulled>;
  /** `POST /sync/replay`: what became of each event, in their order. */
  readonly replay: (body: ReplayBody, signal?: AbortSignal) => Promise<Replayed>;
}

/** Methods reject with ApiError when the service refuses, and as `fetch` does when it cannot be reached. */
export const createDeviceClient = ({ token, ...server }: DeviceClientOptions): DeviceClient => {
  const options = { ...server, headers: { Authorization: `Bearer ${token}` } };
  const post = async (path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    const parts = { body, ...(signal === undefined ? {} : { signal }) };
    return (await call(options, { method: 'POST', path }, parts)).body;
  };
  return {
    pull: async (body, signal) => (await post('/sync/pull', body, signal)) as Pulled,
    replay: async (body, signal) => (await post('/sync/replay', body, signal)) as Replayed,
  };
};
