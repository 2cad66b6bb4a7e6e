/** Senders for trials: console, file, none. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleSender } from '../../src/adapters/senders/console.ts';
import { fileSender } from '../../src/adapters/senders/file.ts';
import { noSender } from '../../src/adapters/senders/none.ts';
import type { Messenger, TemplateMessage } from '../../src/ports.ts';

const PHONE = '201001234567';
const READY: TemplateMessage = {
  phone: PHONE,
  template: 'order_ready',
  language: 'en',
  parameters: ['Qahwa House', 'D-ZML-260424-0007', 'https://ahwa.example/track/6f0c'],
};
const SENTENCE =
  'Come and get it! At Qahwa House your order D-ZML-260424-0007 is ready at the counter. Its details are at https://ahwa.example/track/6f0c for you to show.';

const code = (messenger: Messenger, digits: string) =>
  messenger.sendCode({ phone: PHONE, language: 'ar', code: digits });

describe('the console sender', () => {
  test('prints a code with only the last four digits of the phone', async () => {
    const lines: string[] = [];
    const messenger = consoleSender((line) => lines.push(line));
    expect(messenger.isReady).toBe(true);
    expect(await code(messenger, '012345')).toEqual({ sent: true, providerId: null });
    expect(lines).toEqual(['OTP 012345 for •••• 4567']);
  });

  test('prints a message as its text on one line, without the whole phone', async () => {
    const lines: string[] = [];
    expect(await consoleSender((line) => lines.push(line)).send(READY)).toMatchObject({ sent: true });
    expect(lines).toEqual([`MESSAGE order_ready for •••• 4567: ${SENTENCE}`]);
  });

  test('refuses a message that a provider would refuse', async () => {
    const lines: string[] = [];
    const messenger = consoleSender((line) => lines.push(line));
    for (const wrong of [{ template: 'order_lost' }, { parameters: ['Qahwa House'] }])
      expect(await messenger.send({ ...READY, ...wrong })).toMatchObject({ sent: false, again: 'never' });
    expect(lines).toEqual([]);
  });
});

describe('the file sender', () => {
  const now = Date.parse('2026-04-24T18:00:00Z');
  let folder: string;
  const sender = (path: string) => fileSender({ path: join(folder, path), clock: { now: () => now } });
  const linesOf = (path: string): unknown[] =>
    readFileSync(join(folder, path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ahwa-senders-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('the file sender writes one line per code and message, with mode 0600', async () => {
    const messenger = sender('codes.jsonl');
    expect(messenger.isReady).toBe(true);
    await code(messenger, '012345');
    await messenger.send(READY);
    expect(await code(messenger, '543210')).toEqual({ sent: true, providerId: null });
    const at = '2026-04-24T18:00:00.000Z';
    expect(linesOf('codes.jsonl')).toEqual([
      { phone: PHONE, code: '012345', at },
      { phone: PHONE, template: 'order_ready', language: 'en', text: SENTENCE, at },
      { phone: PHONE, code: '543210', at },
    ]);
    expect(statSync(join(folder, 'codes.jsonl')).mode & 0o777).toBe(0o600);
  });

  test('writes whole lines for 200 concurrent codes', async () => {
    const codes = Array.from({ length: 200 }, (_, i) => String(i).padStart(6, '0'));
    await Promise.all(codes.map((digits) => code(sender('many.jsonl'), digits)));
    const at = '2026-04-24T18:00:00.000Z';
    expect(linesOf('many.jsonl')).toHaveLength(200);
    expect(linesOf('many.jsonl')).toEqual(
      expect.arrayContaining(codes.map((digits) => ({ phone: PHONE, code: digits, at }))),
    );
  });

  test('refuses a message that a provider would refuse', async () => {
    expect(await sender('none.jsonl').send({ ...READY, parameters: [] })).toMatchObject({ again: 'never' });
    expect(() => statSync(join(folder, 'none.jsonl'))).toThrow('ENOENT');
  });

  test('reports a code as not sent when the file cannot be written', async () => {
    expect(await code(sender('missing/codes.jsonl'), '012345')).toEqual({
      sent: false,
      again: 'later',
      waitMs: null,
      reason: 'the file of codes and messages: ENOENT',
    });
  });
});

test('without a sender every code and message is reported as not sent', async () => {
  expect(noSender.isReady).toBe(false);
  expect(await code(noSender, '012345')).toMatchObject({ sent: false, again: 'never' });
  expect(await noSender.send(READY)).toMatchObject({ sent: false, again: 'never' });
});
