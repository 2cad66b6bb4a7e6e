/** Apple's push server: HTTP/2 over TLS, the certificate of the pass type as the client's, its checks and reasons. */
import { once } from 'node:events';
import { basename } from 'node:path';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { certificateFor } from './certificate.ts';
import { walletChain } from './wallet-certificates.ts';

/** What every request is answered with; null: as the real server does. */
export interface PushAnswer {
  readonly status: number;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of JSON. */
  readonly text?: string;
}

export interface PushServer {
  readonly url: string;
  /** Its own authority, for the client. */
  readonly ca: string;
  /** Accepted push tokens, in order. */
  readonly pushed: string[];
  /** Tokens of phones that have removed the pass. */
  readonly unregistered: Set<string>;
  /** Tokens whose pushes are not answered. */
  readonly silentTo: Set<string>;
  instead: PushAnswer | 'silence' | null;
  requests: number;
  connections: number;
  stop(): Promise<void>;
}

/** In hexadecimal digits. */
const TOKEN = /^[0-9a-f]{64}$/i;

const refusal = (status: number, reason: string): PushAnswer => ({ status, reason });

const topicOf = (socket: TLSSocket): unknown => {
  const { subject } = socket.getPeerCertificate() as { subject?: Record<string, unknown> };
  return subject?.['UID'];
};

const answerTo = (
  server: PushServer,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  body: string,
): PushAnswer => {
  const topic = topicOf(stream.session?.socket as TLSSocket);
  if (topic === undefined) return refusal(403, 'BadCertificate');
  if (headers[':method'] !== 'POST') return refusal(405, 'MethodNotAllowed');
  const [, token] = /^\/3\/device\/([^/]+)$/.exec(String(headers[':path'])) ?? [];
  if (token === undefined) return refusal(404, 'BadPath');
  if (headers['apns-topic'] !== topic) return refusal(400, 'TopicDisallowed');
  if (body === '') return refusal(400, 'PayloadEmpty');
  if (body !== '{}') return refusal(400, 'BadMessageBody');
  if (!TOKEN.test(token)) return refusal(400, 'BadDeviceToken');
  if (server.unregistered.has(token)) return refusal(410, 'Unregistered');
  server.pushed.push(token);
  return { status: 200 };
};

const respond = (stream: ServerHttp2Stream, { status, reason, headers, text }: PushAnswer): void => {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, 'apns-id': '00000000-0000-4000-8000-000000000000', ...headers });
  stream.end(text ?? (reason === undefined ? '' : JSON.stringify({ reason })));
};

export const openPushServer = async (): Promise<PushServer> => {
  const { key, cert } = certificateFor('localhost');
  const { root, intermediate } = walletChain();
  const http: Http2SecureServer = createSecureServer({
    ...{ key, cert, requestCert: true, rejectUnauthorized: true },
    ca: [intermediate.certificate, root.certificate],
  });
  const sessions = new Set<Http2Session>();
  http.on('session', (session) => {
    server.connections += 1;
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  http.on('stream', (stream, headers) => {
    let body = '';
    stream.setEncoding('utf8');
    stream.on('error', () => undefined);
    stream.on('data', (chunk: string) => (body += chunk));
    stream.on('end', () => {
      server.requests += 1;
      if (server.instead === 'silence' || server.silentTo.has(basename(String(headers[':path'])))) return;
      respond(stream, server.instead ?? answerTo(server, stream, headers, body));
    });
  });
  http.listen(0, 'localhost');
  await once(http, 'listening');
  const address = http.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const server: PushServer = {
    ...{
      url: `https://localhost:${port}`,
      ca: cert,
      pushed: [],
      unregistered: new Set(),
      silentTo: new Set(),
    },
    ...{ instead: null, requests: 0, connections: 0 },
    stop: async () => {
      const closed = once(http, 'close');
      http.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
  return server;
};
