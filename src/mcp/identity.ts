/** What the tool server is called among all others: names made of the host in `BASE_URL`, which somebody answers for. */

/** The eight groups of an IPv6 address, as `URL` writes it: without brackets, in hexadecimal, `::` for what is zero. */
const groupsOf = (address: string): string[] => {
  const [before = [], after] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = after === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])];
};

/** An IP address has a domain of its own, in the tree where addresses are looked up (RFC 1035, RFC 3596). */
const addressDomain = (host: string): string | null => {
  if (host.startsWith('[')) {
    const digits = groupsOf(host.slice(1, -1)).map((group) => group.padStart(4, '0'));
    return `${Array.from(digits.join('')).reverse().join('.')}.ip6.arpa`;
  }
  return /^\d+(\.\d+){3}$/.test(host) ? `${host.split('.').reverse().join('.')}.in-addr.arpa` : null;
};

/** The public server-card schema's longest name is 200 characters, ours after the slash included. */
const LONGEST_DOMAIN = 180;

/** The domain of an address, in the characters of one: `http://[::1]:8080` gives `1.0.0 … 0.ip6.arpa`. */
export const domainOf = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl);
  const labels = (addressDomain(hostname) ?? hostname).replace(/[^a-z0-9.-]/g, '-').split('.');
  return labels.filter(Boolean).join('.').slice(-LONGEST_DOMAIN).replace(/^\.+/, '');
};

/** In reverse-DNS form, as cards have it: `example.ahwa/ahwa`. */
export const cardName = (baseUrl: string, name: string): string =>
  `${domainOf(baseUrl).split('.').reverse().join('.')}/${name}`;

/** As AI catalogs have it: `urn:air:ahwa.example:mcp:ahwa`. */
export const catalogIdentifier = (baseUrl: string, name: string): string =>
  `urn:air:${domainOf(baseUrl)}:mcp:${name}`;
