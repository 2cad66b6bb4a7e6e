/** The public schema allows names of 200 characters, including the part after the slash. */
const LONGEST_DOMAIN = 180;

/** The host as a domain name; an IPv6 address becomes one label. */
const domainOf = (baseUrl: string): string =>
  new URL(baseUrl).hostname
    .replace(/[^a-z0-9.-]/g, '-')
    .split('.')
    .map((label) => label.replace(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
    .join('.')
    .slice(-LONGEST_DOMAIN)
    .replace(/^[.-]+/, '');

/** Reverse-DNS form for cards: `example.ahwa/ahwa`. */
export const cardName = (baseUrl: string, name: string): string =>
  `${domainOf(baseUrl).split('.').reverse().join('.')}/${name}`;

/** Form for AI catalogs: `urn:air:ahwa.example:mcp:ahwa`. */
export const catalogIdentifier = (baseUrl: string, name: string): string =>
  `urn:air:${domainOf(baseUrl)}:mcp:${name}`;
