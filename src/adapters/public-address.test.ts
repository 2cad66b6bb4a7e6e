import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:810::200e',
  '2001:4860:4860::8888',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.1', '192.0.2.1', '192.88.99.1'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.7', '203.0.113.7'],
  ['224.0.0.1', '239.255.255.255'],
  ['240.0.0.1', '255.255.255.255'],
  ['::', '::1'],
  ['fc00::1', 'fdff::1'],
  ['fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1'],
  ['ff02::1'],
  ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  [
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::',
    '64:ff9b::1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::808:808',
  ],
  ['2002:7f00:1::', '2002:808:808::1'],
  ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:10::1', '2001:20::1', '2001:2::1', '2001:db8::1'],
  ['3fff::1', '100::1', '5f00::1', '4000::1'],
  ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.1.1.1 ', '[::1]'],
])('%s and the like are not', (...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('an address reached through IPv6 is judged as the IPv4 address that it is', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(isPublicAddress(`64:ff9b::${groups}`)).toBe(isPublicAddress(address));
      expect(isPublicAddress(`64:ff9b:0:0:0:0:${groups}`)).toBe(isPublicAddress(address));
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
    }),
  );
});
