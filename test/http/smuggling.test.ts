/** Request smuggling: a request that two programs could end at different bytes is refused. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpServer, type HttpFixture } from '../support/server/http-server.ts';

let doors: HttpFixture;
beforeAll(async () => {
  doors = await openHttpServer();
});
afterAll(() => doors.close());

/** The status lines of the whole response to these bytes. */
const statuses = (bytes: string): Promise<string[]> =>
  new Promise((resolve) => {
    const socket = connect(doors.port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () =>
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)),
    );
  });

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (lines: string, body: string): string =>
  `POST /mcp HTTP/1.1\r\nHost: ahwa.example\r\nContent-Type: application/json\r\n${lines}\r\n\r\n${body}`;

test.each([
  ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`)],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 44', `0\r\n\r\n${HIDDEN}`)],
  ['chunks that are not the last coding', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${HIDDEN}`)],
  ['chunks with a blank before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${HIDDEN}`)],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 44', `{}${HIDDEN}`)],
  ['a length with a sign', post('Content-Length: +2', `{}${HIDDEN}`)],
  ['a folded header', post('Content-Length: 2\r\nX-A: b\r\n c', `{}${HIDDEN}`)],
  [
    'a bare line feed',
    post('Content-Length: 2', `{}${HIDDEN}`).replace('Host: ahwa.example\r\n', 'Host: ahwa.example\n'),
  ],
  ['a chunk whose size is none', post('Transfer-Encoding: chunked', `0x2\r\n{}\r\n0\r\n\r\n${HIDDEN}`)],
])('%s is refused with one 400, and no further request is read', async (_, bytes) => {
  expect(await statuses(bytes)).toEqual(['400']);
});
