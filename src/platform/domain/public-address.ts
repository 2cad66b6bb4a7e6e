/**
 * Which addresses lie on the public internet. Whatever a shop's webhook leads to besides them is inside somebody's walls:
 * this machine, its neighbours, the host's own services.
 */

/** An IP address as a number, with the bits that it has. */
interface Numbered {
  readonly value: bigint;
  readonly bits: number;
}

/** The addresses that begin with the same `length` bits. */
interface Subnet {
  readonly prefix: bigint;
  readonly length: number;
}

// ── Reading addresses ───────────────────────────────────────────────────────────────────────────

const joined = (parts: readonly number[], bitsEach: number): Numbered => ({
  value: parts.reduce((value, part) => (value << BigInt(bitsEach)) | BigInt(part), 0n),
  bits: parts.length * bitsEach,
});

/** The four numbers, in decimal and no other spelling; null where it is no such address. */
const bytesIn = (text: string): readonly number[] | null => {
  const bytes = text.split('.').map(Number);
  const areBytes = bytes.length === 4 && bytes.every((byte) => byte >= 0 && byte <= 255);
  return areBytes && bytes.join('.') === text ? bytes : null;
};

/** As `URL` writes it: groups in hexadecimal, the longest run of zeros left out; null where it is none. */
const writtenV6 = (text: string): string | null => {
  // None with a zone (`fe80::1%eth0`) either: such is an address of this link at best.
  if (!/^[0-9a-f:.]+$/i.test(text)) return null;
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return null;
  }
};

const groupsIn = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const numbered = (text: string): Numbered | null => {
  const bytes = bytesIn(text);
  if (bytes !== null) return joined(bytes, 8);
  const written = writtenV6(text);
  if (written === null) return null;
  const [before = '', after = ''] = written.split('::');
  const [head, tail] = [groupsIn(before), groupsIn(after)];
  const leftOut = new Array<number>(8 - head.length - tail.length).fill(0);
  return joined([...head, ...leftOut, ...tail], 16);
};

const subnet = (address: string, length: number): Subnet => {
  const first = numbered(address);
  if (first === null) throw new RangeError(`${address} is no address`);
  return { prefix: first.value >> BigInt(first.bits - length), length };
};

const isIn = ({ value, bits }: Numbered, { prefix, length }: Subnet): boolean =>
  value >> BigInt(bits - length) === prefix;

// ── What is public ──────────────────────────────────────────────────────────────────────────────

/** IANA's special-purpose registries for IPv4, with multicast and what is reserved. */
const NOT_PUBLIC_V4: readonly Subnet[] = [
  subnet('0.0.0.0', 8), // this network
  subnet('10.0.0.0', 8), // private
  subnet('100.64.0.0', 10), // a carrier's own
  subnet('127.0.0.0', 8), // this machine
  subnet('169.254.0.0', 16), // this link, and the services of cloud hosts
  subnet('172.16.0.0', 12), // private
  subnet('192.0.0.0', 24), // protocol assignments
  subnet('192.0.2.0', 24), // documentation
  subnet('192.88.99.0', 24), // relays of 6to4, no more in use
  subnet('192.168.0.0', 16), // private
  subnet('198.18.0.0', 15), // benchmarks
  subnet('198.51.100.0', 24), // documentation
  subnet('203.0.113.0', 24), // documentation
  subnet('224.0.0.0', 4), // multicast
  subnet('240.0.0.0', 4), // reserved, and everybody (255.255.255.255)
];

/**
 * Of IPv6 only what is handed out for the world is public; it leaves out this machine, this link, private, multicast, and
 * IPv4 written as IPv6 (::ffff:0:0/96). Within it these are not.
 */
const HANDED_OUT_V6 = subnet('2000::', 3);
const NOT_PUBLIC_V6: readonly Subnet[] = [
  subnet('2001::', 23), // protocol assignments, among them Teredo, which has an IPv4 address inside
  subnet('2001:db8::', 32), // documentation
  subnet('2002::', 16), // 6to4, which has an IPv4 address inside
  subnet('3fff::', 20), // documentation
];

/** The way to IPv4 from networks that have only IPv6: the last 32 bits are the IPv4 address. */
const TRANSLATED_V6 = subnet('64:ff9b::', 96);

const isPublic = (address: Numbered): boolean => {
  if (address.bits === 32) return !NOT_PUBLIC_V4.some((inside) => isIn(address, inside));
  if (isIn(address, TRANSLATED_V6)) return isPublic({ value: BigInt.asUintN(32, address.value), bits: 32 });
  return isIn(address, HANDED_OUT_V6) && !NOT_PUBLIC_V6.some((inside) => isIn(address, inside));
};

/** Whether `text` is an IP address on the public internet. */
export const isPublicAddress = (text: string): boolean => {
  const address = numbered(text);
  return address !== null && isPublic(address);
};

/** Names that only this machine (RFC 6761) or its own network knows (RFC 6762; ICANN has set `internal` aside). */
const INSIDE_NAME = /(?:^|\.)(?:localhost|local|internal)\.?$/;

/**
 * Whether the host of an address, as `URL` writes it, may be on the public internet: where it is a name, what that leads to
 * is seen when it is used.
 */
export const mayBePublicHost = (host: string): boolean => {
  const address = numbered(host.replace(/^\[(.*)\]$/, '$1'));
  return address === null ? !INSIDE_NAME.test(host) : isPublic(address);
};
