/**
 * Which addresses are on the public internet, so that a shop's webhook never reaches this machine or its neighbours
 * (SSRF).
 */
import { embeddedV4, isInRange, parseIpAddress, parseIpRange, withoutMapping } from './ip-address.ts';
import type { IpAddress, IpRange } from './ip-address.ts';

const range = (text: string): IpRange => {
  const parsed = parseIpRange(text);
  if (parsed === null) throw new RangeError(`${text} is no range`);
  return parsed;
};

/**
 * All global unicast addresses of IPv6. Outside it the library calls unassigned addresses `unicast`, and `::127.0.0.1`.
 */
const GLOBAL_UNICAST_V6 = range('2000::/3');
/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is reached. */
const NAT64 = range('64:ff9b::/96');

/**
 * Addresses at which clouds give credentials to who asks from inside: Azure's is among the public ones, those of IPv6
 * (AWS, Google) among the unique local ones, and Alibaba's in carrier-grade NAT. The others are link-local.
 */
const METADATA: readonly IpRange[] = [
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::/32',
  'fd20:ce::/64',
].map(range);

const isMetadata = (address: IpAddress): boolean =>
  METADATA.some((one) => isInRange(withoutMapping(address), one));

/** Whether `text` is the address of a cloud's metadata outside the link-local range. */
export const isMetadataAddress = (text: string): boolean => {
  const address = parseIpAddress(text);
  return address !== null && isMetadata(address);
};

/** `unicast`: in no special-purpose range of IANA's; 6to4 and Teredo, which contain an IPv4 address, are special. */
const isPublic = (address: IpAddress): boolean => {
  if (isMetadata(address)) return false;
  if (address.range() !== 'unicast')
    return address.kind() === 'ipv6' && isInRange(address, NAT64) && isPublic(embeddedV4(address));
  return address.kind() === 'ipv4' || isInRange(address, GLOBAL_UNICAST_V6);
};

/** Whether `text` is an IP address on the public internet. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseIpAddress(text);
  return address !== null && isPublic(address);
};

/** Names that only this machine (RFC 6761) or its network resolves (RFC 6762; ICANN has reserved `internal`). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)\.?$/;

/**
 * Whether the host of a URL, as `URL` writes it, may be on the public internet. Where it is a name, the addresses that
 * it resolves to are checked when it is used.
 */
export const mayBePublicHost = (host: string): boolean => {
  const address = parseIpAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return address === null ? !LOCAL_NAME.test(host) : isPublic(address);
};
