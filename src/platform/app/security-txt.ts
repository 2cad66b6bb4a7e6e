/** RFC 9116: contact for reports of vulnerabilities. */
import { isoInstant } from '../../kernel/time.ts';
import type { App } from './app.ts';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** The RFC recommends less than a year. Every start of the server renews it. */
const VALIDITY_MS = 180 * 24 * 60 * 60 * 1000;

/** The canonical URL must be https and at the root of the host. */
const canonicalOf = (baseUrl: string): readonly string[] =>
  /^https:\/\/[^/]+$/.test(baseUrl) ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : [];

/** `contacts`: URIs in order of preference, at least one. */
export const securityText = (
  { clock, baseUrl }: Pick<App, 'clock' | 'baseUrl'>,
  contacts: readonly string[],
): string =>
  [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${isoInstant(clock.now() + VALIDITY_MS)}`,
    ...canonicalOf(baseUrl),
    '',
  ].join('\n');
