/** The client that a request is counted for: an IPv4 address, or the /64 network of an IPv6 address (Decisions 15). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  isInRange,
  parseIpAddress,
  parseIpRange,
  withoutMapping,
} from '../../../platform/domain/ip-address.ts';
import type { IpAddress } from '../../../platform/domain/ip-address.ts';

const UNKNOWN = 'unknown';

/** IPv4-mapped IPv6 becomes IPv4; a zone (`%eth0`) is dropped. */
const parseClient = (text: string): IpAddress | null => {
  const address = parseIpAddress(text.split('%', 1)[0] ?? '');
  return address === null ? null : withoutMapping(address);
};

const keyOf = (address: IpAddress): string =>
  'octets' in address
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`;

export const clientKeyOf = (text: string | undefined): string => {
  const address = text === undefined ? null : parseClient(text);
  return address === null ? UNKNOWN : keyOf(address);
};

/** Some proxies add the port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;

/** Throws on an entry that is no address or range. */
const trustCheck = (proxies: readonly string[]): ((address: IpAddress) => boolean) => {
  const ranges = proxies.map((proxy) => {
    const range = parseIpRange(proxy.trim());
    if (range === null) throw new RangeError(`Not an address or a CIDR range: ${proxy}`);
    return range;
  });
  return (address) => ranges.some((range) => isInRange(address, range));
};

export interface Peer {
  readonly key: string;
  /** The peer forwards the requests of many clients. */
  readonly isProxy: boolean;
}

export type PeerOf = (socket: Socket) => Peer;
export type ClientOf = (request: IncomingMessage) => string;

/**
 * Behind trusted proxies (addresses and CIDR ranges) the client is the rightmost hop of `X-Forwarded-For` that is no
 * proxy. An invalid hop ends the search, so that what a client writes itself is never trusted.
 */
export const clientResolver = (proxies: readonly string[]): { peerOf: PeerOf; clientOf: ClientOf } => {
  const isTrusted = trustCheck(proxies);
  const bySocket = new WeakMap<Socket, Peer>();
  const peerOf: PeerOf = (socket) => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    const address = socket.remoteAddress === undefined ? null : parseClient(socket.remoteAddress);
    const peer: Peer = {
      key: address === null ? UNKNOWN : keyOf(address),
      isProxy: address !== null && isTrusted(address),
    };
    bySocket.set(socket, peer);
    return peer;
  };
  const forwardedClient = (header: string, peer: string): string => {
    let client = peer;
    for (const hop of header.split(',').reverse()) {
      const address = parseClient(withoutPort(hop.trim()));
      if (address === null) return client;
      client = keyOf(address);
      if (!isTrusted(address)) return client;
    }
    return client;
  };
  const clientOf: ClientOf = (request) => {
    const peer = peerOf(request.socket);
    const header = request.headers['x-forwarded-for'];
    return peer.isProxy && typeof header === 'string' ? forwardedClient(header, peer.key) : peer.key;
  };
  return { peerOf, clientOf };
};
