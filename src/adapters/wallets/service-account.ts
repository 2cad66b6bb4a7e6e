/** The service account of wallet two: its key, and access tokens from the vendor's token server (RFC 7523). */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import type { Instant } from '../../kernel/time.ts';
import { fieldOf, textIn, textOf, valueOfJson } from '../responses.ts';

export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string | null;
  readonly tokenUrl: string;
  readonly key: KeyObject;
}

const OFF = 'Google Wallet is off:';
const SEE = '(docs/operations.md, Wallets)';

export interface WalletTwoSettings {
  readonly issuer: string | null;
  /** Path of the JSON file. */
  readonly serviceAccount: string | null;
  readonly api: string;
}

const MAX_TEXT = 8_192;

const keyOf = (pem: string | null): KeyObject | null => {
  try {
    const key = createPrivateKey(pem ?? '');
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
};

const isHttp = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

const fileAt = (path: string): unknown => {
  try {
    return valueOfJson(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

export interface WalletTwoAccess {
  readonly issuer: string;
  readonly account: ServiceAccount;
}

/** The access, or why there is none: a sentence for the operator. */
export const readServiceAccount = ({
  issuer,
  serviceAccount,
}: WalletTwoSettings): WalletTwoAccess | string => {
  if (issuer === null || serviceAccount === null) {
    const missing = issuer === null ? 'WALLET_TWO_ISSUER' : 'WALLET_TWO_SERVICE_ACCOUNT';
    return `${OFF} ${missing} must be set too, or none of the WALLET_TWO settings ${SEE}.`;
  }
  if (!/^\d{5,30}$/.test(issuer))
    return `${OFF} WALLET_TWO_ISSUER must be the digits of the issuer account ${SEE}.`;
  const file = fileAt(serviceAccount);
  if (file === null)
    return `${OFF} the file of WALLET_TWO_SERVICE_ACCOUNT cannot be read; correct the path or the rights ${SEE}.`;
  const [email, pem, tokenUrl] = ['client_email', 'private_key', 'token_uri'].map((name) =>
    textIn(fieldOf(file, name), MAX_TEXT),
  );
  const key = keyOf(pem ?? null);
  if (email == null || tokenUrl == null || key === null || !isHttp(tokenUrl))
    return `${OFF} the file of WALLET_TWO_SERVICE_ACCOUNT is no key of a service account; download a JSON key ${SEE}.`;
  const keyId = textIn(fieldOf(file, 'private_key_id'), 255);
  return { issuer, account: { email, keyId, tokenUrl, key } };
};

export const signJwt = (
  { email, key, keyId }: ServiceAccount,
  claims: Record<string, unknown>,
): Promise<string> =>
  new SignJWT({ iss: email, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === null ? {} : { kid: keyId }) })
    .sign(key);

export interface AccessTokens {
  /** The token, or why there is none, without a secret. */
  get(now: Instant, signal: AbortSignal): Promise<{ readonly token: string } | { readonly reason: string }>;
  /** The API refused the token. */
  forget(): void;
}

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 3_600;
/** A token is renewed so long before its end. */
const EARLY_MS = 60_000;
const ERROR_WORD = /^[a-z_]{1,64}$/;

export const createAccessTokens = (account: ServiceAccount): AccessTokens => {
  let known: { readonly token: string; readonly until: Instant } | null = null;
  return {
    forget: () => (known = null),
    get: async (now, signal) => {
      if (known !== null && now < known.until) return known;
      const iat = Math.floor(now / 1_000);
      const times = { iat, exp: iat + ASSERTION_SECONDS };
      const assertion = await signJwt(account, { scope: SCOPE, aud: account.tokenUrl, ...times });
      const response = await fetch(account.tokenUrl, {
        ...{ method: 'POST', redirect: 'error', signal },
        body: new URLSearchParams({ grant_type: GRANT, assertion }),
      });
      const answer = valueOfJson((await textOf(response)) ?? '');
      const token = textIn(fieldOf(answer, 'access_token'), MAX_TEXT);
      const seconds = fieldOf(answer, 'expires_in');
      if (response.ok && token !== null && typeof seconds === 'number') {
        known = { token, until: now + seconds * 1_000 - EARLY_MS };
        return known;
      }
      const error = textIn(fieldOf(answer, 'error'), 64);
      const word = error !== null && ERROR_WORD.test(error) ? ` ${error}` : '';
      return { reason: `the token server answered ${response.status}${word}` };
    },
  };
};
