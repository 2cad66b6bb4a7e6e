/** A self-signed certificate for an HTTPS server, generated without OpenSSL. */
import { generateKeyPairSync, sign } from 'node:crypto';

const lengthOf = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.from([bytes]);
  return Buffer.from(bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff]);
};

/** DER: a tag, a length, the content. */
export const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
};

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
export const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
export const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text, 'latin1'));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
export const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
export const BASIC_CONSTRAINTS = oid('551d13');
export const IS_AUTHORITY = sequence(der(0x01, Buffer.from([0xff])));

const nameOf = (host: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host, 'utf8')))));

export const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

export interface Certificate {
  readonly key: string;
  /** Self-signed: give it to the client as its authority. */
  readonly cert: string;
}

/** Valid for `hosts` from 2020 to 2049. */
export const certificateFor = (...hosts: readonly string[]): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = nameOf(hosts[0] ?? '');
  const alternatives = sequence(...hosts.map((host) => der(0x82, Buffer.from(host, 'latin1'))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, der(0x04, IS_AUTHORITY)),
        sequence(SUBJECT_ALT_NAME, der(0x04, alternatives)),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', sequence(body, ECDSA_WITH_SHA256, bits(signature))),
  };
};
