/** The webhook page and its example, run as a developer would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signatureOf } from '../../src/messaging/app/webhook.ts';
import { BACK_OFF, backOffMs, EVENT_TYPES } from '../../src/messaging/domain/outbox.ts';
import { eventBody } from '../../src/messaging/domain/webhook.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');

const SECRET = Buffer.from('a secret of exactly 32 bytes, ok');
const printed: string[] = [];
let lineArrived: () => void = () => undefined;
let child: ReturnType<typeof spawn>;
let address = '';

/** The next line of the example's output. */
const nextLine = (): Promise<void> => new Promise((resolve) => (lineArrived = resolve));

beforeAll(async () => {
  child = spawn(process.execPath, [join(ROOT, 'examples/verify-webhook.mjs')], {
    env: { WEBHOOK_SECRET: `whsec_${SECRET.toString('base64')}`, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the example has no output');
  createInterface(child.stdout).on('line', (line) => {
    printed.push(line);
    lineArrived();
  });
  await nextLine();
  address = `http://127.0.0.1:${/\d+$/.exec(printed[0] ?? '')?.[0] ?? ''}/`;
});

afterAll(async () => {
  child.kill();
  await once(child, 'exit');
});

const body = eventBody({ type: 'order.updated' }, Date.now(), {
  id: 'o1',
  delivery_ref: 'D-ZML-261120-0007',
  status: 'ready',
  customer_name: 'منى',
});
const second = (): number => Math.floor(Date.now() / 1_000);

const headersOf = (id: string, sentAt = second(), secret: Uint8Array = SECRET): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(sentAt),
  'webhook-signature': signatureOf(secret, id, sentAt, body),
});

const post = async (headers: Record<string, string>, text = body): Promise<number> =>
  (await fetch(address, { method: 'POST', headers, body: text })).status;

describe('examples/verify-webhook.mjs', () => {
  test('handles a signed event once, also when it is delivered twice', async () => {
    const line = nextLine();
    expect(await post(headersOf('event-1'))).toBe(204);
    await line;
    expect(printed.slice(1)).toEqual(['order.updated: order D-ZML-261120-0007 is ready']);
    expect(await post(headersOf('event-1'))).toBe(204);
    const another = nextLine();
    expect(await post(headersOf('event-2'))).toBe(204);
    await another;
    expect(printed).toHaveLength(3);
  });

  test('accepts an event when one of several signatures is valid', async () => {
    const headers = headersOf('event-1');
    const several = `v1,AAAA v2,${'A'.repeat(43)}= ${headers['webhook-signature'] ?? ''}`;
    expect(await post({ ...headers, 'webhook-signature': several })).toBe(204);
  });

  test.each([
    ['another body', headersOf('event-3'), body.replace('ready', 'delivered')],
    ['another id', { ...headersOf('event-3'), 'webhook-id': 'event-4' }, body],
    ['another secret', headersOf('event-3', second(), Buffer.from('guessed')), body],
    ['a time of an hour ago', headersOf('event-3', second() - 3_600), body],
    ['a time that is none', { ...headersOf('event-3'), 'webhook-timestamp': 'now' }, body],
    ['no signature', { 'webhook-id': 'event-3', 'webhook-timestamp': String(second()) }, body],
  ])('refuses an event with %s', async (_, headers, text) => {
    expect(await post(headers, text)).toBe(400);
  });
});

describe('docs/webhooks.md', () => {
  test('names every event type and header, and shows an event', () => {
    for (const name of [...EVENT_TYPES, 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(page).toContain(`\`${name}\``);
    const shown: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
    expect(Object.keys(shown as object)).toEqual(['type', 'timestamp', 'data']);
  });

  test('states the back-off times and the number of attempts', () => {
    const seconds = [1, 2, 3, 9].map((tries) => backOffMs(tries, 0.5) / 1_000);
    expect(seconds).toEqual([5, 10, 20, 1_280]);
    expect(page).toContain('after 5 s, 10 s, 20 s');
    expect(page).toContain(`${BACK_OFF.longestMs / 60_000} minutes`);
    expect(page).toContain(`${BACK_OFF.tries} tries`);
  });
});
