/** Passkey responses in the real wire format: only those that are correct in every byte pass. */
import { describe, expect, test } from 'vitest';
import {
  softPasskey,
  type CreatedCredential,
  type CredentialFault,
} from '../../test/support/people/authenticators.ts';
import type { PasskeyCredential } from '../ports.ts';
import { createPasskeys } from './passkeys.ts';

const SITE = 'https://ahwa.example';
const passkeys = createPasskeys({ name: 'Ahwa', baseUrl: `${SITE}/under/a/path` });
const PERSON = {
  id: '00000000-0000-4000-8000-000000000021',
  account: 'owner@beans.example',
  displayName: 'سارة',
};
const CHALLENGE = Buffer.alloc(32, 7);
const CHALLENGE_TEXT = CHALLENGE.toString('base64url');

type Creation = Parameters<ReturnType<typeof softPasskey>['create']>[0];
type Request = Parameters<ReturnType<typeof softPasskey>['get']>[0];

const toCreate = async () => (await passkeys.creationOptions(PERSON, [], CHALLENGE)) as unknown as Creation;
const toRequest = async (known: PasskeyCredential) =>
  (await passkeys.requestOptions([known], CHALLENGE)) as unknown as Request;

const enrolled = async (counts = true) => {
  const key = softPasskey(SITE, counts);
  const kept = await passkeys.verifyRegistration(key.create(await toCreate()), CHALLENGE_TEXT);
  if (kept === null) throw new Error('a right passkey was not kept');
  return { key, kept };
};

describe('a new passkey', () => {
  test('is requested for the own host, without attestation, and not twice on one authenticator', async () => {
    const { kept } = await enrolled();
    const options = await passkeys.creationOptions(PERSON, [kept], CHALLENGE);
    expect(options).toMatchObject({
      rp: { id: 'ahwa.example', name: 'Ahwa' },
      user: { name: PERSON.account, displayName: PERSON.displayName },
      challenge: CHALLENGE_TEXT,
      attestation: 'none',
      excludeCredentials: [{ id: Buffer.from(kept.credentialId).toString('base64url'), type: 'public-key' }],
    });
  });

  test('is stored with its id, sign count and transports', async () => {
    const { key, kept } = await enrolled();
    expect(Buffer.from(kept.credentialId).toString('base64url')).toBe(key.id);
    expect(kept).toMatchObject({ signCount: 1, transports: ['hybrid', 'internal'] });
  });

  test.each<[string, CredentialFault]>([
    ['made on another site', { origin: 'https://ahwa.example.evil' }],
    ['made on a subdomain', { origin: 'https://m.ahwa.example' }],
    ['made without encryption', { origin: 'http://ahwa.example' }],
    ['of another host', { rpId: 'evil.example' }],
    ['of another challenge', { challenge: Buffer.alloc(32, 8).toString('base64url') }],
    ['that is an answer to another question', { type: 'webauthn.get' }],
    ['that nobody touched', { flags: 0x44 }],
    ['without a credential', { flags: 0x05 }],
    ['with certificates of its maker', certified()],
    ['of a form nobody knows', { attestation: { fmt: 'mine', attStmt: new Map() } }],
    [
      'with a statement where there is to be none',
      { attestation: { fmt: 'none', attStmt: new Map([['x', 1]]) } },
    ],
  ])('a new passkey %s is refused', async (_, odd) => {
    const made = softPasskey(SITE).create(await toCreate(), odd);
    expect(await passkeys.verifyRegistration(made, CHALLENGE_TEXT)).toBeNull();
  });

  test.each<[string, (made: CreatedCredential) => object]>([
    ['cut short', ({ response }) => ({ response: { ...response, attestationObject: 'o2Nm' } })],
    ['of no CBOR', ({ response }) => ({ response: { ...response, attestationObject: '____' } })],
    ['of no JSON', ({ response }) => ({ response: { ...response, clientDataJSON: 'e30x' } })],
    ['of another type', () => ({ type: 'password' })],
    ['whose ids differ', () => ({ rawId: 'AAAA' })],
  ])('a new passkey %s is refused', async (_, spoil) => {
    const made = softPasskey(SITE).create(await toCreate());
    expect(await passkeys.verifyRegistration({ ...made, ...spoil(made) }, CHALLENGE_TEXT)).toBeNull();
  });
});

describe('a passkey answer', () => {
  test('is accepted with an increasing sign count', async () => {
    const { key, kept } = await enrolled();
    expect(await passkeys.verifyAuthentication(key.get(await toRequest(kept)), CHALLENGE_TEXT, kept)).toBe(2);
    expect(
      await passkeys.verifyAuthentication(key.get(await toRequest(kept)), CHALLENGE_TEXT, {
        ...kept,
        signCount: 2,
      }),
    ).toBe(3);
  });

  test('is accepted from an authenticator without a sign count', async () => {
    const { key, kept } = await enrolled(false);
    expect(await passkeys.verifyAuthentication(key.get(await toRequest(kept)), CHALLENGE_TEXT, kept)).toBe(0);
  });

  test('a registration on http://localhost is accepted', async () => {
    const local = createPasskeys({ name: 'Ahwa', baseUrl: 'http://localhost:8080' });
    const key = softPasskey('http://localhost:8080');
    const options = (await local.creationOptions(PERSON, [], CHALLENGE)) as unknown as Creation;
    const kept = await local.verifyRegistration(key.create(options), CHALLENGE_TEXT);
    expect(kept).not.toBeNull();
  });

  test.each<[string, CredentialFault]>([
    ['on another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32, 8).toString('base64url') }],
    ['as an answer to another question', { type: 'webauthn.create' }],
    ['with nobody there', { flags: 0x04 }],
    ['with the key of another', { isForged: true }],
    ['by a copy that counts behind', { signCount: 1 }],
  ])('a passkey answer %s is refused', async (_, odd) => {
    const { key, kept } = await enrolled();
    expect(
      await passkeys.verifyAuthentication(key.get(await toRequest(kept), odd), CHALLENGE_TEXT, kept),
    ).toBeNull();
  });

  test('returns the signed challenge, or null without one', async () => {
    const { key, kept } = await enrolled();
    const shown = key.get(await toRequest(kept));
    expect(passkeys.challengeIn(shown)).toBe(CHALLENGE_TEXT);
    for (const text of ['', 'null', '[]', '{}', '{"challenge":1}', '{'])
      expect(
        passkeys.challengeIn({
          ...shown,
          response: { ...shown.response, clientDataJSON: Buffer.from(text).toString('base64url') },
        }),
      ).toBeNull();
  });
});

function certified(): CredentialFault {
  const attStmt = new Map<string, number | Buffer | Map<string, never>>([
    ['alg', -7],
    ['sig', Buffer.alloc(8)],
    ['x5c', new Map<string, never>()],
  ]);
  return { attestation: { fmt: 'packed', attStmt } };
}
