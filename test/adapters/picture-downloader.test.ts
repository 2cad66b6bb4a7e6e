/** Downloads from real https servers on this machine, which only the test allows. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createPictureDownloader } from '../../src/adapters/picture-downloader.ts';
import type { PublicHttpsParts } from '../../src/adapters/public-https.ts';
import type { Download } from '../../src/ports.ts';
import { certificateFor } from '../support/stand-ins/certificate.ts';

const HOST = 'pictures.example';
const { key, cert } = certificateFor(HOST);

let server: Server | null = null;
afterEach(async () => {
  const open = server;
  server = null;
  open?.closeAllConnections();
  open?.close();
  if (open !== null) await once(open, 'close');
});

const serve = async (listener: RequestListener): Promise<string> => {
  server = createServer({ key, cert }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://${HOST}:${(server.address() as AddressInfo).port}`;
};

const download = (url: string, parts: Partial<PublicHttpsParts> = {}): Promise<Download> =>
  createPictureDownloader({
    ...{ resolve: () => Promise.resolve(['127.0.0.1']), isAllowed: () => true, ca: cert, ...parts },
  }).download(url);

test('the bytes of an address are returned, over redirects', async () => {
  const origin = await serve(({ url }, response) => {
    if (url === '/picture') response.end('bytes');
    else response.writeHead(302, { location: '/picture' }).end();
  });
  expect(await download(`${origin}/moved`)).toEqual({ bytes: Buffer.from('bytes') });
});

test('a redirect to a private address, to http or in a circle is refused', async () => {
  const targets: Record<string, string> = {
    '/a': 'https://127.0.0.1/',
    '/b': 'http://pictures.example/',
    '/c': '/c',
  };
  const origin = await serve(({ url = '' }, response) => {
    response.writeHead(302, { location: targets[url] ?? '/' }).end();
  });
  const publicName: Partial<PublicHttpsParts> = {
    resolve: () => Promise.resolve(['::ffff:127.0.0.1']),
    isAllowed: (address) => address !== '127.0.0.1',
  };
  expect(await download(`${origin}/a`, publicName)).toEqual({ reason: 'not a public address' });
  expect(await download(`${origin}/b`)).toEqual({ reason: 'not an https address' });
  expect(await download(`${origin}/c`)).toEqual({ reason: 'more than 5 redirects' });
});

test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.8/', 'https://169.254.169.254/latest'])(
  '%s is refused without a connection',
  async (url) => {
    expect(await createPictureDownloader().download(url)).toEqual({ reason: 'not a public address' });
  },
);

test('a name that resolves to a private address is refused', async () => {
  expect(
    await createPictureDownloader({ resolve: () => Promise.resolve(['192.168.0.1']) }).download(
      'https://pictures.example/',
    ),
  ).toEqual({ reason: 'not a public address' });
});

test('an answer of more than 10 MB, a broken one, one that is late and an error are reasons', async () => {
  const origin = await serve(({ url }, response) => {
    if (url === '/large') response.end(Buffer.alloc(10_000_001));
    else if (url === '/broken') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x', () => response.destroy());
    } else if (url === '/missing') response.writeHead(404).end();
  });
  expect(await download(`${origin}/large`)).toEqual({ reason: 'more than 10 MB' });
  expect(await download(`${origin}/missing`)).toEqual({ reason: 'answered 404' });
  expect(await download(`${origin}/broken`)).toEqual({ reason: 'no connection (ECONNRESET)' });
  expect(await download(`${origin}/late`, { timeLimitMs: 300 })).toEqual({
    reason: 'no answer within 0.3 s',
  });
});
