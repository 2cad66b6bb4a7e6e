import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInRange, parseIpAddress, parseIpRange, withoutMapping } from './ip-address.ts';

const textOf = (text: string): string | undefined => parseIpAddress(text)?.toString();

test('an address is read in any letter case and with or without zeros', () => {
  expect(textOf('203.0.113.9')).toBe('203.0.113.9');
  expect(textOf('2001:0DB8::00a1')).toBe('2001:db8::a1');
  expect(textOf('::')).toBe('::');
  expect(textOf('::ffff:203.0.113.9')).toBe('::ffff:cb00:7109');
});

test.each([
  ...['', ' ', '1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '0x1.2.3.4', '1.2.3.256', '1.2.3.4 ', '2130706433'],
  ...['1::2::3', ':::', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '12345::', '::g', 'fe80::1%eth0', '[::1]'],
  ...['::0177.0.0.1', '::ffff:0177.0.0.1', '::ffff:0x7f.0.0.1', '::ffff:127.1', '1.2.3.4::'],
])('%j is no address', (text) => expect(parseIpAddress(text)).toBeNull());

const groups = fc.array(fc.constantFrom('0', '1', 'ffff', '00ab', ':', '::', '127.0.0.1', '8.8.8.8'), {
  maxLength: 11,
});

test('the same texts are addresses as in Node.js', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        groups.map((parts) => parts.join(':')),
        groups.map((parts) => parts.join('')),
      ),
      (text) => {
        expect(parseIpAddress(text) !== null).toBe(isIP(text) !== 0);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('an IPv4-mapped address is converted to IPv4, and no other address is', () => {
  const unmapped = (text: string): string | undefined => {
    const address = parseIpAddress(text);
    return address === null ? undefined : withoutMapping(address).toString();
  };
  expect(unmapped('::ffff:10.1.2.3')).toBe('10.1.2.3');
  expect(unmapped('::ffff:a01:203')).toBe('10.1.2.3');
  expect(unmapped('::10.1.2.3')).toBe('::a01:203');
  expect(unmapped('64:ff9b::10.1.2.3')).toBe('64:ff9b::a01:203');
});

test.each([
  '',
  '/',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/8 ',
  '::/129',
  '::/0x8',
  '10/8',
])('%j is no range', (text) => expect(parseIpRange(text)).toBeNull());

test('a range has the same addresses as in Node.js, also IPv4 addresses in an IPv6 range', () => {
  const v6 = fc.oneof(
    fc.ipV6(),
    fc.ipV4().map((address) => `::ffff:${address}`),
    fc.constantFrom('::', 'fd00::', '2001:db8::'),
  );
  const range = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.constant('ipv4' as const)),
    fc.tuple(v6, fc.integer({ min: 0, max: 128 }), fc.constant('ipv6' as const)),
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), range, (text, [network, bits, family]) => {
      const list = new BlockList();
      list.addSubnet(network, bits, family);
      const [address, parsed] = [parseIpAddress(text), parseIpRange(`${network}/${bits}`)];
      const isFound = address !== null && parsed !== null && isInRange(withoutMapping(address), parsed);
      const version = isIP(text) === 4 ? 'ipv4' : 'ipv6';
      expect(isFound).toBe(list.check(text, version));
    }),
    { numRuns: 2_000 },
  );
});
