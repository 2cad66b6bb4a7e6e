/** An SMS gateway with a plain HTTP API: it keeps what it is asked, and answers as it is told. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openStandIn } from './stand-in.ts';

export interface SmsRequest {
  readonly method: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SmsGateway {
  readonly url: string;
  readonly requests: SmsRequest[];
  /** Null: 200. */
  instead: ((response: ServerResponse) => void) | null;
  stop(): Promise<void>;
}

export const openSmsGateway = async (): Promise<SmsGateway> => {
  const { port, stop } = await openStandIn((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: address = '', headers } = request;
      gateway.requests.push({ method, address, headers, body });
      if (gateway.instead === null) response.end('OK');
      else gateway.instead(response);
    });
  });
  const gateway: SmsGateway = {
    ...{ url: `http://127.0.0.1:${port}/messages`, requests: [], instead: null, stop },
  };
  return gateway;
};

export const answering =
  (status: number, headers = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end();
  };
