/** What the tool server is called among all others: names made of the host in `BASE_URL`, which somebody answers for. */

/** The public server-card schema's longest name is 200 characters, ours after the slash included. */
const LONGEST_DOMAIN = 180;

/** The host of an address in the characters of a domain; an IPv6 address as one label of it. */
const domainOf = (baseUrl: string): string =>
  new URL(baseUrl).hostname
    .replace(/[^a-z0-9.-]/g, '-')
    .split('.')
    .map((label) => label.replace(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
    .join('.')
    .slice(-LONGEST_DOMAIN)
    .replace(/^[.-]+/, '');

/** In reverse-DNS form, as cards have it: `example.ahwa/ahwa`. */
export const cardName = (baseUrl: string, name: string): string =>
  `${domainOf(baseUrl).split('.').reverse().join('.')}/${name}`;

/** As AI catalogs have it: `urn:air:ahwa.example:mcp:ahwa`. */
export const catalogIdentifier = (baseUrl: string, name: string): string =>
  `urn:air:${domainOf(baseUrl)}:mcp:${name}`;
