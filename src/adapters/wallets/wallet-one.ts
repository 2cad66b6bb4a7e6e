/** Apple Wallet: signed passes, and pushes to the phones that hold them. */
import { passFields, stringsText } from '../../loyalty/domain/pass-fields.ts';
import { LANGUAGES } from '../../kernel/names.ts';
import type { Instant } from '../../kernel/time.ts';
import { later } from '../../messaging/domain/outbox.ts';
import type { PassOrder, WalletOne } from '../../ports.ts';
import { readMaterial, timeFault, type SigningMaterial, type WalletOneSettings } from './material.ts';
import { createPusher, type PushOptions, type Pusher } from './push.ts';

/** Loaded at the first pass: its parts take 150 ms to load. */
const loadGenerator = () => import('passkit-generator');

const escapedEntries = (strings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(strings).map(([key, text]) => [stringsText(key), stringsText(text)]));

const signedPass = async (
  { certificate, intermediate, key, passType, team }: SigningMaterial,
  { face, pictures, authenticationToken, webServiceUrl }: PassOrder,
): Promise<Uint8Array> => {
  const { PKPass } = await loadGenerator();
  const { pass, strings } = passFields(face);
  const json = {
    ...{ ...pass, passTypeIdentifier: passType, teamIdentifier: team },
    ...{ webServiceURL: webServiceUrl, authenticationToken },
  };
  const files = Object.entries(pictures).map(([name, bytes]) => [name, Buffer.from(bytes)] as const);
  const made = new PKPass(
    { 'pass.json': Buffer.from(JSON.stringify(json)), ...Object.fromEntries(files) },
    { wwdr: intermediate.toString(), signerCert: certificate.toString(), signerKey: key },
  );
  // The library writes keys and values between quotes as they are.
  for (const language of LANGUAGES) made.localize(language, escapedEntries(strings[language]));
  return made.getAsBuffer();
};

export type WalletOneOptions = WalletOneSettings & Pick<PushOptions, 'ca' | 'timeLimitMs'>;

export const createWalletOne = (options: WalletOneOptions): WalletOne => {
  const material = readMaterial(options);
  if (typeof material === 'string')
    return {
      passType: options.passType,
      fault: () => material,
      makePass: () => Promise.reject(new Error(material)),
      push: () => Promise.resolve(later(material)),
      close: () => undefined,
    };
  const fault = (now: Instant): string | null => timeFault(material, now);
  let pusher: Pusher | null = null;
  const opened = (): Pusher =>
    (pusher ??= createPusher({
      ...{ address: options.push, topic: material.passType, key: material.key },
      ...{ certificate: material.certificate.toString(), ca: options.ca, timeLimitMs: options.timeLimitMs },
    }));
  return {
    passType: material.passType,
    fault,
    makePass: (order) => signedPass(material, order),
    push: (token) => opened().push(token),
    close: () => pusher?.close(),
  };
};
