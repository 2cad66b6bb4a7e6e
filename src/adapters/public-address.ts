/**
 * Which addresses lie on the public internet. Whatever a shop's webhook leads to besides them is inside somebody's walls:
 * this machine, its neighbours, the host's own services.
 */
import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registries for IPv4, with multicast and what is reserved. */
const NOT_PUBLIC_V4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // a carrier's own
  ['127.0.0.0', 8], // this machine
  ['169.254.0.0', 16], // this link, and the services of cloud hosts
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4, no more in use
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and everybody (255.255.255.255)
];

/**
 * Of IPv6 only what is handed out for the world (2000::/3) is public; it leaves out this machine, this link, private,
 * multicast, and IPv4 written as IPv6 (::ffff:0:0/96). Within it these are not.
 */
const HANDED_OUT_V6 = ['2000::', 3] as const;
const NOT_PUBLIC_V6: readonly (readonly [address: string, bits: number])[] = [
  ['2001::', 23], // protocol assignments, among them Teredo, which has an IPv4 address inside
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which has an IPv4 address inside
  ['3fff::', 20], // documentation
];

/** The way to IPv4 from networks that have only IPv6: the last 32 bits are the IPv4 address. */
const TRANSLATED_V6 = ['64:ff9b::', 96] as const;

const listOf = (family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, family);
  return list;
};

const notPublicV4 = listOf('ipv4', NOT_PUBLIC_V4);
const handedOutV6 = listOf('ipv6', [HANDED_OUT_V6]);
const notPublicV6 = listOf('ipv6', NOT_PUBLIC_V6);
const translatedV6 = listOf('ipv6', [TRANSLATED_V6]);

/** The IPv4 address in the last 32 bits; `URL` writes an IPv6 address in its one spelling, groups in hexadecimal. */
const embeddedV4 = (address: string): string => {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = written.replace(/::$/, ':0:0').split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** Whether `address` is an IP address on the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !notPublicV4.check(address, 'ipv4');
  // With a zone (`fe80::1%eth0`) it is an address of this link at best.
  if (version !== 6 || address.includes('%')) return false;
  if (translatedV6.check(address, 'ipv6')) return isPublicAddress(embeddedV4(address));
  return handedOutV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
};
