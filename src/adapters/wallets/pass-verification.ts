/** Verifies a pass as a phone does: the hashes of its manifest, and the signature of the manifest (RFC 5652). */
import { createHash, verify, X509Certificate } from 'node:crypto';

const END_RECORD = Buffer.from([0x50, 0x4b, 0x05, 0x06]);

/** The files of an archive that stores them as they are. Throws RangeError where it is damaged. */
const filesIn = (archive: Buffer): ReadonlyMap<string, Buffer> => {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(END_RECORD);
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [
      archive.readUInt32LE(entry + 24),
      archive.readUInt16LE(entry + 28),
      archive.readUInt16LE(entry + 30),
      archive.readUInt16LE(entry + 32),
    ];
    const local = archive.readUInt32LE(entry + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.set(archive.toString('utf8', entry + 46, entry + 46 + name), archive.subarray(start, start + size));
    entry += 46 + name + extra + comment;
  }
  return files;
};

// ── DER ─────────────────────────────────────────────────────────────────────────────────────────

interface Element {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OCTETS = 0x04;
const CONTEXT_0 = 0xa0;

/** Elements that follow each other. */
const elementsIn = (bytes: Buffer): Element[] => {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt8(at + 1);
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    elements.push({
      ...{ tag: bytes.readUInt8(at), whole: bytes.subarray(at, start + length) },
      content: bytes.subarray(start, start + length),
    });
    at = start + length;
  }
  return elements;
};

const part = (elements: readonly Element[], tag: number, nth = 0): Element => {
  const found = elements.filter((element) => element.tag === tag)[nth];
  if (found === undefined) throw new RangeError('The signature has no such part.');
  return found;
};

const MESSAGE_DIGEST = Buffer.from('06092a864886f70d010904', 'hex');
/** Last parts of the object identifiers of digests, in hexadecimal digits. */
const DIGESTS: Readonly<Record<string, string>> = {
  '06052b0e03021a': 'sha1',
  '0609608648016503040201': 'sha256',
};

interface Signed {
  readonly digest: string;
  readonly messageDigest: Buffer;
  readonly attributes: Buffer;
  readonly signature: Buffer;
  readonly certificates: readonly X509Certificate[];
}

/** The parts of a detached signature with one signer. */
const signedIn = (der: Buffer): Signed => {
  const contentInfo = elementsIn(part(elementsIn(der), SEQUENCE).content);
  const signedData = elementsIn(part(elementsIn(part(contentInfo, CONTEXT_0).content), SEQUENCE).content);
  const signer = elementsIn(part(elementsIn(part(signedData, SET, 1).content), SEQUENCE).content);
  const attributes = part(signer, CONTEXT_0);
  const digestAttribute = elementsIn(attributes.content).find(({ content }) =>
    content.subarray(0, MESSAGE_DIGEST.length).equals(MESSAGE_DIGEST),
  );
  if (digestAttribute === undefined) throw new RangeError('The signature names no digest.');
  const digestSet = part(elementsIn(digestAttribute.content), SET);
  const digestId = elementsIn(part(signer, SEQUENCE, 1).content)[0]?.whole.toString('hex') ?? '';
  return {
    digest: DIGESTS[digestId] ?? 'unknown',
    messageDigest: part(elementsIn(digestSet.content), OCTETS).content,
    // Signed as a set, sent under another tag.
    attributes: Buffer.concat([Buffer.from([SET]), attributes.whole.subarray(1)]),
    signature: part(signer, OCTETS).content,
    certificates: elementsIn(part(signedData, CONTEXT_0).content).map(
      ({ whole }) => new X509Certificate(whole),
    ),
  };
};

const hashOf = (algorithm: string, bytes: Buffer): Buffer => createHash(algorithm).update(bytes).digest();

const manifestFault = (files: ReadonlyMap<string, Buffer>, manifest: Buffer): string | null => {
  const named = new Map(Object.entries(JSON.parse(manifest.toString('utf8')) as Record<string, unknown>));
  for (const [name, bytes] of files) {
    if (name === 'manifest.json' || name === 'signature') continue;
    if (named.get(name) !== hashOf('sha1', bytes).toString('hex')) return `the hash of ${name} is wrong`;
    named.delete(name);
  }
  return named.size === 0 ? null : 'the manifest names a file that is missing';
};

const signatureFault = (manifest: Buffer, der: Buffer, certificate: X509Certificate): string | null => {
  const { digest, messageDigest, attributes, signature, certificates } = signedIn(der);
  if (!certificates.some(({ raw }) => raw.equals(certificate.raw)))
    return 'the signature is of another certificate';
  if (!hashOf(digest, manifest).equals(messageDigest)) return 'the signature is of another manifest';
  return verify(digest, attributes, certificate.publicKey, signature) ? null : 'the signature is wrong';
};

/** What is wrong with a pass that the certificate has signed; null: nothing. */
export const passFault = (pass: Uint8Array, certificate: X509Certificate): string | null => {
  try {
    const files = filesIn(Buffer.from(pass));
    const [manifest, signature] = [files.get('manifest.json'), files.get('signature')];
    if (manifest === undefined || signature === undefined) return 'it has no signed manifest';
    return manifestFault(files, manifest) ?? signatureFault(manifest, signature, certificate);
  } catch (fault) {
    return `it cannot be read (${fault instanceof Error ? fault.message : 'unknown'})`;
  }
};
