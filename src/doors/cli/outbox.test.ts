/** `ahwa webhook` and `ahwa outbox` on a real database. */
import { Command } from 'commander';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../adapters/system.ts';
import { createWebPoster } from '../../adapters/web-poster.ts';
import { createSending, switchSendingOff, switchSendingOn } from '../../messaging/app/sending.ts';
import { createTokens } from '../../platform/app/tokens.ts';
import { outboxCommands } from './outbox.ts';
import { webhookCommands } from './webhook.ts';
import type { AfterTry, OutboxRow } from '../../messaging/domain/outbox.ts';
import { connect, type Db } from '../../platform/store/db.ts';
import { claimHeads, settle } from '../../messaging/store/outbox.ts';
import { saveTry } from '../../messaging/store/webhook.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  add,
  aMessage,
  anEvent,
  emptyOutbox,
  ORG,
  storedRow,
} from '../../../test/support/background/outbox.ts';
import { newId } from '../../../test/support/database/ids.ts';
import { PATIENT } from '../../../test/support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../../../test/support/database/test-database.ts';
import { insertShop } from '../../../test/support/database/rows.ts';

let database: TestDatabase;
let db: Db<Database>;

const NOW = Date.UTC(2026, 10, 20, 18);
const SLUG = 'beit-el-bunn';
const URL = 'https://till.example/hooks';

beforeAll(async () => {
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, SLUG);
});

afterAll(async () => {
  await db.close();
  await database.release();
});

beforeEach(async () => {
  await emptyOutbox(db);
  await sql`delete from webhook_target`.execute(db.kysely);
});

/** The printed output. */
const ahwa = async (...args: readonly string[]): Promise<string> => {
  const printed: string[] = [];
  const app = {
    db,
    clock: { now: () => NOW },
    random: systemRandom,
    tokens: createTokens(['a key'], systemRandom),
    ...{ realTime: { now: () => NOW }, webhookPoster: createWebPoster([]) },
    sending: createSending({ db }, true),
  };
  const program = new Command('ahwa');
  const withApp = (work: (runtime: { app: typeof app }) => Promise<void>): Promise<void> => work({ app });
  const print = (text: string) => printed.push(text);
  webhookCommands(program, withApp, print);
  outboxCommands(program, withApp, print);
  for (const command of program.commands.flatMap((group) => group.commands))
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(args, { from: 'user' });
  return printed.join('\n');
};

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const idIn = (text: string): string => ID.exec(text)?.[0] ?? '';

const AFTER: Readonly<Record<'sent' | 'parked' | 'waiting', AfterTry>> = {
  sent: { status: 'sent', providerId: null },
  parked: { status: 'parked', reason: 'answered 503' },
  waiting: { status: 'waiting', until: NOW + 5_000, reason: 'answered 503' },
};

/** Sends a row once with the given outcome. */
const tried = async (row: OutboxRow, status: AfterTry['status'] & keyof typeof AFTER): Promise<void> => {
  await add(db, [row], NOW);
  const {
    rows: [claimed],
  } = await claimHeads(db.kysely, {
    ...{ kind: row.kind, now: NOW, leaseId: newId(), leaseUntil: NOW + 60_000, limit: 1, perDestination: 1 },
    ...{ inFlight: new Map(), without: [] },
  });
  if (claimed === undefined) throw new Error('nothing is due');
  await settle(db.kysely, claimed, AFTER[status], NOW);
};

describe('ahwa webhook', () => {
  test('adds, lists, rotates and removes a webhook, and shows its secret once', async () => {
    expect(await ahwa('webhook', 'list', SLUG)).toBe('This shop has no webhooks.');
    const added = await ahwa('webhook', 'add', SLUG, URL);
    const id = idIn(added);
    expect(added).toMatch(
      /^.+ https:\/\/till\.example\/hooks\nwhsec_[A-Za-z0-9+/]{43}=\nThis is the only time/,
    );
    expect(await ahwa('webhook', 'list', SLUG)).toBe(`${id} ${URL}, not tried yet`);
    const rotated = await ahwa('webhook', 'rotate', SLUG, id);
    expect(rotated).toMatch(/whsec_/);
    expect(rotated).not.toBe(added);
    expect(await ahwa('webhook', 'remove', SLUG, id)).toBe(`${URL} is removed`);
    expect(await ahwa('webhook', 'list', SLUG)).toBe('This shop has no webhooks.');
  });

  test('switches a webhook off and on, and the list shows the state', async () => {
    const id = idIn(await ahwa('webhook', 'add', SLUG, URL));
    const event = anEvent(newId(), id);
    await add(db, [event], NOW);
    expect(await ahwa('webhook', 'off', SLUG, id)).toBe(`${URL} is switched off`);
    expect(await ahwa('webhook', 'list', SLUG)).toBe(
      `${id} ${URL} (switched off), not tried yet; 0 waiting, 1 parked`,
    );
    expect(await ahwa('outbox', 'list', SLUG)).toContain('the address is switched off');
    expect(await ahwa('webhook', 'replay', SLUG)).toBe('0 events go out again');
    expect(await ahwa('webhook', 'on', SLUG, id)).toBe(`${URL} is switched on`);
    expect(await ahwa('webhook', 'replay', SLUG)).toBe('1 event goes out again');
    expect(await ahwa('webhook', 'list', SLUG)).toBe(`${id} ${URL}, not tried yet; 1 waiting, 0 parked`);
  });

  test('refuses invalid arguments with a sentence that names the fault', async () => {
    await expect(ahwa('webhook', 'add', SLUG, 'http://till.example')).rejects.toThrow(
      'The address must begin with https://.',
    );
    await expect(ahwa('webhook', 'add', SLUG, 'https://0x7f000001/hooks')).rejects.toThrow(
      'The address must be on the public internet, and 127.0.0.1 is not.',
    );
    expect(await ahwa('webhook', 'list', SLUG)).toBe('This shop has no webhooks.');
    await expect(ahwa('webhook', 'remove', SLUG, newId())).rejects.toThrow(
      'This shop has no webhook with this id.',
    );
    await expect(ahwa('webhook', 'off', SLUG, newId())).rejects.toThrow('no webhook with this id');
    await expect(ahwa('webhook', 'list', 'nowhere')).rejects.toThrow('There is no shop');
    await expect(ahwa('webhook', 'replay', SLUG, '--since', 'yesterday')).rejects.toThrow(
      'a moment with its zone',
    );
  });

  test('lists the last try of a webhook with its reason, without the query of its address', async () => {
    const id = idIn(await ahwa('webhook', 'add', SLUG, `${URL}?token=abc`));
    const target = { triedAt: NOW, reason: 'answered 503' };
    await saveTry(db.kysely, ORG, id, target);
    await tried(anEvent(newId(), id), 'waiting');
    expect(await ahwa('webhook', 'list', SLUG)).toBe(
      `${id} ${URL}?…, last try 2026-11-20T18:00:00.000Z: answered 503; 1 waiting, 0 parked`,
    );
    await saveTry(db.kysely, ORG, id, { triedAt: NOW + 1_000, reason: 'answered 204' });
    expect(await ahwa('webhook', 'list', SLUG)).toContain('last try 2026-11-20T18:00:01.000Z: answered 204;');
  });

  test('a test event is refused while sending is off, or where no webhook is on', async () => {
    await expect(ahwa('webhook', 'test', SLUG)).rejects.toThrow('no webhook that is switched on');
    const id = idIn(await ahwa('webhook', 'add', SLUG, URL));
    await expect(ahwa('webhook', 'test', SLUG, newId())).rejects.toThrow('no webhook with this id');
    await switchSendingOff({ db, clock: { now: () => NOW } });
    await expect(ahwa('webhook', 'test', SLUG, id)).rejects.toThrow('Sending is off');
    await switchSendingOn({ db, clock: { now: () => NOW } });
    expect(await ahwa('webhook', 'list', SLUG)).toBe(`${id} ${URL}, not tried yet`);
  });

  test('replays parked events, or all events since a given instant', async () => {
    const target = idIn(await ahwa('webhook', 'add', SLUG, URL));
    const [parkedOne, sentOne] = [anEvent(newId(), target), anEvent(newId(), target)];
    await tried(parkedOne, 'parked');
    await tried(sentOne, 'sent');
    expect(await ahwa('webhook', 'replay', SLUG)).toBe('1 event goes out again');
    expect([(await storedRow(db, parkedOne)).status, (await storedRow(db, sentOne)).status]).toEqual([
      'waiting',
      'sent',
    ]);
    expect(await ahwa('webhook', 'replay', SLUG, '--since', '2026-11-20T20:00:00+02:00')).toBe(
      '1 event goes out again',
    );
    expect((await storedRow(db, sentOne)).status).toBe('waiting');
    expect(await ahwa('webhook', 'replay', SLUG)).toBe('0 events go out again');
  });
});

describe('ahwa outbox', () => {
  test('lists parked rows with their reason and replays them', async () => {
    expect(await ahwa('outbox', 'list', SLUG)).toBe('Nothing is parked.');
    const message = aMessage(newId());
    await tried(message, 'parked');
    expect(await ahwa('outbox', 'list', SLUG)).toBe(
      `2026-11-20T18:00:00.000Z message of order ${message.subjectId}, tried 1 time, last at 2026-11-20T18:00:00.000Z: answered 503\n\n` +
        `To send what is parked again: ahwa outbox replay ${SLUG}`,
    );
    expect(await ahwa('outbox', 'replay', SLUG, '--kind', 'webhook')).toBe(
      '0 of what was parked go out again',
    );
    expect(await ahwa('outbox', 'replay', SLUG, '--kind', 'message')).toBe(
      '1 of what was parked goes out again',
    );
    expect((await storedRow(db, message)).status).toBe('waiting');
    expect(await ahwa('outbox', 'list', SLUG)).toBe('Nothing is parked.');
  });

  test('lists rows that wait for another try, with the last one, its reason and the next', async () => {
    const [message, parked] = [aMessage(newId()), aMessage(newId())];
    await tried(message, 'waiting');
    const line =
      `2026-11-20T18:00:00.000Z message of order ${message.subjectId}, tried 1 time, last at ` +
      '2026-11-20T18:00:00.000Z: answered 503; next try at 2026-11-20T18:00:05.000Z';
    const waiting = ['', 'Waiting for another try:', line];
    expect((await ahwa('outbox', 'list', SLUG)).split('\n')).toEqual(['Nothing is parked.', ...waiting]);
    await tried(parked, 'parked');
    const [first, ...others] = (await ahwa('outbox', 'list', SLUG)).split('\n');
    expect(first).toContain(`message of order ${parked.subjectId}, tried 1 time`);
    expect(others.slice(0, 3)).toEqual(waiting);
  });

  test('lists parked events without the address’s query, with the webhook to switch on', async () => {
    const target = idIn(await ahwa('webhook', 'add', SLUG, `${URL}?token=abc`));
    const events = [anEvent(newId(), target), anEvent(newId(), target)];
    for (const event of events) await tried(event, 'parked');
    const lines = events.map(
      ({ subjectId }) =>
        `2026-11-20T18:00:00.000Z webhook of order ${subjectId} to till.example/hooks, tried 1 time, last at 2026-11-20T18:00:00.000Z: answered 503`,
    );
    const hint = `To send what is parked again: ahwa outbox replay ${SLUG}`;
    expect((await ahwa('outbox', 'list', SLUG)).split('\n')).toEqual([...lines, '', hint]);
    await ahwa('webhook', 'off', SLUG, target);
    const first = `till.example/hooks is switched off; first: ahwa webhook on ${SLUG} ${target}`;
    expect((await ahwa('outbox', 'list', SLUG)).split('\n')).toEqual([...lines, '', first, hint]);
  });
});
