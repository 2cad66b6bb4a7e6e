import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientKeyOf, clientResolver } from './client.ts';

describe('the client of a peer address', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::203.0.113.9', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
    ['2002:cb00:7109::1', '2002:cb00:7109:0::/64'],
    ['203.0.113.09', 'unknown'],
    ['::ffff:0313.0.113.9', 'unknown'],
    ['3405803785', 'unknown'],
    ['nonsense', 'unknown'],
    [undefined, 'unknown'],
  ])('%s counts as %s', (address, key) => expect(clientKeyOf(address)).toBe(key));
});

describe('the header X-Forwarded-For', () => {
  const from = (proxies: readonly string[], remoteAddress: string, forwarded?: string): string => {
    const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
    return clientResolver(proxies).clientOf(request as unknown as IncomingMessage);
  };

  test('is ignored from a peer that is not a configured proxy', () => {
    expect(from([], '198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
    expect(from(['10.0.0.0/8'], '198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
  });

  test('behind a configured proxy, names the client as the rightmost hop that is no proxy', () => {
    expect(from(['10.0.0.0/8'], '10.1.2.3', '203.0.113.9')).toBe('203.0.113.9');
    expect(from(['10.0.0.0/8'], '::ffff:10.1.2.3', '6.6.6.6, 203.0.113.9, 10.9.9.9')).toBe('203.0.113.9');
    expect(from(['fd00::/8', '10.0.0.1'], 'fd00::5', '2001:db8:7::1, 10.0.0.1')).toBe('2001:db8:7:0::/64');
  });

  test('loses a port; without a valid hop the proxy itself is the client', () => {
    expect(from(['10.0.0.1'], '10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9');
    expect(from(['10.0.0.1'], '10.0.0.1', '[2001:db8::1]:4711')).toBe('2001:db8:0:0::/64');
    expect(from(['10.0.0.1'], '10.0.0.1', 'x'.repeat(100))).toBe('10.0.0.1');
    expect(from(['10.0.0.1'], '10.0.0.1', '203.0.113.9, garbage')).toBe('10.0.0.1');
    expect(from(['10.0.0.1'], '10.0.0.1')).toBe('10.0.0.1');
  });

  test('does not make another spelling of a proxy’s address trusted', () => {
    for (const hop of ['::10.0.0.1', '010.0.0.1', '10.1', '0xa.0.0.1', '64:ff9b::10.0.0.1'])
      expect(from(['10.0.0.1'], '10.0.0.1', `6.6.6.6, ${hop}`)).not.toBe('6.6.6.6');
    expect(from(['10.0.0.1'], '10.0.0.1', '203.0.113.9, ::ffff:10.0.0.1')).toBe('203.0.113.9');
  });

  test.each(['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '::/129', '10.0.0.0/', ''])(
    '%j is refused as a configured proxy',
    (proxy) => expect(() => clientResolver([proxy])).toThrow('CIDR'),
  );
});
