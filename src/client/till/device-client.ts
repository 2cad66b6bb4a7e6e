/** What a paired device asks the server, by its token. */
import type { BodyOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { EndpointOf } from '../../service/contract/endpoints.ts';
import { call } from '../client.ts';

export type Pulled = ReplyOf<EndpointOf<'pullChanges'>>;
type PullBody = BodyOf<EndpointOf<'pullChanges'>>;

export interface DeviceClientOptions {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** That pairing gave the device. */
  readonly token: string;
}

export interface DeviceClient {
  /** `POST /sync/pull`. */
  readonly pull: (body: PullBody, signal?: AbortSignal) => Promise<Pulled>;
}

/** Methods reject with ApiError when the service refuses, and as `fetch` does when it cannot be reached. */
export const createDeviceClient = ({ token, ...server }: DeviceClientOptions): DeviceClient => {
  const options = { ...server, headers: { Authorization: `Bearer ${token}` } };
  return {
    pull: async (body, signal) => {
      const operation = { method: 'POST', path: '/sync/pull' };
      const answer = await call(options, operation, { body, ...(signal === undefined ? {} : { signal }) });
      return answer.body as Pulled;
    },
  };
};
