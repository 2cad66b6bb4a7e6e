/** Codes and messages through WhatsApp, against a server that answers as the Cloud API does. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whatsAppSender } from '../../src/adapters/senders/whatsapp.ts';
import { messageFor, withLink, type GuestFacts } from '../../src/domain/message.ts';
import { LANGUAGES } from '../../src/domain/names.ts';
import { CANCEL_REASONS, ORDER_STATUSES } from '../../src/domain/order.ts';
import { ONLINE_CHANNELS } from '../../src/domain/shop.ts';
import type { Messenger, SendOutcome, TemplateMessage } from '../../src/ports.ts';
import { openWhatsApp, whatsAppError, type Answering, type WhatsAppServer } from '../support/whatsapp.ts';

const PHONE = '201001234567';
const CODE = '493817';

let whatsApp: WhatsAppServer;

beforeAll(async () => {
  whatsApp = await openWhatsApp();
});
afterAll(() => whatsApp.stop());
beforeEach(() => {
  whatsApp.taken.length = 0;
  whatsApp.requests = 0;
  whatsApp.instead = null;
});

// Long enough for a busy machine; tests that wait for it say less.
const sender = (options: { token?: string; phoneId?: string; timeoutMs?: number } = {}): Messenger => {
  const { api, phoneId, token, codeTemplate } = whatsApp;
  return whatsAppSender({ api, phoneId, token, codeTemplate, timeoutMs: 30_000, ...options });
};

const sendCode = (messenger = sender()): Promise<SendOutcome> =>
  messenger.sendCode({ phone: PHONE, language: 'ar', code: CODE });

const READY: TemplateMessage = {
  phone: PHONE,
  template: 'order_ready',
  language: 'en',
  parameters: ['Qahwa House', 'D-ZML-260424-0007', 'https://ahwa.example/track/6f0c'],
};

const refused = (again: 'later' | 'never', reason: string, waitMs: number | null = null): SendOutcome => ({
  sent: false,
  again,
  waitMs,
  reason,
});

describe('a code', () => {
  test('goes out by its template, in the text and in the button that copies it', async () => {
    const outcome = await sendCode();
    const [taken] = whatsApp.taken;
    expect(outcome).toEqual({ sent: true, providerId: taken?.id });
    expect(taken).toMatchObject({
      to: PHONE,
      template: 'one_time_code',
      language: 'ar',
      parameters: [CODE],
      button: CODE,
    });
  });

  test('is tried once', async () => {
    whatsApp.instead = whatsAppError({ status: 400, code: 130429, message: 'Rate limit hit' });
    expect((await sendCode()).sent).toBe(false);
    expect(whatsApp.requests).toBe(1);
  });
});

describe('a message', () => {
  test('goes out by its template with its parameters in order, and its id comes back', async () => {
    const outcome = await sender().send(READY);
    const [taken] = whatsApp.taken;
    expect(outcome).toEqual({ sent: true, providerId: taken?.id });
    expect(taken).toMatchObject({ to: PHONE, template: 'order_ready', language: 'en', button: null });
    expect(taken?.parameters).toEqual(READY.parameters);
  });

  test('is taken as the templates are registered, whatever is told, in both languages', async () => {
    const facts = (language: GuestFacts['language']): GuestFacts => ({
      language,
      shopName: ' بيت\tالقهوة\n\n  &      Sons ',
      reference: 'D-ZML-260424-0007',
      prepMinutes: 20,
      cancelReason: 'sold_out',
    });
    let told = 0;
    for (const language of LANGUAGES)
      for (const channel of ONLINE_CHANNELS)
        for (const to of ORDER_STATUSES) {
          const message = messageFor(
            { from: to === 'received' ? null : 'received', to, channel },
            facts(language),
          );
          if (message === null) continue;
          told += 1;
          const parameters = withLink(message.parameters, 'https://ahwa.example/track/6f0c');
          expect(await sender().send({ ...message, phone: PHONE, parameters })).toMatchObject({ sent: true });
        }
    expect(whatsApp.taken).toHaveLength(told);
    expect(new Set(whatsApp.taken.map(({ template }) => template)).size).toBe(6);
    expect(whatsApp.taken.flatMap(({ parameters }) => parameters)).toContain(CANCEL_REASONS.sold_out.ar);
  });
});

describe('refused for good is', () => {
  test('a template that is not registered', async () => {
    expect(await sender().send({ ...READY, template: 'order_lost' })).toEqual(
      refused(
        'never',
        'HTTP 404, WhatsApp error 132001: the template does not exist in this language, or is not approved',
      ),
    );
  });

  test('a wrong number of parameters', async () => {
    expect(await sender().send({ ...READY, parameters: ['Qahwa House'] })).toEqual(
      refused('never', 'HTTP 400, WhatsApp error 132000: the template has another number of parameters'),
    );
  });

  test('a parameter with a line break', async () => {
    expect(await sender().send({ ...READY, parameters: ['a\nb', 'c', 'd'] })).toMatchObject({
      again: 'never',
    });
  });

  test.each([131021, 131026, 131047, 131049, 131050, 131051, 100, 131008, 131009, 132005, 132012, 132016])(
    'what comes back as %i, even with a wait',
    async (code) => {
      whatsApp.instead = whatsAppError({ status: 400, code, message: 'No' }, { 'retry-after': '5' });
      const outcome = await sender().send(READY);
      expect(outcome).toMatchObject({ sent: false, again: 'never', waitMs: null });
      expect(outcome).toMatchObject({
        reason: expect.stringMatching(`^HTTP 400, WhatsApp error ${code}: \\w`) as unknown,
      });
    },
  );

  test('an error we do not know, of a request that is wrong', async () => {
    whatsApp.instead = whatsAppError({ status: 400, code: 139999, message: 'Something new' });
    expect(await sender().send(READY)).toEqual(refused('never', 'HTTP 400, WhatsApp error 139999'));
  });
});

describe('to be tried again is', () => {
  test.each([4, 80007, 130429, 131048, 131056])(
    'too much at once: %i, after the wait it asks for',
    async (code) => {
      whatsApp.instead = whatsAppError({ status: 400, code, message: 'Too much' });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: null });
      whatsApp.instead = whatsAppError({ status: 429, code, message: 'Too much' }, { 'retry-after': '7' });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: 7000 });
    },
  );

  test('what asks to wait until a moment, beside the answer’s own', async () => {
    const at = { date: 'Fri, 24 Apr 2026 18:00:00 GMT', 'retry-after': 'Fri, 24 Apr 2026 18:02:00 GMT' };
    whatsApp.instead = whatsAppError({ status: 503, code: 2, message: 'Service unavailable' }, at);
    expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: 120_000 });
  });

  test.each(['', 'soon', '-5', 'Fri, 24 Apr 2020 18:00:00 GMT'])(
    'what says %j of how long to wait, which is nothing',
    async (wait) => {
      whatsApp.instead = whatsAppError({ status: 400, code: 130429, message: 'x' }, { 'retry-after': wait });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: null });
    },
  );

  test('everything while the token is not accepted, for the operator renews it', async () => {
    const wrong = sender({ token: 'EAAGexpired' });
    expect(await wrong.send(READY)).toEqual(
      refused('later', 'HTTP 401, WhatsApp error 190: the access token has expired'),
    );
    expect(await sendCode(wrong)).toMatchObject({ sent: false, again: 'later' });
    expect(whatsApp.taken).toEqual([]);
  });

  test.each([0, 3, 10, 200, 299, 368, 131005, 131031, 131042, 133010])(
    'the account’s own trouble: %i',
    async (code) => {
      whatsApp.instead = whatsAppError({ status: 403, code, message: 'No' });
      expect(await sender().send(READY)).toMatchObject({ sent: false, again: 'later' });
    },
  );

  test.each([
    [400, 1],
    [503, 2],
    [500, 131000],
    [500, 131016],
    [503, 133004],
    [500, 139999],
    [401, 139999],
    [400, 132015],
  ])('the provider’s own trouble: status %i, error %i', async (status, code) => {
    whatsApp.instead = whatsAppError({ status, code, message: 'Something went wrong' });
    expect(await sender().send(READY)).toMatchObject({ sent: false, again: 'later' });
  });

  test.each<[string, Answering]>([
    ['no JSON', (response) => response.end('<html>Bad gateway</html>')],
    ['nothing', (response) => response.end()],
    ['an empty object', (response) => response.end('{}')],
    ['a list', (response) => response.end('[]')],
    ['null', (response) => response.end('null')],
    ['no message', (response) => response.end('{"messages":[]}')],
    ['a message without an id', (response) => response.end('{"messages":[{"id":7}]}')],
    ['messages that are no list', (response) => response.end('{"messages":{"0":{"id":"wamid.A"}}}')],
    ['an error without a number', (response) => response.writeHead(400).end('{"error":{"code":"131026"}}')],
    ['an error that is a word', (response) => response.writeHead(400).end('{"error":"no"}')],
    ['a page of a proxy', (response) => response.writeHead(404).end('<h1>Not found</h1>')],
    ['half an answer', (response) => response.end('{"messages":[{"id":"wami')],
    ['bytes that are no text', (response) => response.end(Buffer.from([0xff, 0xfe, 0, 0x80]))],
    [
      'far too much',
      (response) => response.end(`{"x":"${'x'.repeat(70_000)}","messages":[{"id":"wamid.A"}]}`),
    ],
  ])('an answer that is %s', async (_, answering) => {
    whatsApp.instead = answering;
    const outcome = await sender().send(READY);
    expect(outcome).toMatchObject({ sent: false, again: 'later' });
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(/^HTTP \d+, an answer that cannot be read$/) as unknown,
    });
  });

  test('no answer in time, and an answer that never ends', async () => {
    whatsApp.instead = () => undefined;
    expect(await sendCode(sender({ timeoutMs: 50 }))).toEqual(refused('later', 'no answer in time'));
    whatsApp.instead = (response) => {
      response.writeHead(200).write('{"messages":');
    };
    expect(await sendCode(sender({ timeoutMs: 50 }))).toEqual(refused('later', 'no answer in time'));
  });

  test('a connection that breaks, before or within the answer', async () => {
    whatsApp.instead = (response) => response.socket?.resetAndDestroy();
    expect(await sendCode()).toMatchObject({
      again: 'later',
      reason: expect.stringMatching(/^no answer/) as unknown,
    });
    whatsApp.instead = (response) => {
      response
        .writeHead(200, { 'content-length': '500' })
        .write('{"messages":', () => response.socket?.resetAndDestroy());
    };
    expect(await sendCode()).toMatchObject({ again: 'later' });
  });

  test('a server that is not there', async () => {
    const gone = await openWhatsApp();
    await gone.stop();
    const messenger = whatsAppSender({ ...gone, timeoutMs: 30_000 });
    expect(await messenger.send(READY)).toEqual(refused('later', 'no answer: ECONNREFUSED'));
  });

  test('an address that leads elsewhere, which does not get the token', async () => {
    const other = await openWhatsApp();
    whatsApp.instead = (response) => response.writeHead(307, { location: `${other.api}/elsewhere` }).end();
    expect(await sendCode()).toMatchObject({ sent: false, again: 'later' });
    expect(other.requests).toBe(0);
    await other.stop();
  });
});

test('no reason names the phone, the code or the token, whatever the provider says', async () => {
  const secret = `${PHONE} +${PHONE} ${CODE} Bearer ${whatsApp.token}`;
  const answers: Answering[] = [
    whatsAppError({ status: 400, code: 131026, message: secret, details: secret }, { 'retry-after': CODE }),
    (response) =>
      response.writeHead(400).end(JSON.stringify({ error: { code: Number(PHONE), message: secret } })),
    (response) =>
      response
        .writeHead(400, CODE)
        .end(JSON.stringify({ error: { code: PHONE, type: secret, fbtrace_id: secret } })),
    (response) => response.end(secret),
    (response) => response.socket?.resetAndDestroy(),
    () => undefined,
  ];
  for (const answering of answers) {
    whatsApp.instead = answering;
    const outcome = await sendCode(sender({ timeoutMs: 100 }));
    const reason = outcome.sent ? 'sent' : outcome.reason;
    for (const word of [PHONE, CODE, whatsApp.token, PHONE.slice(2)]) expect(reason).not.toContain(word);
  }
});
