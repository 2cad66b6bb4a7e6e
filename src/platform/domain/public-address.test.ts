import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress, mayBePublicHost } from './public-address.ts';

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
  ['168.63.129.16', '64:ff9b::a83f:8110', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'],
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
])('%s and similar addresses are not public', (...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('an address of NAT64 is public if its IPv4 address is, a mapped address never', () => {
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

const blocked = (family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return list;
};

/** The reference implementation: Node.js' `BlockList` with IANA's registries. */
const reference = (): ((address: string) => boolean) => {
  const v4 = blocked('ipv4', [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
    ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
    // Anycast services: AS112 (RFC 7535, 7534) and AMT relays (RFC 7450).
    ...['192.31.196.0/24', '192.175.48.0/24', '192.52.193.0/24'],
    // Azure's metadata.
    '168.63.129.16/32',
  ]);
  const v6 = blocked('ipv6', [
    ...[
      '::/3',
      '4000::/2',
      '8000::/1',
      '2001::/23',
      '2001:db8::/32',
      '2002::/16',
      '3fff::/20',
      '2620:4f:8000::/48',
    ],
  ]);
  return (address) => (isIP(address) === 4 ? !v4.check(address, 'ipv4') : !v6.check(address, 'ipv6'));
};

test('the check agrees with a block list of Node.js, also at the edges of private ranges', () => {
  const isOutside = reference();
  const heads = ['100', '1fff', '2000', '2001', '2001:1ff', '2001:200', '2001:db7', '2001:db8', '2001:db9'];
  const more = ['2002', '2003', '3fff', '3fff:fff', '3fff:1000', '4000', '7fff', 'fd00', 'fe80', 'ffff'];
  const nearV6 = fc
    .tuple(fc.constantFrom(...heads, ...more), fc.integer({ min: 0, max: 0xffff }))
    .map(([head, last]) => `${head}::${last.toString(16)}`);
  const nearV4 = fc
    .tuple(
      fc.constantFrom(
        '10',
        '100.63',
        '100.64',
        '100.127',
        '100.128',
        '169.254',
        '172.15',
        '172.16',
        '172.32',
      ),
      fc.ipV4(),
    )
    .map(([head, address]) => [...head.split('.'), ...address.split('.')].slice(0, 4).join('.'));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), nearV4, fc.ipV6(), nearV6), (address) => {
      expect(isPublicAddress(address)).toBe(isOutside(address));
    }),
  );
});

test.each([
  ['192.31.196.1', '192.175.48.1', '192.52.193.1', '2620:4f:8000::1', '2001:3::1', '2001:4:112::1'],
])('an anycast service such as %s is not public', (...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

/** Spellings that an address parser may accept and another read differently. */
const SPELLINGS = [
  ...['010.8.8.8', '8.8.8.08', '0x8.8.8.8', '8.8.8.0x8', '8.8.2056', '134744072', '0x08080808', '+8.8.8.8'],
  ...[' 8.8.8.8', '8.8.8.8\n', '8.8.8.8.', '.8.8.8.8', '8.8.8.256', '8.8.8.-8', '8.8.8.8%eth0', '8.8.8.8/32'],
  ...[
    '64:ff9b::010.8.8.8',
    '64:ff9b::0x8.8.8.8',
    '64:ff9b::8.8.8',
    '64:ff9b::8.8.8.8%1',
    '64:ff9b::8.8.8.256',
  ],
  ...[
    '2606:4700::1111%eth0',
    '2606:4700::1111%',
    '2606:4700::1111/64',
    '[2606:4700::1111]',
    '2606:4700::11111',
  ],
  ...['2606:4700:::1111', '2606::4700::1111', ':2606:4700::1111', '2606:4700::1111:', '2606:4700:1:2:3:4:5'],
  ...[
    '2606:4700:1:2:3:4:5:6:7',
    '2606:4700:1:2:3:4:5:8.8.8.8',
    '2606:4700:1::3:4:5:6:8.8.8.8',
    '2606:4700::g',
  ],
];

test('an address in any other than the strict notation is not public', () => {
  expect(SPELLINGS.filter(isPublicAddress)).toEqual([]);
});

test('a text that Node.js does not read as an address, or with a zone, is not public', () => {
  const piece = fc.constantFrom(
    '2606',
    '64',
    'ff9b',
    ':',
    '::',
    '8',
    '.',
    '8.8.8.8',
    '0',
    '010',
    '0x8',
    '%1',
    '/',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(isPublicAddress(text) && (isIP(text) === 0 || text.includes('%'))).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254', '100.64.0.1', '[64:ff9b::7f00:1]'],
  ['localhost', 'localhost.', 'till.localhost', 'till.local', 'till.internal', 'metadata.google.internal.'],
])('a host such as %s is not public, whatever it resolves to', (...hosts) => {
  expect(hosts.filter(mayBePublicHost)).toEqual([]);
});

test('any other host name may be public until it is resolved', () => {
  const hosts = [
    '1.1.1.1',
    '[2606:4700::1111]',
    'till.example',
    'localhost.example',
    'mylocal',
    'international',
  ];
  expect(hosts.filter(mayBePublicHost)).toEqual(hosts);
});
