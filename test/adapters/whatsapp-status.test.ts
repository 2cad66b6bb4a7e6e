/** Delivery reports in WhatsApp's wire format: signed, batched, in any order. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { challengeAnswer, isSigned, readStatuses } from '../../src/adapters/senders/whatsapp-status.ts';

const SECRET = '5e1f9a3c7b2d4e6f8a0b1c2d3e4f5a6b';
const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const signatureOf = (body: Uint8Array): string =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

const status = (fields: object) => ({
  id: 'wamid.HBgMMjAxMDAxMjM0NTY3FQIAERgSQTRBNjU5OUFFRTAzODEwMTQ0AA==',
  status: 'delivered',
  timestamp: '1777053600',
  recipient_id: '201001234567',
  ...fields,
});

const report = (...statuses: unknown[]) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '102290129340398',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '201090000000', phone_number_id: '106540352242922' },
            statuses,
          },
        },
      ],
    },
  ],
});

describe('the signature of a report', () => {
  test('covers the received bytes, not the parsed JSON', () => {
    const body = bytes('{"text":"\\u0642\\u0647\\u0648\\u0629 / قهوة","n":1.0}');
    expect(isSigned(body, signatureOf(body), SECRET)).toBe(true);
    const rewritten = bytes(JSON.parse(body.toString()));
    expect(isSigned(rewritten, signatureOf(body), SECRET)).toBe(false);
  });

  test('matches an example computed with openssl', () => {
    // echo -n '{"object":"whatsapp_business_account"}' | openssl dgst -sha256 -hmac app-secret
    const body = bytes('{"object":"whatsapp_business_account"}');
    const signature = 'sha256=0bf7374433906636bed1653bc7c64affb42fa5da9a39e251ab95c2e3a9c06923';
    expect(isSigned(body, signature, 'app-secret')).toBe(true);
  });

  test.each([
    ['none', () => undefined],
    ['empty', () => ''],
    ['of another secret', (body: Buffer) => `sha256=${createHmac('sha256', 'x').update(body).digest('hex')}`],
    ['without its kind', (body: Buffer) => signatureOf(body).replace('sha256=', '')],
    ['of the older kind', (body: Buffer) => `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`],
    ['cut short', (body: Buffer) => signatureOf(body).slice(0, -2)],
    ['longer', (body: Buffer) => `${signatureOf(body)}00`],
    ['in letters of another alphabet', () => `sha256=${'é'.repeat(64)}`],
  ])('is refused when it is %s', (_, signature) => {
    const body = bytes(report(status({})));
    expect(isSigned(body, signature(body), SECRET)).toBe(false);
  });

  test('is invalid for a body with one changed bit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (body, at) => {
        const changed = Uint8Array.from(body, (byte, i) => (i === at % body.length ? byte ^ 1 : byte));
        expect(isSigned(body, signatureOf(body), SECRET)).toBe(true);
        expect(isSigned(changed, signatureOf(body), SECRET)).toBe(false);
      }),
    );
  });
});

describe('the subscription challenge', () => {
  const answerTo = (fields: Record<string, string>) =>
    challengeAnswer(
      new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.challenge': '1158201444',
        'hub.verify_token': 'meet-me-here',
        ...fields,
      }),
      'meet-me-here',
    );

  test('is answered for the right verify token', () => {
    expect(answerTo({})).toBe('1158201444');
  });

  test.each([
    [{ 'hub.verify_token': 'guess' }],
    [{ 'hub.verify_token': '' }],
    [{ 'hub.mode': 'unsubscribe' }],
    [{ 'hub.challenge': '' }],
    [{ 'hub.challenge': '1'.repeat(1001) }],
  ])('is not answered for %j', (fields) => {
    expect(answerTo(fields)).toBeNull();
  });

  test('is not answered for an empty query', () => {
    expect(challengeAnswer(new URLSearchParams(), 'meet-me-here')).toBeNull();
  });
});

describe('a delivery report', () => {
  test('gives the delivery status of each message, in order', () => {
    const two = report(
      status({ id: 'wamid.A', status: 'sent' }),
      status({ id: 'wamid.B', status: 'read', pricing: { billable: true } }),
    );
    expect(readStatuses(bytes(two))).toEqual([
      { providerId: 'wamid.A', delivery: 'sent' },
      { providerId: 'wamid.B', delivery: 'read' },
    ]);
  });

  test('gives the reason of a failure and whether to retry, without the phone', () => {
    const errors = [
      {
        code: 131026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: 'Message to +201001234567 undeliverable.' },
        href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
      },
    ];
    const [failed] = readStatuses(bytes(report(status({ status: 'failed', errors }))));
    expect(failed).toMatchObject({
      delivery: 'failed',
      failure: { again: 'never', reason: 'WhatsApp error 131026: the phone cannot be reached on WhatsApp' },
    });
    expect(JSON.stringify(failed)).not.toContain('201001234567');
    const [limited] = readStatuses(bytes(report(status({ status: 'failed', errors: [{ code: 131056 }] }))));
    expect(limited).toMatchObject({ failure: { again: 'later' } });
  });

  test('a failure without a reason is not retried', () => {
    expect(readStatuses(bytes(report(status({ status: 'failed' }))))).toMatchObject([
      { failure: { again: 'never', reason: 'WhatsApp reports that it failed, not why' } },
    ]);
  });

  test('inbound messages, template updates and malformed reports give no status', () => {
    const messages = [{ from: '201001234567', id: 'wamid.X', timestamp: '1777053600', type: 'text' }];
    const inbound = { entry: [{ changes: [{ field: 'messages', value: { messages } }] }] };
    const template = {
      entry: [{ changes: [{ field: 'message_template_status_update', value: { statuses: [status({})] } }] }],
    };
    for (const body of [
      inbound,
      template,
      {},
      [],
      'null',
      '',
      '{',
      '7',
      { entry: 'x' },
      { entry: [null, 7, { changes: [[]] }] },
    ])
      expect(readStatuses(bytes(body))).toEqual([]);
  });

  test('unknown statuses are skipped and known ones kept', () => {
    const good = status({ id: 'wamid.A' });
    const bad = [
      null,
      'x',
      status({ id: '' }),
      status({ id: 7 }),
      status({ id: 'w'.repeat(256) }),
      status({ status: 'played' }),
      status({ status: 'toString' }),
    ];
    expect(readStatuses(bytes(report(...bad, good, ...bad)))).toMatchObject([{ providerId: 'wamid.A' }]);
  });

  test('any signed JSON is read without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(
          readStatuses(bytes(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] }))),
        ).toEqual([]);
        expect(readStatuses(bytes(JSON.stringify(report(value))))).toEqual([]);
      }),
    );
  });
});
