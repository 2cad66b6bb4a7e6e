import { describe, expect, test } from 'vitest';
import { allowFaults, isListedName, isPermittedHost, mayReach, parseAllow } from './webhook-allow.ts';

const EVERYTHING = '0.0.0.0/0, ::/0, till.internal';

const isReached = (allow: string, url: string, ...addresses: readonly string[]): boolean =>
  addresses.every((address) => mayReach(parseAllow(allow) ?? [], new URL(url), address));

describe('WEBHOOK_ALLOW', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.1:8787',
    '10.0.0.0/8, 192.168.1.7:443',
    '::1, [::1]:8787, fd00::/8, [fd00::/8]:443',
    'localhost, till:8443, Till.Internal., مقهى.internal',
    '0.0.0.0/0',
    '::ffff:10.0.0.0/104',
  ])('%s is read', (text) => {
    expect(allowFaults(text)).toEqual([]);
    expect(parseAllow(text)).toHaveLength(text.split(',').length);
  });

  test.each([
    ['127.1', 'is no host name, address or range'],
    ['2130706433', 'is no host name, address or range'],
    ['0x7f000001', 'is no host name, address or range'],
    ['0177.0.0.1', 'is no host name, address or range'],
    ['http://till', 'is no host name, address or range'],
    ['till/hooks', 'is no host name, address or range'],
    ['10.0.0.0/33', 'is no host name, address or range'],
    ['till:port', 'is no host name, address or range'],
    ['[till]:80', 'is no host name, address or range'],
    ['me@till', 'is no host name, address or range'],
    ['till:0', 'has no port from 1 to 65535'],
    ['till:65536', 'has no port from 1 to 65535'],
    ['8.8.8.8', 'is public and needs no permission'],
    ['169.254.169.254', 'is link-local, unspecified or special, which is never permitted'],
    ['169.254.0.0/16', 'is link-local, unspecified or special, which is never permitted'],
    ['::ffff:169.254.169.254', 'is link-local, unspecified or special, which is never permitted'],
    ['fe80::/10', 'is link-local, unspecified or special, which is never permitted'],
    ['0.0.0.0', 'is link-local, unspecified or special, which is never permitted'],
    ['::', 'is link-local, unspecified or special, which is never permitted'],
    ['100.100.100.200', 'is link-local, unspecified or special, which is never permitted'],
    ['fd00:ec2::254', 'is link-local, unspecified or special, which is never permitted'],
  ])('%s is refused, and the fault says why', (text, fault) => {
    expect(allowFaults(`10.0.0.1, ${text}`)).toEqual([`${JSON.stringify(text)} ${fault}`]);
    expect(parseAllow(`10.0.0.1, ${text}`)).toBeUndefined();
  });
});

test('an address inside is reached only within a listed range and at a listed port', () => {
  expect(isReached('10.0.0.0/8', 'https://till.example/', '10.1.2.3')).toBe(true);
  expect(isReached('10.0.0.0/8', 'https://till.example/', '192.168.0.1')).toBe(false);
  expect(isReached('10.0.0.0/8:8443', 'https://till.example:8443/', '10.1.2.3')).toBe(true);
  expect(isReached('10.0.0.0/8:8443', 'https://till.example/', '10.1.2.3')).toBe(false);
  expect(isReached('10.0.0.0/8:80, 10.0.0.0/8:443', 'http://till.example/', '10.1.2.3')).toBe(true);
  expect(isReached('[fd00::/8]:443', 'https://till.example/', 'fd00::1')).toBe(true);
});

test('a listed name reaches addresses inside, and no other name does', () => {
  expect(isReached('till.internal', 'https://till.internal/', '10.1.2.3', '1.1.1.1')).toBe(true);
  expect(isReached('till.internal', 'https://TILL.internal./', 'fd00::1')).toBe(true);
  expect(isReached('till.internal', 'https://a.till.internal/', '10.1.2.3')).toBe(false);
  expect(isListedName(parseAllow('till.internal:8443') ?? [], new URL('https://till.internal/'))).toBe(false);
});

test.each([
  ['169.254.169.254', '169.254.0.1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '::a9fe:a9fe'],
  ['fe80::1', 'febf::1', 'fec0::1', '2002:a9fe:a9fe::1'],
  ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0', '64:ff9b::'],
  ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '168.63.129.16', '::ffff:100.100.100.200'],
  ['224.0.0.1', '255.255.255.255', 'ff02::1', '240.0.0.1', '198.18.0.1', '192.0.0.192'],
  ['64:ff9b::7f00:1', '2002:7f00:1::', '::127.0.0.1', '64:ff9b:1::7f00:1'],
])('%s and similar addresses are reached by no entry', (...addresses) => {
  for (const address of addresses)
    expect([address, isReached(EVERYTHING, 'https://till.internal/', address)]).toEqual([address, false]);
});

test('a range around addresses that are never reached is read, and reaches the others', () => {
  expect(allowFaults('0.0.0.0/0')).toEqual([]);
  expect(isReached('0.0.0.0/0', 'https://till.example/', '10.1.2.3')).toBe(true);
  expect(isReached('0.0.0.0/0', 'https://till.example/', '169.254.169.254')).toBe(false);
});

test('an IPv4-mapped address counts as the IPv4 address in it', () => {
  expect(isReached('127.0.0.1', 'http://till.example/', '::ffff:127.0.0.1', '::ffff:7f00:1')).toBe(true);
  expect(isReached('::ffff:127.0.0.1', 'http://till.example/', '127.0.0.1')).toBe(true);
  expect(isReached('127.0.0.1', 'http://till.example/', '::ffff:127.0.0.2')).toBe(false);
});

test('http is for permitted hosts inside, never for the public internet', () => {
  expect(isReached('till.example', 'http://till.example/', '10.1.2.3')).toBe(true);
  expect(isReached('till.example', 'http://till.example/', '1.1.1.1')).toBe(false);
  expect(isReached('till.example', 'https://till.example/', '1.1.1.1')).toBe(true);
});

test('decimal, octal and hexadecimal forms in an address of a webhook are the address that they are', () => {
  const allow = parseAllow('127.0.0.1') ?? [];
  const [permitted, others] = [
    ['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f.0.0.1/', 'http://0177.0.0.1/'],
    ['http://127.0.0.2/', 'http://2130706434/', 'http://0x7f.0.0.2/', 'http://localhost/', 'http://[::1]/'],
  ];
  expect(permitted.filter((url) => isPermittedHost(allow, new URL(url)))).toEqual(permitted);
  expect(others.filter((url) => isPermittedHost(allow, new URL(url)))).toEqual([]);
});
