/** Passes as an outside tool reads them: the archive, the hashes of its manifest, the chain of its signature. */
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { createPictureRenderer } from '../../src/adapters/picture-renderer.ts';
import { passFault } from '../../src/adapters/wallets/pass-verification.ts';
import { createWalletOne } from '../../src/adapters/wallets/wallet-one.ts';
import { aFace } from '../../src/loyalty/domain/card-face.test-support.ts';
import type { PassLook } from '../../src/ports.ts';
import { filesIn } from '../support/stand-ins/zip.ts';
import { aPhoto } from '../support/shops/pictures.ts';
import { PASS_TYPE, TEAM, walletChain, walletOneSettings } from '../support/stand-ins/wallet-certificates.ts';

const LOOK: PassLook = {
  title: 'بيت البن',
  subtitle: 'أصحاب البن',
  direction: 'rtl',
  colors: { background: '#3B2417', foreground: '#FBF7F1', accent: '#E0A458' },
  logo: null,
  strip: null,
};

const TOKEN = 'a-token-of-at-least-sixteen-characters';

describe('a signed pass', () => {
  let files: ReadonlyMap<string, Buffer>;
  let made: Uint8Array;
  beforeAll(async () => {
    const wallet = createWalletOne(walletOneSettings('https://push.example'));
    const pictures = await createPictureRenderer().passPictures(LOOK);
    made = await wallet.makePass({
      ...{ face: aFace(), pictures, authenticationToken: TOKEN },
      webServiceUrl: 'https://ahwa.example/wallet',
    });
    files = filesIn(made);
  });
  const textOf = (name: string): string => files.get(name)?.toString('utf8') ?? '';

  test('has a signature that OpenSSL verifies up to the root', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ahwa-pass-'));
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('manifest.json'), textOf('manifest.json'));
    writeFileSync(at('signature'), files.get('signature') ?? '');
    writeFileSync(at('root.pem'), walletChain().root.certificate);
    const verify = (content: string): Buffer =>
      execFileSync(
        'openssl',
        [
          ...[
            'smime',
            '-verify',
            '-binary',
            '-inform',
            'DER',
            '-in',
            at('signature'),
            '-content',
            at(content),
          ],
          ...['-CAfile', at('root.pem'), '-purpose', 'any', '-out', at('verified')],
        ],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      );
    verify('manifest.json');
    expect(readFileSync(at('verified'), 'utf8')).toBe(textOf('manifest.json'));
    writeFileSync(at('other.json'), textOf('manifest.json').replace('}', ' }'));
    expect(() => verify('other.json')).toThrow();
  });

  test('has a manifest with the hash of every file but itself and the signature', () => {
    const hashes = Object.fromEntries(
      [...files]
        .filter(([name]) => name !== 'manifest.json' && name !== 'signature')
        .map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]),
    );
    expect(JSON.parse(textOf('manifest.json'))).toEqual(hashes);
  });

  test('is verified by `ahwa wallet check` too, which finds each damage', () => {
    const certificate = new X509Certificate(walletChain().pass.certificate);
    expect(passFault(made, certificate)).toBeNull();
    const damaged = (from: string, to: string): Buffer => {
      const bytes = Buffer.from(made);
      bytes.write(to, bytes.indexOf(from), 'utf8');
      return bytes;
    };
    expect(passFault(damaged('"formatVersion":1', '"formatVersion":2'), certificate)).toBe(
      'the hash of pass.json is wrong',
    );
    expect(passFault(damaged('"icon.png":"', '"icon.pnx":"'), certificate)).toMatch('the hash of');
    const other = new X509Certificate(walletChain().root.certificate);
    expect(passFault(made, other)).toBe('the signature is of another certificate');
    expect(passFault(Buffer.from('PK'), certificate)).toMatch('it cannot be read');
  });

  test('names its pass type, team, web service and token', () => {
    expect(JSON.parse(textOf('pass.json'))).toMatchObject({
      ...{ formatVersion: 1, passTypeIdentifier: PASS_TYPE, teamIdentifier: TEAM },
      ...{ webServiceURL: 'https://ahwa.example/wallet', authenticationToken: TOKEN },
      ...{ serialNumber: aFace().cardId, sharingProhibited: true, voided: false },
      barcodes: [{ format: 'PKBarcodeFormatQR', message: 'C7Hk2mPq9sXw4b', messageEncoding: 'iso-8859-1' }],
      locations: [{ latitude: 30.0626, longitude: 31.2197 }],
      ...{ backgroundColor: 'rgb(59, 36, 23)', foregroundColor: 'rgb(251, 247, 241)' },
      storeCard: { headerFields: [{ key: 'balance', value: 42 }] },
    });
  });

  test('has texts in Arabic and English, with quotes and line ends escaped', () => {
    expect(textOf('ar.lproj/pass.strings')).toContain('"Next reward" = "المكافأة القادمة";');
    expect(textOf('ar.lproj/pass.strings')).toContain(
      String.raw`"A \"first\" line\nA second line" = "سطر \"أول\"\nسطر ثان";`,
    );
    expect(textOf('en.lproj/pass.strings')).toContain('"Beit El Bunn" = "Beit El Bunn";');
  });

  test.each([
    ['icon', 29, 29],
    ['logo', 50, 50],
    ['strip', 375, 144],
  ])('has %s in three sizes', async (part, width, height) => {
    for (const [name, scale] of [
      [`${part}.png`, 1],
      [`${part}@2x.png`, 2],
      [`${part}@3x.png`, 3],
    ] as const) {
      const facts = await sharp(files.get(name)).metadata();
      expect([facts.format, facts.width, facts.height]).toEqual(['png', width * scale, height * scale]);
    }
  });
});

test('the pictures of a pass are made from the logo and picture of a shop', async () => {
  const photo = await aPhoto('#8A5A33', 1200, 600).jpeg().toBuffer();
  const made = await createPictureRenderer().passPictures({ ...LOOK, logo: photo, strip: photo });
  const sizeOf = async (name: string) => {
    const { width, height } = await sharp(made[name]).metadata();
    return [width, height];
  };
  expect(await sizeOf('icon@3x.png')).toEqual([87, 87]);
  expect(await sizeOf('logo@2x.png')).toEqual([200, 100]);
  expect(await sizeOf('strip@3x.png')).toEqual([1125, 432]);
  const bytes = Object.values(made).reduce((sum, file) => sum + file.length, 0);
  expect(bytes).toBeLessThan(1_000_000);
});
