import { parseIpAddress, withoutMapping } from './ip-address.ts';

/** Names that resolve to the machine that resolves them (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/;

export const hostOf = (url: string): string | null => {
  try {
    return new URL(url).hostname;
  } catch {
    return null;
  }
};

/** An address of this machine. */
export const isLoopback = (url: string): boolean => {
  const host = hostOf(url) ?? '';
  const address = parseIpAddress(host.replace(/^\[(.*)\]$/, '$1'));
  return address === null ? LOCALHOST.test(host) : withoutMapping(address).range() === 'loopback';
};
