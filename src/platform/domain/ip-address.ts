/**
 * IP addresses and CIDR ranges, read strictly: IPv4 as four decimal numbers without leading zeros (no octal,
 * hexadecimal or shortened form), IPv6 without a zone.
 */
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A network address and its prefix length in bits. */
export interface IpRange {
  readonly network: IpAddress;
  readonly bits: number;
}

/**
 * IPv6 with its dotted tail as two hexadecimal groups; null for another tail. The library alone would read octal in the
 * tail, and `::1.2.3.4` as the IPv4-mapped `::ffff:1.2.3.4`.
 */
const withHexTail = (text: string): string | null => {
  const start = text.lastIndexOf(':') + 1;
  const tail = text.slice(start);
  if (!tail.includes('.')) return text;
  if (start === 0 || !ipaddr.IPv4.isValidFourPartDecimal(tail)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(tail).octets;
  return `${text.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

export const parseIpAddress = (text: string): IpAddress | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const v6 = /^[0-9a-f:.]+$/i.test(text) ? withHexTail(text) : null;
  return v6 !== null && ipaddr.IPv6.isValid(v6) ? ipaddr.IPv6.parse(v6) : null;
};

/** A CIDR range, or an address as the range of itself alone. */
export const parseIpRange = (text: string): IpRange | null => {
  const [address = '', bits, ...more] = text.split('/');
  const network = parseIpAddress(address);
  if (network === null || more.length > 0) return null;
  const longest = network.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { network, bits: longest };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest ? { network, bits: Number(bits) } : null;
};

const isV4 = (address: IpAddress): address is ipaddr.IPv4 => address.kind() === 'ipv4';

/** An IPv4 address is also in the IPv6 ranges that its IPv4-mapped form (::ffff:0:0/96) is in. */
export const isInRange = (address: IpAddress, { network, bits }: IpRange): boolean => {
  if (address.kind() === network.kind()) return address.match(network, bits);
  return isV4(address) && address.toIPv4MappedAddress().match(network, bits);
};

/** An IPv4-mapped IPv6 address as the IPv4 address; any other address as it is. */
export const withoutMapping = (address: IpAddress): IpAddress =>
  !isV4(address) && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** The IPv4 address in the last 32 bits of an IPv6 address. */
export const embeddedV4 = (address: IpAddress): IpAddress =>
  ipaddr.fromByteArray(address.toByteArray().slice(-4));
