/** The API of Google Wallet: its token server, loyalty classes and objects, and what it refuses. */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { importSPKI, jwtVerify, type JWTPayload } from 'jose';
import type { WalletTwoSettings } from '../../../src/adapters/wallets/service-account.ts';
import { openStandIn } from './stand-in.ts';
import { fileWith } from './wallet-certificates.ts';

type Resource = Readonly<Record<string, unknown>>;

export interface WalletTwoServer {
  readonly url: string;
  readonly issuer: string;
  readonly email: string;
  readonly settings: WalletTwoSettings;
  readonly classes: Map<string, Resource>;
  readonly objects: Map<string, Resource>;
  /** `POST loyaltyObject`, without ids. */
  readonly calls: string[];
  /** The time of the vendor. */
  now: () => number;
  /** Access tokens given out. */
  tokens: number;
  /** Replaces every answer of the API; null: normal answers. */
  instead: ((response: ServerResponse) => void) | null;
  /** Replaces every answer of the token server. */
  insteadOfTokens: ((response: ServerResponse) => void) | null;
  /** Access tokens given out before are refused. */
  revoke(): void;
  /** A person opens a save link: what it carries and the vendor lacks is made. */
  save(link: string): Promise<void>;
  /** The claims of a save link whose signature is the service account's. Rejects for another. */
  claimsOf(link: string): Promise<JWTPayload & { readonly payload: Readonly<Record<string, Resource[]>> }>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const refuse = (status: number, message: string): never => {
  throw new Refused(status, message);
};

const sendJson = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
};

/** An error of the API. */
export const walletTwoError =
  (status: number, headers = {}) =>
  (response: ServerResponse): void =>
    sendJson(response, status, { error: { code: status, message: 'told to', status: 'X' } }, headers);

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EMAIL = 'wallet@ahwa-example.iam.gserviceaccount.com';
const ISSUER = '3388000000012345678';

const REQUIRED = {
  class: ['id', 'issuerName', 'programName', 'programLogo', 'reviewStatus'],
  object: ['id', 'classId', 'state'],
} as const;

const STATES = ['ACTIVE', 'COMPLETED', 'EXPIRED', 'INACTIVE'];

const asResource = (text: string): Resource => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Resource;
  } catch {
    // Refused below.
  }
  return refuse(400, 'Invalid JSON payload received.');
};

const checkId = (issuer: string, id: unknown): string =>
  typeof id === 'string' && new RegExp(`^${issuer}\\.[\\w.-]{1,200}$`).test(id)
    ? id
    : refuse(400, 'Invalid resource ID.');

const check = (server: WalletTwoServer, kind: 'class' | 'object', resource: Resource): string => {
  for (const field of REQUIRED[kind])
    if (resource[field] === undefined || resource[field] === '') refuse(400, `${field} is required.`);
  const id = checkId(server.issuer, resource['id']);
  if (kind === 'class') {
    const logo = resource['programLogo'] as { sourceUri?: { uri?: unknown } };
    if (!String(logo.sourceUri?.uri).startsWith('https://'))
      refuse(400, 'programLogo must have an https uri.');
    if (!['UNDER_REVIEW', 'DRAFT'].includes(String(resource['reviewStatus'])))
      refuse(400, 'Invalid review status.');
    const places = resource['merchantLocations'];
    if (Array.isArray(places) && places.length > 10) refuse(400, 'At most 10 merchant locations.');
    return id;
  }
  if (!STATES.includes(String(resource['state']))) refuse(400, 'Invalid state.');
  if (!server.classes.has(checkId(server.issuer, resource['classId']))) refuse(404, 'Class not found.');
  return id;
};

const handle = (server: WalletTwoServer, method: string, path: string, text: string): Resource => {
  const [, name, id] = /^\/walletobjects\/v1\/(loyaltyClass|loyaltyObject)(?:\/([^?]+))?/.exec(path) ?? [];
  if (name === undefined) return refuse(404, 'Not found.');
  server.calls.push(`${method} ${name}`);
  const kind = name === 'loyaltyClass' ? 'class' : 'object';
  const stored = kind === 'class' ? server.classes : server.objects;
  if (method === 'GET' && id === undefined) {
    const asked = new URL(path, server.url).searchParams.get('issuerId');
    if (asked !== server.issuer) refuse(403, 'Permission denied.');
    return { resources: [...stored.values()] };
  }
  if (method === 'GET') return stored.get(decodeURIComponent(id ?? '')) ?? refuse(404, 'Resource not found.');
  if (method === 'POST' && id === undefined) {
    const resource = asResource(text);
    const made = check(server, kind, resource);
    if (stored.has(made)) refuse(409, 'An existing resource has this ID.');
    stored.set(made, resource);
    return resource;
  }
  if (method !== 'PATCH' || id === undefined) return refuse(405, 'Method not allowed.');
  const before = stored.get(decodeURIComponent(id)) ?? refuse(404, 'Resource not found.');
  const after = { ...before, ...asResource(text) };
  check(server, kind, after);
  stored.set(decodeURIComponent(id), after);
  return after;
};

export const openWalletTwo = async (): Promise<WalletTwoServer> => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const verifier = await importSPKI(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'RS256');
  let valid = 'token-0';
  const giveToken = async (text: string, tokenUrl: string): Promise<object> => {
    const form = new URLSearchParams(text);
    if (form.get('grant_type') !== GRANT) refuse(400, 'unsupported_grant_type');
    const { payload } = await jwtVerify(form.get('assertion') ?? '', verifier, {
      ...{ issuer: EMAIL, audience: tokenUrl, currentDate: new Date(server.now()) },
    }).catch(() => refuse(400, 'invalid_grant'));
    if (payload['scope'] !== SCOPE) refuse(400, 'invalid_scope');
    if ((payload.exp ?? Infinity) - (payload.iat ?? 0) > 3_600) refuse(400, 'invalid_grant');
    server.tokens += 1;
    valid = `token-${server.tokens}`;
    return { access_token: valid, expires_in: 3_599, token_type: 'Bearer' };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const { url = '', method = '' } = request;
    const isToken = url === '/token';
    const instead = isToken ? server.insteadOfTokens : server.instead;
    if (instead !== null) {
      instead(response);
      return;
    }
    try {
      if (isToken) {
        sendJson(response, 200, await giveToken(text, `${server.url}/token`));
        return;
      }
      if (request.headers.authorization !== `Bearer ${valid}`) refuse(401, 'Invalid credentials.');
      sendJson(response, 200, handle(server, method, url, text));
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      const { status, message } = fault;
      sendJson(response, status, isToken ? { error: message } : { error: { code: status, message } });
    }
  };
  const { port, start, stop } = await openStandIn((request, response) => void answer(request, response));
  const url = `http://127.0.0.1:${port}`;
  const account = {
    ...{ type: 'service_account', client_email: EMAIL, private_key_id: 'a1b2c3', token_uri: `${url}/token` },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const server: WalletTwoServer = {
    ...{ url, issuer: ISSUER, email: EMAIL, classes: new Map(), objects: new Map(), calls: [], tokens: 0 },
    ...{ instead: null, insteadOfTokens: null, start, stop },
    settings: { issuer: ISSUER, serviceAccount: fileWith(JSON.stringify(account)), api: url },
    now: () => Date.parse('2026-11-20T18:00:00Z'),
    revoke: () => (valid = 'revoked'),
    save: async (link) => {
      const { payload } = await server.claimsOf(link);
      const parts = [
        ['class', server.classes, payload['loyaltyClasses'] ?? []],
        ['object', server.objects, payload['loyaltyObjects'] ?? []],
      ] as const;
      for (const [kind, stored, resources] of parts)
        for (const resource of resources) {
          const id = checkId(server.issuer, resource['id']);
          if (!stored.has(id)) stored.set(check(server, kind, resource), resource);
        }
    },
    claimsOf: async (link) => {
      const jwt = link.slice(link.lastIndexOf('/') + 1);
      const { payload } = await jwtVerify(jwt, verifier, { issuer: EMAIL, audience: 'google' });
      return payload as Awaited<ReturnType<WalletTwoServer['claimsOf']>>;
    },
  };
  return server;
};
