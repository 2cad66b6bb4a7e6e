/** TOTP codes (RFC 6238), by the library `otpauth`. */
import { Secret, TOTP as Generator } from 'otpauth';
import { TOTP } from '../domain/second-factor.ts';
import type { Instant } from '../../kernel/time.ts';

const generator = (secret: Uint8Array, issuer = '', label = ''): Generator =>
  new Generator({
    ...{ issuer, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) },
    ...{ algorithm: 'SHA1', digits: TOTP.digits, period: TOTP.periodSeconds },
  });

export const totpSetup = (
  secret: Uint8Array,
  names: { readonly issuer: string; readonly label: string },
): { readonly secret: string; readonly uri: string } => {
  const of = generator(secret, names.issuer, names.label);
  return { secret: of.secret.base32, uri: of.toString() };
};

/** The accepted time step of this code; null if none. Compared in constant time. */
export const totpStepOf = (secret: Uint8Array, code: string, now: Instant): number | null => {
  const delta = generator(secret).validate({ token: code, timestamp: now, window: TOTP.window });
  return delta === null ? null : Math.floor(now / 1_000 / TOTP.periodSeconds) + delta;
};
