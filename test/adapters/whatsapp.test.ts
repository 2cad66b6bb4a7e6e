/** Codes and messages by WhatsApp, against a server that speaks the Cloud API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { whatsAppSender } from '../../src/adapters/senders/whatsapp.ts';
import { withLink } from '../../src/messaging/domain/template.ts';
import { messageFor, type GuestFacts } from '../../src/orders/domain/message.ts';
import { LANGUAGES } from '../../src/kernel/names.ts';
import { CANCEL_REASONS, ORDER_STATUSES } from '../../src/orders/domain/order.ts';
import { ONLINE_CHANNELS } from '../../src/shops/domain/shop.ts';
import type { SendOutcome } from '../../src/messaging/domain/outbox.ts';
import type { Messenger, TemplateMessage } from '../../src/ports.ts';
import { deferred } from '../support/background/manual-timers.ts';
import {
  openWhatsApp,
  whatsAppError,
  type Answering,
  type WhatsAppServer,
} from '../support/stand-ins/whatsapp.ts';

const PHONE = '201001234567';
const CODE = '493817';

let whatsApp: WhatsAppServer;
let failing: string[];

beforeAll(async () => {
  whatsApp = await openWhatsApp();
});
afterAll(() => whatsApp.stop());
beforeEach(() => {
  whatsApp.taken.length = 0;
  whatsApp.requests = 0;
  whatsApp.status = 'accepted';
  whatsApp.instead = null;
  failing = [];
});

// Long enough for a busy machine; timeout tests set less.
const sender = (
  options: { api?: string; token?: string; phoneId?: string; timeoutMs?: number } = {},
): Messenger => {
  const { api, phoneId, token, codeTemplate } = whatsApp;
  return whatsAppSender({
    ...{ api, phoneId, token, codeTemplate, timeoutMs: 30_000 },
    ...{ monotonic: () => 0, onFailing: (reason: string) => failing.push(reason) },
    ...options,
  });
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

describe('a code by WhatsApp', () => {
  test('is sent by its template, in the text and in the copy button', async () => {
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

  test('is not retried', async () => {
    whatsApp.instead = whatsAppError({ status: 400, code: 130429, message: 'Rate limit hit' });
    expect((await sendCode()).sent).toBe(false);
    expect(whatsApp.requests).toBe(1);
  });
});

describe('a template with a quality status', () => {
  test('a paused template sends neither codes nor messages, although they get an id', async () => {
    whatsApp.status = 'paused';
    const paused = refused('later', 'WhatsApp has paused the template');
    expect(await sendCode()).toEqual(paused);
    expect(await sender().send(READY)).toEqual(paused);
    expect(whatsApp.requests).toBe(2);
  });

  test('a template held for quality assessment refuses codes and accepts messages', async () => {
    whatsApp.status = 'held_for_quality_assessment';
    expect(await sendCode()).toEqual(
      refused('later', 'WhatsApp holds it back until it has judged the template'),
    );
    expect(await sender().send(READY)).toEqual({ sent: true, providerId: whatsApp.taken[1]?.id });
  });

  test.each([
    ['a status of a later version', '"queued"'],
    ['no status', 'null'],
    ['no text', '7'],
  ])('an answer with an id and %s counts as sent', async (_, status) => {
    whatsApp.instead = (response) =>
      response.end(`{"messages":[{"id":"wamid.A","message_status":${status}}]}`);
    expect(await sendCode()).toEqual({ sent: true, providerId: 'wamid.A' });
  });
});

describe('codes while WhatsApp fails', () => {
  const LEFT_ALONE = refused('later', 'WhatsApp did not answer lately');

  const keepSilentThrice = async (messenger: Messenger): Promise<void> => {
    whatsApp.instead = () => undefined;
    for (let n = 0; n < 3; n += 1) expect(await sendCode(messenger)).toMatchObject({ again: 'later' });
    expect(await sendCode(messenger)).toEqual(LEFT_ALONE);
  };

  test('three timeouts open the circuit, and further codes are refused at once', async () => {
    await keepSilentThrice(sender({ timeoutMs: 50 }));
    expect(whatsApp.requests).toBe(3);
    expect(failing).toEqual(['no answer in time']);
  });

  test('immediate errors do not open the circuit, and codes are sent after recovery', async () => {
    const messenger = sender();
    whatsApp.instead = whatsAppError({ status: 503, code: 2, message: 'Service temporarily unavailable' });
    for (let n = 0; n < 5; n += 1) expect(await sendCode(messenger)).toMatchObject({ again: 'later' });
    expect(failing).toEqual(['HTTP 503, WhatsApp error 2: the provider is down']);
    whatsApp.instead = null;
    expect(await sendCode(messenger)).toMatchObject({ sent: true });
  });

  test('codes are sent again after the server returns at the same address', async () => {
    const messenger = sender();
    await whatsApp.stop();
    for (let n = 0; n < 4; n += 1) expect(await sendCode(messenger)).toMatchObject({ again: 'later' });
    await whatsApp.start();
    expect(await sendCode(messenger)).toMatchObject({ sent: true });
  });

  test('codes that WhatsApp refuses do not open the circuit', async () => {
    const messenger = sender();
    for (const [status, code] of [
      [400, 131026],
      [400, 131056],
      [429, 130429],
      [401, 190],
    ] as const) {
      whatsApp.instead = whatsAppError({ status, code, message: 'No' });
      for (let n = 0; n < 4; n += 1) await sendCode(messenger);
    }
    whatsApp.instead = null;
    expect(await sendCode(messenger)).toMatchObject({ sent: true });
    expect(failing).toEqual([]);
  });

  test('at most 50 codes are sent at once; one more is refused without a request', async () => {
    const messenger = sender();
    const held = deferred<Answering>();
    whatsApp.instead = (response) => void held.promise.then((answering) => answering(response));
    const fifty = Array.from({ length: 50 }, () => sendCode(messenger));
    expect(await sendCode(messenger)).toEqual(refused('later', 'too many codes are being sent'));
    held.resolve((response) => response.end('{"messages":[{"id":"wamid.A","message_status":"accepted"}]}'));
    for (const outcome of await Promise.all(fifty)) expect(outcome).toMatchObject({ sent: true });
    expect(whatsApp.requests).toBe(50);
    whatsApp.instead = null;
    expect(await sendCode(messenger)).toMatchObject({ sent: true });
  });

  test('an open circuit for codes of one sender does not stop a message of another', async () => {
    await keepSilentThrice(sender({ timeoutMs: 50 }));
    whatsApp.instead = null;
    expect(await sender().send(READY)).toMatchObject({ sent: true });
  });
});

describe('a message by WhatsApp', () => {
  test('is sent by its template with its parameters in order and returns its id', async () => {
    const outcome = await sender().send(READY);
    const [taken] = whatsApp.taken;
    expect(outcome).toEqual({ sent: true, providerId: taken?.id });
    expect(taken).toMatchObject({ to: PHONE, template: 'order_ready', language: 'en', button: null });
    expect(taken?.parameters).toEqual(READY.parameters);
  });

  test('every order message matches its registered template in both languages', async () => {
    const facts = (language: GuestFacts['language']): GuestFacts => ({
      language,
      shopName: ' بيت\tالقهوة\n\n  &      Sons ',
      reference: 'D-ZML-260424-0007',
      prepMinutes: 20,
      cancelReason: 'sold_out',
    });
    let messages = 0;
    for (const language of LANGUAGES)
      for (const channel of ONLINE_CHANNELS)
        for (const to of ORDER_STATUSES) {
          const message = messageFor(
            { from: to === 'received' ? null : 'received', to, channel },
            facts(language),
          );
          if (message === null) continue;
          messages += 1;
          const parameters = withLink(message.parameters, 'https://ahwa.example/track/6f0c');
          expect(await sender().send({ ...message, phone: PHONE, parameters })).toMatchObject({ sent: true });
        }
    expect(whatsApp.taken).toHaveLength(messages);
    expect(new Set(whatsApp.taken.map(({ template }) => template)).size).toBe(6);
    expect(whatsApp.taken.flatMap(({ parameters }) => parameters)).toContain(CANCEL_REASONS.sold_out.ar);
  });
});

describe('a final refusal', () => {
  test('an unregistered template is never retried', async () => {
    expect(await sender().send({ ...READY, template: 'order_lost' })).toEqual(
      refused(
        'never',
        'HTTP 404, WhatsApp error 132001: the template does not exist in this language, or is not approved',
      ),
    );
  });

  test('a wrong number of parameters is never retried', async () => {
    expect(await sender().send({ ...READY, parameters: ['Qahwa House'] })).toEqual(
      refused('never', 'HTTP 400, WhatsApp error 132000: the template has another number of parameters'),
    );
  });

  test('a parameter with a line break is never retried', async () => {
    expect(await sender().send({ ...READY, parameters: ['a\nb', 'c', 'd'] })).toMatchObject({
      again: 'never',
    });
  });

  test.each([131021, 131026, 131047, 131049, 131050, 131051, 100, 131008, 131009, 132005, 132012, 132016])(
    'error %i is never retried, even with Retry-After',
    async (code) => {
      whatsApp.instead = whatsAppError({ status: 400, code, message: 'No' }, { 'retry-after': '5' });
      const outcome = await sender().send(READY);
      expect(outcome).toMatchObject({ sent: false, again: 'never', waitMs: null });
      expect(outcome).toMatchObject({
        reason: expect.stringMatching(`^HTTP 400, WhatsApp error ${code}: \\w`) as unknown,
      });
    },
  );

  test('an unknown error with status 400 is never retried', async () => {
    whatsApp.instead = whatsAppError({ status: 400, code: 139999, message: 'Something new' });
    expect(await sender().send(READY)).toEqual(refused('never', 'HTTP 400, WhatsApp error 139999'));
  });
});

describe('a temporary refusal', () => {
  test.each([4, 80007, 130429, 131048, 131056])(
    'the rate limit error %i is retried after its Retry-After',
    async (code) => {
      whatsApp.instead = whatsAppError({ status: 400, code, message: 'Too much' });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: null });
      whatsApp.instead = whatsAppError({ status: 429, code, message: 'Too much' }, { 'retry-after': '7' });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: 7000 });
    },
  );

  test('a Retry-After date is relative to the Date of the answer', async () => {
    const at = { date: 'Fri, 24 Apr 2026 18:00:00 GMT', 'retry-after': 'Fri, 24 Apr 2026 18:02:00 GMT' };
    whatsApp.instead = whatsAppError({ status: 503, code: 2, message: 'Service unavailable' }, at);
    expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: 120_000 });
  });

  test.each(['', 'soon', '-5', 'Fri, 24 Apr 2020 18:00:00 GMT'])(
    'the invalid Retry-After %j gives no wait',
    async (wait) => {
      whatsApp.instead = whatsAppError({ status: 400, code: 130429, message: 'x' }, { 'retry-after': wait });
      expect(await sender().send(READY)).toMatchObject({ again: 'later', waitMs: null });
    },
  );

  test('an expired access token is retried, since the operator renews it', async () => {
    const wrong = sender({ token: 'EAAGexpired' });
    expect(await wrong.send(READY)).toEqual(
      refused('later', 'HTTP 401, WhatsApp error 190: the access token has expired'),
    );
    expect(await sendCode(wrong)).toMatchObject({ sent: false, again: 'later' });
    expect(whatsApp.taken).toEqual([]);
  });

  test.each([0, 3, 10, 200, 299, 368, 131005, 131031, 131042, 133010])(
    'the account error %i is retried',
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
  ])('a provider error with status %i and code %i is retried', async (status, code) => {
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
  ])('an unreadable answer is retried: %s', async (_, answering) => {
    whatsApp.instead = answering;
    const outcome = await sender().send(READY);
    expect(outcome).toMatchObject({ sent: false, again: 'later' });
    expect(outcome).toMatchObject({
      reason: expect.stringMatching(/^HTTP \d+, an answer that cannot be read$/) as unknown,
    });
  });

  test('a missing answer and an endless answer are retried', async () => {
    whatsApp.instead = () => undefined;
    expect(await sendCode(sender({ timeoutMs: 50 }))).toEqual(refused('later', 'no answer in time'));
    whatsApp.instead = (response) => {
      response.writeHead(200).write('{"messages":');
    };
    expect(await sendCode(sender({ timeoutMs: 50 }))).toEqual(refused('later', 'no answer in time'));
  });

  test('a broken connection is retried', async () => {
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

  test('a refused connection is retried', async () => {
    const gone = await openWhatsApp();
    await gone.stop();
    expect(await sender({ api: gone.api }).send(READY)).toEqual(refused('later', 'no answer: ECONNREFUSED'));
  });

  test('a redirect is retried and not followed, so that the token is not sent', async () => {
    const other = await openWhatsApp();
    whatsApp.instead = (response) => response.writeHead(307, { location: `${other.api}/elsewhere` }).end();
    expect(await sendCode()).toMatchObject({ sent: false, again: 'later' });
    expect(other.requests).toBe(0);
    await other.stop();
  });
});

test('no failure reason contains the phone, the code or the token', async () => {
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
