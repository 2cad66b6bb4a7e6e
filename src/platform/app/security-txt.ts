/** RFC 9116: where somebody who found a weakness of this installation writes to. */
import { isoInstant } from '../../kernel/time.ts';
import type { App } from './app.ts';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** The RFC recommends less than a year. Each start of the server dates it anew. */
const HOLDS_MS = 180 * 24 * 60 * 60 * 1000;

/** A canonical address must be https, and at the root of its host. */
const canonicalOf = (baseUrl: string): readonly string[] =>
  /^https:\/\/[^/]+$/.test(baseUrl) ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : [];

/** `contacts`: URIs, the preferred first; at least one. */
export const securityText = (
  { clock, baseUrl }: Pick<App, 'clock' | 'baseUrl'>,
  contacts: readonly string[],
): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${isoInstant(clock.now() + HOLDS_MS)}`,
    ...canonicalOf(baseUrl),
    '',
  ].join('\n');
