/** Doors that are opened for each test anew, and clients that come to them from addresses of their own. */
import type { Socket } from 'node:net';
import { setImmediate as aTurn } from 'node:timers/promises';
import Type from 'typebox';
import { afterEach } from 'vitest';
import { endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/index.ts';
import { openDoors, ORG, type Doors } from './doors.ts';
import { heardUntilClose, openSocket, post, sendAll } from './sockets.ts';

export const echo = endpoint({
  ...{ id: 'echo', method: 'POST', path: '/public/echo', tag: 'Test', summary: 'Echo' },
  ...{ params: {}, query: {}, body: Type.Object({}), reply: Type.Object({}), refusals: [] },
  ...{ cache: 'no-store', limit: 'writes', examples: {} },
});

export const [STRANGER, ANOTHER, GUEST] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
export const BODY = JSON.stringify({ say: 'hello' });

/** Those of the test that runs. */
export let doors: Doors;
const sockets: Socket[] = [];

export const openWith = async (
  options: Parameters<typeof openDoors>[1] = {},
  gate?: Promise<void>,
  handlers: Parameters<typeof openDoors>[0] = {},
): Promise<void> => {
  doors = await openDoors(
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
};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await doors.close();
});

export const from = async (address: string): Promise<Socket> => {
  const socket = await openSocket(doors.port, { from: address });
  sockets.push(socket);
  return socket;
};
export const many = (count: number, address: string): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => from(address)));

export const gauge = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await doors.metrics.text())?.[1]);
export const reads = async (name: string, value: number): Promise<void> => {
  while ((await gauge(name)) !== value) await aTurn();
};

/** The status of a whole request from this address. */
export const statusFrom = async (address: string, text = post('/public/echo', BODY)): Promise<number> => {
  const socket = await from(address);
  const answer = heardUntilClose(socket);
  await sendAll(socket, text.replace('\r\n', '\r\nConnection: close\r\n'));
  return Number((await answer).split(' ')[1]);
};

export const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
export const BRAND = 'GET /public/orgs/brand?slug=x HTTP/1.1\r\nHost: localhost\r\n\r\n';
