/** Codes by an SMS gateway, and by WhatsApp and the gateway in turn, against servers that speak their protocols. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { providersSender, type ProviderSettings } from '../../src/adapters/senders/providers.ts';
import { smsSender, type SmsOptions } from '../../src/adapters/senders/sms.ts';
import { codeText } from '../../src/messaging/domain/code-text.ts';
import type { SendOutcome } from '../../src/messaging/domain/outbox.ts';
import { answering, openSmsGateway, type SmsGateway } from '../support/stand-ins/sms-gateway.ts';
import { openWhatsApp, whatsAppError, type WhatsAppServer } from '../support/stand-ins/whatsapp.ts';

const PHONE = '201001234567';
const CODE = '493817';
const TOKEN = 'Bearer a-token-of-the-operator';

let gateway: SmsGateway;
let whatsApp: WhatsAppServer;
let failing: string[];
let sent: string[];
beforeAll(async () => {
  [gateway, whatsApp] = [await openSmsGateway(), await openWhatsApp()];
});
afterAll(async () => {
  await Promise.all([gateway.stop(), whatsApp.stop()]);
});
beforeEach(() => {
  gateway.requests.length = 0;
  gateway.instead = null;
  whatsApp.taken.length = 0;
  whatsApp.requests = 0;
  whatsApp.instead = null;
  [failing, sent] = [[], []];
});

/** Long enough for a busy machine. */
const PATIENT_MS = 30_000;

const settings = (): Omit<SmsOptions, 'monotonic' | 'onFailing'> => ({
  ...{ url: gateway.url, method: 'POST', contentType: 'application/json' },
  ...{ body: '{"to":"+{phone}","text":"{text}"}', authorization: TOKEN, timeoutMs: PATIENT_MS },
});

const CODE_TO_MONA = { phone: PHONE, language: 'ar', code: CODE } as const;

const bySms = (options: Partial<SmsOptions> = {}) =>
  smsSender({
    ...settings(),
    ...{ monotonic: () => 0, onFailing: (reason: string) => failing.push(reason) },
    ...options,
  });

const NEVER_ON_WHATSAPP = { status: 400, code: 131026, message: 'Message undeliverable' };

describe('a code by SMS', () => {
  test('is the text of a code in the body that the operator wrote, with the authorization', async () => {
    expect(await bySms()(CODE_TO_MONA)).toEqual({ sent: true, providerId: null });
    const [request] = gateway.requests;
    expect(request).toMatchObject({
      ...{ method: 'POST', address: '/messages' },
      headers: { authorization: TOKEN, 'content-type': 'application/json; charset=utf-8' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({ to: `+${PHONE}`, text: codeText('ar', CODE) });
  });

  test('is put as a form where the gateway takes one, without authorization where there is none', async () => {
    const form = {
      contentType: 'application/x-www-form-urlencoded',
      body: 'to={phone}&text={text}',
    } as const;
    await bySms({ ...form, method: 'PUT', authorization: null })({ ...CODE_TO_MONA, language: 'en' });
    const [request] = gateway.requests;
    expect(request?.method).toBe('PUT');
    expect(request?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      ...{ to: PHONE, text: codeText('en', CODE) },
    });
  });

  test.each([
    [400, 'never'],
    [404, 'never'],
    [401, 'later'],
    [429, 'later'],
    [503, 'later'],
  ] as const)('that is answered with %d may be sent again %s', async (status, again) => {
    gateway.instead = answering(status);
    expect(await bySms()(CODE_TO_MONA)).toMatchObject({ sent: false, again, reason: `HTTP ${status}` });
    expect(gateway.requests).toHaveLength(1);
  });

  test('that is answered with a redirect is not sent there', async () => {
    gateway.instead = answering(307, { location: gateway.url });
    expect(await bySms()(CODE_TO_MONA)).toMatchObject({
      ...{ sent: false, again: 'later', reason: 'HTTP 307, which is not followed' },
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('waits as long as the gateway asks', async () => {
    gateway.instead = answering(429, { 'retry-after': '7' });
    expect(await bySms()(CODE_TO_MONA)).toMatchObject({ waitMs: 7_000 });
  });

  test('is refused at once after three timeouts', async () => {
    // Its requests may come in after the test has ended.
    const silent = await openSmsGateway();
    silent.instead = () => undefined;
    const send = bySms({ url: silent.url, timeoutMs: 50 });
    for (let n = 0; n < 3; n += 1) expect(await send(CODE_TO_MONA)).toMatchObject({ again: 'later' });
    expect(await send(CODE_TO_MONA)).toMatchObject({ reason: 'the SMS gateway did not answer lately' });
    expect(failing).toEqual(['no answer in time']);
    await silent.stop();
  });
});

const inTurn = (options: Partial<ProviderSettings> = {}) => {
  const { api, phoneId, token, codeTemplate } = whatsApp;
  return providersSender(
    {
      ...{ api, phoneId, token, codeTemplate, timeoutMs: PATIENT_MS },
      ...{ codes: ['whatsapp', 'sms'], sms: settings() },
      ...options,
    },
    {
      monotonic: () => 0,
      onFailing: (provider, reason) => failing.push(`${provider}: ${reason}`),
      onSent: ({ sender, place }, refusals) =>
        sent.push(place === 'first' ? sender : `${sender} after ${refusals}`),
    },
  );
};
const sendCode = (options: Partial<ProviderSettings> = {}): Promise<SendOutcome> =>
  inTurn(options).sendCode(CODE_TO_MONA);

describe('a code with WhatsApp and SMS', () => {
  test('goes by the first alone when it takes it', async () => {
    expect(await sendCode()).toMatchObject({ sent: true });
    expect([whatsApp.requests, gateway.requests.length, sent]).toEqual([1, 0, ['whatsapp']]);
    expect(await sendCode({ codes: ['sms', 'whatsapp'] })).toMatchObject({ sent: true });
    expect([whatsApp.requests, gateway.requests.length, sent[1]]).toEqual([1, 1, 'sms']);
  });

  test('that WhatsApp refuses goes by SMS, once and with the same digits', async () => {
    whatsApp.instead = whatsAppError(NEVER_ON_WHATSAPP);
    expect(await sendCode()).toEqual({ sent: true, providerId: null });
    expect(whatsApp.requests).toBe(1);
    expect(gateway.requests.map(({ body }) => body)).toEqual([expect.stringContaining(CODE)]);
    expect(sent).toEqual([expect.stringMatching(/^sms after whatsapp: HTTP 400, WhatsApp error 131026/)]);
  });

  test('that WhatsApp does not take in time goes by SMS', async () => {
    whatsApp.instead = () => undefined;
    expect(await sendCode({ timeoutMs: 50 })).toMatchObject({ sent: true });
    expect(sent).toEqual(['sms after whatsapp: no answer in time']);
  });

  test('that the SMS gateway refuses goes by WhatsApp, where SMS is first', async () => {
    gateway.instead = answering(503);
    expect(await sendCode({ codes: ['sms', 'whatsapp'] })).toMatchObject({ sent: true });
    expect(sent).toEqual(['whatsapp after sms: HTTP 503']);
  });

  test.each([
    ['no retry helps with either', 400, { again: 'never' }],
    ['a retry helps with one', 503, { again: 'later', waitMs: null }],
  ])('that nobody takes is refused: %s', async (_, status, expected) => {
    whatsApp.instead = whatsAppError(NEVER_ON_WHATSAPP);
    gateway.instead = answering(status);
    expect(await sendCode()).toMatchObject({ sent: false, ...expected });
    expect(sent).toEqual([]);
  });

  test('leaves messages to WhatsApp alone', async () => {
    whatsApp.instead = whatsAppError(NEVER_ON_WHATSAPP);
    const parameters = ['Qahwa House', 'D-ZML-260424-0007', 'https://ahwa.example/track/6f0c'];
    const message = { phone: PHONE, template: 'order_ready', language: 'en', parameters } as const;
    expect(await inTurn().send(message)).toMatchObject({ sent: false, again: 'never' });
    expect(gateway.requests).toEqual([]);
  });
});

test('no reason contains the phone, the code or the authorization', async () => {
  const echo = [PHONE, CODE, TOKEN].join(' ');
  whatsApp.instead = (response) => response.writeHead(500).end(echo);
  gateway.instead = (response) => response.writeHead(500, echo).end(echo);
  const outcome = await sendCode();
  const said = JSON.stringify([outcome, sent, failing]);
  for (const secret of [PHONE, PHONE.slice(-8), CODE, 'a-token']) expect(said).not.toContain(secret);
});
