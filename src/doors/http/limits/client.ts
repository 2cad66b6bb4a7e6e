/** Who asks, as the limits count it: an IPv4 address, or the /64 of an IPv6 one (Decisions 15). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { BlockList, isIP, isIPv4 } from 'node:net';

const UNKNOWN = 'unknown';

/** The eight 16-bit groups of a valid IPv6 address, an IPv4 tail included. */
const groupsOf = (address: string): number[] => {
  const hex = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = hex.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

/** An IPv4 address that wears an IPv6 prefix (::ffff:0:0/96) is that IPv4 address. */
const canonical = (address: string): string | null => {
  const bare = address.split('%', 1)[0] ?? '';
  const version = isIP(bare);
  if (version === 0) return null;
  if (version === 4) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return groups.map((group) => group.toString(16)).join(':');
};

const keyOf = (address: string): string =>
  isIPv4(address) ? address : `${address.split(':').slice(0, 4).join(':')}::/64`;

/** The key of an address as a socket or a proxy writes it. */
export const clientKeyOf = (address: string | undefined): string => {
  const plain = address === undefined ? null : canonical(address);
  return plain === null ? UNKNOWN : keyOf(plain);
};

/** Some proxies add the port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;

/** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. Throws on what is neither. */
const proxyList = (proxies: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits, ...rest] = proxy.trim().split('/');
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || rest.length > 0 || prefix < 0 || prefix > widest)
      throw new RangeError(`Not an address or a CIDR range: ${proxy}`);
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** The other end of a connection. */
export interface Peer {
  readonly key: string;
  /** A configured proxy, which brings the requests of many clients. */
  readonly isProxy: boolean;
}

export type PeerOf = (socket: Socket) => Peer;
export type ClientOf = (request: IncomingMessage) => string;

/**
 * The client's key, and that of a connection's other end. Behind configured proxies it is the rightmost hop of `X-Forwarded-For` that is none of them; a
 * hop that is no address ends the search, so that what a client invents is never believed.
 */
export const clientResolver = (proxies: readonly string[]): { peerOf: PeerOf; clientOf: ClientOf } => {
  const trusted = proxyList(proxies);
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  const bySocket = new WeakMap<Socket, Peer>();
  const peerOf: PeerOf = (socket) => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const address = socket.remoteAddress === undefined ? null : canonical(socket.remoteAddress);
    const peer: Peer = {
      key: address === null ? UNKNOWN : keyOf(address),
      isProxy: proxies.length > 0 && address !== null && isTrusted(address),
    };
    bySocket.set(socket, peer);
    return peer;
  };
  const forwarded = (header: string, peer: string): string => {
    let client = peer;
    for (const hop of header.split(',').reverse()) {
      const address = canonical(withoutPort(hop.trim()));
      if (address === null) return client;
      client = keyOf(address);
      if (!isTrusted(address)) return client;
    }
    return client;
  };
  const clientOf: ClientOf = (request) => {
    const peer = peerOf(request.socket);
    const header = request.headers['x-forwarded-for'];
    return peer.isProxy && typeof header === 'string' ? forwarded(header, peer.key) : peer.key;
  };
  return { peerOf, clientOf };
};
