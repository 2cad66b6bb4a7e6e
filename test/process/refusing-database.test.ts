/** A database that cannot be used is reported with its reason, on start and by every command. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { unavailableSentence } from '../../src/platform/store/connection-fault.ts';
import { connect, DatabaseUnavailable } from '../../src/platform/store/db.ts';
import { onDedicatedConnection } from '../../src/platform/store/dedicated-connection.ts';
import { openProxy } from '../support/database/proxy.ts';
import { withAdmin } from '../support/database/test-database.ts';
import { freePort } from '../support/programs/free-port.ts';
import { ownPostgres, type OwnPostgres } from '../support/programs/own-postgres.ts';
import { useProgram, type Ended, type Settings } from '../support/programs/program.ts';
import { certificateFor } from '../support/stand-ins/certificate.ts';

const bench = useProgram('file', 'new');
const SECRET = 'hush-hush';
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await ownPostgres();
  await postgres.run(
    `create role poor login password '${SECRET}'`,
    `create role crowded login connection limit 0 password '${SECRET}'`,
    'create role sleeping nologin',
    'create database bare',
    'create database closed',
    'create database narrow connection limit 0',
    'create database shut allow_connections false',
    'revoke connect on database closed from public',
  );
  await postgres.admit(
    'local all poor,crowded scram-sha-256',
    'local all ghost,sleeping trust',
    'local all banned reject',
  );
});
afterAll(() => postgres.release());

const urlAs = (role: string, database: string, password = SECRET): string => {
  const { host, port } = postgres.connection;
  return `postgres://${role}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
};

const sentenceIn = ({ stderr }: Ended): string => stderr.trimEnd().split('\n').at(-1) ?? '';

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (fault: unknown) => fault,
  );

/** What start and commands print of it: the first connection of a start is one outside the pool. */
const expectSentence = async (url: string, sentence: string): Promise<void> => {
  const db = connect({ url });
  onTestFinished(() => db.close());
  const faults = await Promise.all([
    faultOf(db.tx(() => Promise.resolve())),
    faultOf(onDedicatedConnection({ url }, 'ahwa test', () => Promise.resolve())),
  ]);
  const sentences = faults.map((fault) =>
    fault instanceof DatabaseUnavailable ? unavailableSentence(fault) : fault,
  );
  expect(sentences).toEqual([sentence, sentence]);
};

/** Both say it in their last line, without a stack and without the password. */
const expectRefusal = async (
  settings: Settings,
  sentence: string | RegExp,
  command = ['outbox', 'list', 'cafe'],
): Promise<void> => {
  const all = await Promise.all([bench.launch(settings).ended, bench.ahwa(command, settings)]);
  for (const ended of all) {
    const said = sentenceIn(ended);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    if (typeof sentence === 'string') expect(said).toBe(`ahwa: ${sentence}`);
    else expect(said).toMatch(sentence);
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
    expect(ended.stderr).not.toContain(SECRET);
  }
};

/** `$` is the folder of the socket. */
const REFUSALS: readonly (readonly [string, string, () => string, string])[] = [
  [
    'a wrong password',
    'the role and its password',
    () => urlAs('poor', 'bare', `${SECRET}-not`),
    '$ refuses the role poor: its password is wrong, or there is no such role; correct DATABASE_URL, or create the role.',
  ],
  [
    'no password',
    'the missing password',
    () => urlAs('poor', 'bare', ''),
    '$ asks for the password of the role poor, and DATABASE_URL has none; add it.',
  ],
  [
    'an unknown role',
    'the role',
    () => urlAs('ghost', 'bare'),
    '$ has no role ghost; create it, or correct DATABASE_URL.',
  ],
  [
    'a role without login',
    'the right to grant',
    () => urlAs('sleeping', 'bare'),
    'The role sleeping may not log in to $; alter role "sleeping" login, or name another in DATABASE_URL.',
  ],
  [
    'an unknown database',
    'the database',
    () => urlAs('poor', 'nowhere'),
    '$ has no database nowhere; create database "nowhere" owner "poor", or correct DATABASE_URL.',
  ],
  [
    'a database that the role may not connect to',
    'the right to grant',
    () => urlAs('poor', 'closed'),
    'The role poor may not connect to the database closed of $; grant connect on database "closed" to "poor".',
  ],
  [
    'a database that takes no connections',
    "PostgreSQL's reason",
    () => urlAs('poor', 'shut'),
    '$ takes no connections now (database "shut" is not currently accepting connections); try again when it does.',
  ],
  [
    'no entry in pg_hba.conf',
    'TLS or a line to add',
    () => urlAs('stranger', 'bare'),
    '$ does not let the role stranger into the database bare from this machine without TLS; add ?sslmode=verify-full to DATABASE_URL, or a line for this machine to pg_hba.conf there.',
  ],
  [
    'a role at its connection limit',
    'the limit of the role',
    () => urlAs('crowded', 'bare'),
    '$ lets the role crowded have no more connections, by a limit of its own; alter role "crowded" connection limit -1 (which is none), or end what else is connected with it.',
  ],
  [
    'a database at its connection limit',
    'the limit of the database',
    () => urlAs('poor', 'narrow'),
    '$ lets the database narrow have no more connections, by a limit of its own; alter database "narrow" connection limit -1 (which is none), or end what else is connected to it.',
  ],
];

test.each(REFUSALS)('%s: the sentence names %s', async (_, __, url, sentence) => {
  await expectSentence(url(), sentence.replace('$', postgres.connection.host));
});

test('no password: start and commands name the missing password, and end', async () => {
  const { host } = postgres.connection;
  await expectRefusal(
    { DATABASE_URL: urlAs('poor', 'bare', '') },
    `${host} asks for the password of the role poor, and DATABASE_URL has none; add it.`,
  );
});

test('a sign-in that ends for want of a password closes its connection', async () => {
  const proxy = await openProxy(postgres.connection);
  onTestFinished(() => proxy.close());
  const { port } = 'port' in proxy.connection ? proxy.connection : { port: 0 };
  await expectSentence(
    `postgres://poor@127.0.0.1:${port}/bare`,
    `127.0.0.1:${port} asks for the password of the role poor, and DATABASE_URL has none; add it.`,
  );
  await expect.poll(() => proxy.openConnections()).toBe(0);
});

test('a role without rights to create: start and commands name the statement that grants them', async () => {
  const settings = { DATABASE_URL: urlAs('poor', 'bare') };
  await expectRefusal(
    settings,
    'The role poor may not create tables in the database bare (permission denied for schema public): alter database "bare" owner to "poor".',
    ['migrate'],
  );
  await postgres.run('create database half');
  const connection = { ...postgres.connection, database: 'half' };
  await withAdmin({ connection }, (client) => client.query('grant create on schema public to poor'));
  await expectRefusal(
    { DATABASE_URL: urlAs('poor', 'half') },
    /^ahwa: The migration 0001_\w+ failed and was undone: permission denied to create extension "btree_gist"\. The role poor may not create the extension btree_gist: grant create on database "half" to "poor", or create extension btree_gist there as a superuser\.$/,
    ['migrate'],
  );
});

test('of two roles the sentence names the setting of the one that is refused', async () => {
  const right = urlAs(postgres.connection.user, 'bare', postgres.connection.password);
  const wrong = urlAs('poor', 'bare', 'wrong');
  const owner = await bench.launch({ DATABASE_URL: right, MIGRATION_DATABASE_URL: wrong }).ended;
  expect([owner.code, sentenceIn(owner)]).toEqual([
    1,
    expect.stringContaining('correct MIGRATION_DATABASE_URL'),
  ]);
  const serving = await bench.launch({ DATABASE_URL: wrong, MIGRATION_DATABASE_URL: right }).ended;
  expect([serving.code, sentenceIn(serving)]).toEqual([1, expect.stringContaining('correct DATABASE_URL')]);
});

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port;

test('TLS that the server does not have: start and commands name the setting', async () => {
  const proxy = await openProxy(postgres.connection);
  onTestFinished(() => proxy.close());
  const { port } = 'port' in proxy.connection ? proxy.connection : { port: 0 };
  await expectRefusal(
    { DATABASE_URL: `postgres://poor:${SECRET}@127.0.0.1:${port}/bare?sslmode=verify-full` },
    `127.0.0.1:${port} has no TLS, and DATABASE_URL asks for it; set ssl = on there, or take sslmode out of DATABASE_URL.`,
  );
});

/** Accepts TLS as PostgreSQL does: `S` to the first message. */
const tlsServer = async (): Promise<NetServer> => {
  const context = createSecureContext(certificateFor('localhost'));
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
};

test('a certificate of an unknown authority: start and commands name the certificate', async () => {
  const port = portOf(await tlsServer());
  await expectRefusal(
    { DATABASE_URL: `postgres://poor:${SECRET}@localhost:${port}/bare?sslmode=verify-full` },
    new RegExp(
      `^ahwa: The TLS certificate of localhost:${port} is not accepted \\(self-signed certificate\\); name its authority as sslrootcert in DATABASE_URL, or correct the host\\.$`,
    ),
  );
});

const ADDRESSES: readonly (readonly [string, string, string])[] = [
  [
    'a host name that is not resolved',
    `postgres://poor:${SECRET}@no-such-host.invalid/bare`,
    'The host name of no-such-host.invalid:5432 cannot be resolved; correct it in DATABASE_URL, or the name service of this machine.',
  ],
  [
    'a password with a stray percent sign',
    `postgres://poor:${SECRET}%E0%A4@127.0.0.1/bare`,
    'DATABASE_URL is no address that can be read; correct it.',
  ],
  [
    'a missing certificate file',
    `postgres://poor:${SECRET}@127.0.0.1/bare?sslmode=verify-full&sslrootcert=/no/such/file`,
    "A file that DATABASE_URL names cannot be read (ENOENT: no such file or directory, open '/no/such/file').",
  ],
  [
    'a missing socket',
    `postgres://poor:${SECRET}@/bare?host=/no/such/folder`,
    'The socket of PostgreSQL in /no/such/folder cannot be used (connect ENOENT /no/such/folder/.s.PGSQL.5432); correct the host in DATABASE_URL.',
  ],
];

test.each(ADDRESSES)('%s: the sentence says what to correct', async (_, url, sentence) => {
  await expectSentence(url, sentence);
});

const COMMANDS: readonly (readonly string[])[] = [
  ['migrate'],
  ['export', 'cafe'],
  ['export-menu', 'cafe'],
  ['backup', '-'],
  ['demo'],
  ['staff', 'list', 'cafe'],
  ['card', 'make', 'cafe', '01001234567', 'Mona'],
  ['tables', 'print', 'cafe'],
  ['webhook', 'list', 'cafe'],
  ['outbox', 'replay', 'cafe'],
  ['sending'],
];

test.each(COMMANDS.map((args) => ({ command: args.join(' '), args })))(
  'a refused connection: `ahwa $command` exits with 1 and one sentence',
  async ({ args }) => {
    const port = await freePort();
    const settings = { DATABASE_URL: `postgres://poor:${SECRET}@127.0.0.1:${port}/bare` };
    const ended = await bench.ahwa(args, settings);
    expect([ended.code, ended.stdout, sentenceIn(ended)]).toEqual([
      1,
      '',
      `ahwa: No server listens at 127.0.0.1:${port}; start PostgreSQL there, or correct host and port in DATABASE_URL.`,
    ]);
    expect(ended.stderr).not.toContain(SECRET);
  },
);
