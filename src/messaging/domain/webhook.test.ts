import { expect, test } from 'vitest';
import { parseAllow } from './webhook-allow.ts';
import { eventBody, redactedUrl, shownUrl, signedText, webhookUrl } from './webhook.ts';

test.each([
  ['https://till.example/hooks', 'https://till.example/hooks'],
  [' https://Till.Example ', 'https://till.example/'],
  ['https://till.example:8443/a?shop=1', 'https://till.example:8443/a?shop=1'],
  ['https://مقهى.example/طلب', 'https://xn--ehbfhi.example/%D8%B7%D9%84%D8%A8'],
])('%s is accepted as an address', (text, url) => {
  expect(webhookUrl(text, [])).toBe(url);
});

test.each([
  ['till.example/hooks', 'must be a web address'],
  ['', 'must be a web address'],
  ['http://till.example', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['https://ahwa:secret@till.example', 'must not hold a name or password'],
  ['https://till.example/#orders', 'must not have a part after #'],
  [`https://till.example/${'a'.repeat(2_000)}`, 'must have at most 2000 characters'],
])('%s is refused as an address, with the problem in both languages', (text, problem) => {
  expect(webhookUrl(text, [])).toMatchObject({ problem, arabic: expect.any(String) as string });
});

test.each([
  ['https://127.0.0.1:9/x', '127.0.0.1'],
  ['https://localhost/x', 'localhost'],
  ['https://LOCALHOST./x', 'localhost.'],
  ['https://10.0.0.1/', '10.0.0.1'],
  ['https://169.254.169.254/', '169.254.169.254'],
  ['https://100.64.0.1/', '100.64.0.1'],
  ['https://0x7f000001/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://１２７.0.0.1/', '127.0.0.1'],
  ['https://[::1]/', '[::1]'],
  ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['https://till.localhost/', 'till.localhost'],
  ['https://till.local/', 'till.local'],
  ['https://till.internal:8443/', 'till.internal'],
])('%s is refused as not public, with the host named', (text, host) => {
  expect(webhookUrl(text, [])).toMatchObject({
    problem: `must be on the public internet, and ${host} is not`,
    arabic: expect.stringContaining(host) as string,
  });
});

test.each([
  ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787/'],
  ['https://till.internal/hooks', 'https://till.internal/hooks'],
])('%s is accepted where WEBHOOK_ALLOW permits it', (text, url) => {
  expect(webhookUrl(text, parseAllow('127.0.0.1, till.internal') ?? [])).toBe(url);
  expect(webhookUrl(text, [])).not.toBe(url);
});

test('an address is shown without its query', () => {
  expect(redactedUrl('https://till.example:8443/hooks?token=abc')).toBe('till.example:8443/hooks');
  expect(shownUrl('https://till.example:8443/hooks?token=abc')).toBe('https://till.example:8443/hooks?…');
  expect(shownUrl('https://till.example/hooks')).toBe('https://till.example/hooks');
});

test('an event body has the event’s type and time and the order', () => {
  const body = eventBody({ type: 'order.updated' }, Date.UTC(2026, 10, 20, 18), {
    id: 'o1',
    status: 'ready',
  });
  expect(JSON.parse(body)).toEqual({
    type: 'order.updated',
    timestamp: '2026-11-20T18:00:00.000Z',
    data: { id: 'o1', status: 'ready' },
  });
});

test('the signed text is id, timestamp and body, joined by dots', () => {
  expect(signedText('msg_1', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'msg_1.1614265330.{"test": 2432232314}',
  );
});
