/**
 * WEBHOOK_ALLOW: hosts inside the operator's network that webhooks may reach, although they are not on the public
 * internet. Link-local addresses, among them those of cloud metadata, and all other special ones stay out of reach.
 */
import { isInRange, parseIpAddress, parseIpRange, withoutMapping } from '../../platform/domain/ip-address.ts';
import type { IpRange } from '../../platform/domain/ip-address.ts';
import { isMetadataAddress, isPublicAddress } from '../../platform/domain/public-address.ts';
import { portOf } from '../../platform/domain/url-port.ts';

export interface AllowedHost {
  /** A host name as `URL` writes it, or a range of addresses. */
  readonly host: string | IpRange;
  /** Null: every port. */
  readonly port: number | null;
}

export type WebhookAllow = readonly AllowedHost[];

const range = (text: string): IpRange => {
  const parsed = parseIpRange(text);
  if (parsed === null) throw new RangeError(`${text} is no range`);
  return parsed;
};

/** The addresses that can be permitted: loopback, private networks, carrier-grade NAT, unique local addresses. */
const INSIDE: readonly IpRange[] = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '::1', 'fc00::/7'],
].map(range);

/** An IPv4-mapped address counts as the IPv4 address in it. */
const isInside = (text: string): boolean => {
  const address = parseIpAddress(text);
  if (address === null || isMetadataAddress(text)) return false;
  return INSIDE.some((inside) => isInRange(withoutMapping(address), inside));
};

const overlaps = (one: IpRange, other: IpRange): boolean =>
  isInRange(one.network, other) || isInRange(other.network, one);

// ── The setting ─────────────────────────────────────────────────────────────────────────────────

/** `host`, `host:port`, `[v6]`, `[v6]:port`; an IPv6 address or range may be without brackets where it has no port. */
const ENTRY = /^(?:\[([^[\]]+)\]|([^[\]:]+)|([0-9a-f:.]+:[0-9a-f:.]*(?:\/\d+)?))(?::(\d{1,5}))?$/i;

/** Null: no name, or one that programs read as an address (`127.1`, `0x7f000001`, `2130706433`). */
const nameOf = (text: string): string | null => {
  if (!URL.canParse(`http://${text}/`)) return null;
  const { href, hostname } = new URL(`http://${text}/`);
  const isName = href === `http://${hostname}/` && parseIpAddress(hostname) === null;
  return isName && !hostname.startsWith('[') ? withoutDot(hostname) : null;
};

const withoutDot = (name: string): string => name.replace(/\.$/, '');

/** A range of IPv4-mapped addresses as the range of IPv4 that it is. */
const unmapped = ({ network, bits }: IpRange): IpRange => {
  const v4 = withoutMapping(network);
  return v4 === network || bits < 96 ? { network, bits } : { network: v4, bits: bits - 96 };
};

const rangeFault = (addresses: IpRange, text: string): string | null => {
  const [address = ''] = text.split('/');
  if (isPublicAddress(address)) return 'is public and needs no permission';
  return INSIDE.some((inside) => overlaps(addresses, inside)) && !isMetadataAddress(text)
    ? null
    : 'is link-local, unspecified or special, which is never permitted';
};

/** The entry, or what is wrong with it. */
const entryOf = (text: string): AllowedHost | string => {
  const [, bracketed, plain, v6, portText] = ENTRY.exec(text) ?? [];
  const hostText = bracketed ?? plain ?? v6 ?? '';
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65_535))
    return `${JSON.stringify(text)} has no port from 1 to 65535`;
  const parsed = parseIpRange(hostText);
  if (parsed !== null) {
    const fault = rangeFault(unmapped(parsed), hostText);
    return fault === null ? { host: unmapped(parsed), port } : `${JSON.stringify(text)} ${fault}`;
  }
  const name = plain === undefined ? null : nameOf(plain);
  return name === null ? `${JSON.stringify(text)} is no host name, address or range` : { host: name, port };
};

const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const allowFaults = (text: string): readonly string[] =>
  entriesOf(text)
    .map(entryOf)
    .filter((entry) => typeof entry === 'string');

/** undefined: an entry is wrong, or there is none. */
export const parseAllow = (text: string): WebhookAllow | undefined => {
  const entries = entriesOf(text).map(entryOf);
  const allowed = entries.filter((entry) => typeof entry !== 'string');
  return allowed.length > 0 && allowed.length === entries.length ? allowed : undefined;
};

// ── Its use ─────────────────────────────────────────────────────────────────────────────────────

const hostOf = ({ hostname }: URL): string => withoutDot(hostname.replace(/^\[(.*)\]$/, '$1'));

const forPort = (allow: WebhookAllow, url: URL): WebhookAllow =>
  allow.filter(({ port }) => port === null || port === portOf(url));

/** Whether the name of a URL is listed, so that it is resolved as this machine does, with its hosts file. */
export const isListedName = (allow: WebhookAllow, url: URL): boolean =>
  forPort(allow, url).some(({ host }) => host === hostOf(url));

const isInListedRange = (allow: WebhookAllow, url: URL, text: string): boolean => {
  const address = parseIpAddress(text);
  if (address === null) return false;
  return forPort(allow, url).some(
    ({ host }) => typeof host !== 'string' && isInRange(withoutMapping(address), host),
  );
};

/** Whether an address inside, to which the host of a URL leads, is permitted. */
const isPermitted = (allow: WebhookAllow, url: URL, address: string): boolean =>
  isInside(address) && (isListedName(allow, url) || isInListedRange(allow, url, address));

/** Whether the host of a URL itself is listed: by its name, or as an address of a range. Its addresses are checked too. */
export const isPermittedHost = (allow: WebhookAllow, url: URL): boolean =>
  isListedName(allow, url) || isPermitted(allow, url, hostOf(url));

/**
 * Whether an address may be called, to which the host of a URL leads. http is for those inside alone, which often have
 * no certificate.
 */
export const mayReach = (allow: WebhookAllow, url: URL, address: string): boolean =>
  (url.protocol === 'https:' && isPublicAddress(address)) || isPermitted(allow, url, address);
