/** A body that is not read to its end: its connection closes with the response. */
import type { Socket } from 'node:net';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endpoint } from '../../src/platform/contract/endpoint.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { openHttpServer, ORG } from '../support/server/http-server.ts';
import type { HttpFixture } from '../support/server/http-server.ts';
import {
  readUntilClose,
  oneByteChunks,
  openSocket,
  postText,
  sendAll,
} from '../support/server/raw-sockets.ts';

const echo = endpoint({
  ...{ id: 'echo', method: 'POST', path: '/public/echo', tag: 'Test', summary: 'Echo' },
  ...{ params: {}, query: {}, body: Type.Object({}), reply: Type.Object({}), refusals: [] },
  ...{ cache: 'no-store', limit: 'writes', examples: {} },
});

const BRAND = '/public/orgs/brand?slug=x';
const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;

let doors: HttpFixture;
let socket: Socket;
let open: () => void;
let echoed: number;

beforeEach(async () => {
  const gate = new Promise<void>((resolve) => (open = resolve));
  echoed = 0;
  doors = await openHttpServer(
    {
      echo: () => Promise.resolve({ echoed: (echoed += 1) }),
      getLinks: () => Promise.resolve({ body: {}, orgId: ORG, scopes: [], version: 1, validUntil: null }),
      getBrand: async () => {
        await gate;
        return { body: {}, orgId: ORG, scopes: [], version: 1, validUntil: 0 };
      },
    },
    { endpoints: { ...endpoints, echo }, limitScale: 0.05 },
  );
  socket = await openSocket(doors.port);
});
afterEach(async () => {
  open();
  socket.destroy();
  await doors.close();
});

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);

/** The response to these bytes, until the server closes the connection. */
const answersTo = async (...texts: readonly string[]): Promise<string> => {
  const all = readUntilClose(socket);
  for (const text of texts) await sendAll(socket, text);
  return all;
};

describe('an answer sent before the end of its body closes the connection', () => {
  const ready = '/public/orgs/links?slug=x';
  test.each([
    ['at an address that is none', 'POST /nope', '404'],
    ['with a method that is none there', `DELETE ${BRAND}`, '405'],
    ['with a GET that is ready', `GET ${ready}`, '200'],
    ['with a HEAD that is ready', `HEAD ${ready}`, '200'],
    ['with a look at the health', 'GET /health', '200'],
    ['of another type than JSON', 'POST /public/echo', '415'],
    ['to the tool server, of another type', 'POST /mcp', '415'],
  ])('%s', async (_, line, status) => {
    await doors.raw(ready);
    const text = await answersTo(oneByteChunks(line, 5_000));
    expect(statuses(text)).toEqual([status]);
    expect(text).toContain('\r\nConnection: close\r\n');
  });

  test('over the rate limit', async () => {
    for (let n = 0; n < 100; n += 1) await doors.raw('/nope');
    const text = await answersTo(oneByteChunks('POST /public/echo', 5_000));
    expect(statuses(text)).toEqual(['429']);
    expect(text).toContain('\r\nConnection: close\r\n');
  });

  test('with a Content-Length', async () => {
    expect(statuses(await answersTo(get('/health', 'Content-Length: 5\r\n')))).toEqual(['200']);
  });

  test('a request behind it on the connection is not executed', async () => {
    const text = await answersTo(
      `POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}${postText('/public/echo', '{}')}`,
    );
    expect([statuses(text), echoed]).toEqual([['404'], 0]);
  });
});

test('a client that sends a far too large body receives the whole refusal', async () => {
  const body = ' '.repeat(900_000);
  const text = await answersTo(postText('/public/echo', body, 100_000), body.slice(100_000));
  expect(text).toMatch(/^HTTP\/1\.1 413 [^]*too large[^]*\}$/);
});

test('a client that sends an endless body is cut off', async () => {
  const sender = await openSocket(doors.port, { allowHalfOpen: true });
  const closed = new Promise((resolve) => sender.once('close', resolve));
  const send = (): void => {
    if (!sender.destroyed && sender.bytesWritten < 1e8) sender.write(' '.repeat(64 * 1024), send);
  };
  sender.resume();
  sender.write(postText('/nope', '{}', 0).replace('Length: 2', `Length: 1000000000`), send);
  await closed;
  expect(sender.bytesWritten).toBeLessThan(32 * 1024 * 1024);
});

describe('a malformed request behind valid ones', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    ['a tunnel', 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', '405'],
  ])('%s is refused after the requests before it are answered', async (_, rest, status) => {
    const text = answersTo(get(BRAND) + get('/health') + rest);
    open();
    expect(statuses(await text)).toEqual(['200', '200', status]);
  });

  test('a request after `Connection: close` is not answered', async () => {
    const text = answersTo(get(BRAND) + get('/health', 'Connection: close\r\n') + get('/health'));
    open();
    expect(statuses(await text)).toEqual(['200', '200']);
  });

  test('a write under way gets its own answer before a later refusal', async () => {
    const text = await answersTo(`${postText('/public/echo', '{}')}nonsense\r\n\r\n`);
    expect([statuses(text), echoed]).toEqual([['200', '400'], 1]);
  });

  test('a malformed body is refused after the request before it is answered', async () => {
    const broken = oneByteChunks('POST /public/echo', 2).replace(
      '\r\n',
      '\r\nContent-Type: application/json\r\n',
    );
    const text = answersTo(`${get(BRAND)}${broken}nonsense\r\n`);
    open();
    expect(statuses(await text)).toEqual(['200', '400']);
    expect(echoed).toBe(0);
  });
});
