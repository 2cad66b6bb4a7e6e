/** One HTTP server per test, and clients that connect from different addresses of this machine. */
import type { Socket } from 'node:net';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import Type from 'typebox';
import { onTestFinished } from 'vitest';
import { endpoint } from '../../../src/platform/contract/endpoint.ts';
import { endpoints } from '../../../src/service/contract/endpoints.ts';
import { openHttpServer, ORG, type HttpFixture } from './http-server.ts';
import { readUntilClose, openSocket, postText, sendAll } from './raw-sockets.ts';

export const echo = endpoint({
  ...{ id: 'echo', method: 'POST', path: '/public/echo', tag: 'Test', summary: 'Echo' },
  ...{ params: {}, query: {}, body: Type.Object({}), reply: Type.Object({}), refusals: [] },
  ...{ cache: 'no-store', limit: 'writes', examples: {} },
});

export const [ATTACKER, OTHER_ATTACKER, GUEST] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
export const BODY = JSON.stringify({ say: 'hello' });

/** The server of the current test. */
export let server: HttpFixture;
const sockets: Socket[] = [];

export const openServer = async (
  options: Parameters<typeof openHttpServer>[1] = {},
  gate?: Promise<void>,
  handlers: Parameters<typeof openHttpServer>[0] = {},
): Promise<void> => {
  const opened = await openHttpServer(
    {
      ...handlers,
      echo: () => Promise.resolve({}),
      getBrand: async () => {
        await gate;
        return { body: {}, orgId: ORG, scopes: [], version: 1, validUntil: 0 };
      },
    },
    { endpoints: { ...endpoints, echo }, limitScale: 100, ...options },
  );
  server = opened;
  onTestFinished(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await opened.close();
  });
};

export const connectFrom = async (address: string): Promise<Socket> => {
  const socket = await openSocket(server.port, { from: address });
  sockets.push(socket);
  return socket;
};
export const connectMany = (count: number, address: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => connectFrom(address)));

export const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await server.metrics.text())?.[1]);
export const gaugeReaches = async (name: string, value: number): Promise<void> => {
  while ((await gauge(name)) !== value) await eventLoopTurn();
};

/** The status of one complete request from this address. */
export const statusFrom = async (address: string, text = postText('/public/echo', BODY)): Promise<number> => {
  const socket = await connectFrom(address);
  const answer = readUntilClose(socket);
  await sendAll(socket, text.replace('\r\n', '\r\nConnection: close\r\n'));
  return Number((await answer).split(' ')[1]);
};

export const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
export const BRAND = 'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\n\r\n';
