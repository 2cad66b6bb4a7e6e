/** What `ahwa wallet check` finds: each setting and server is tried, and a fault says what to do. */
import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { CardFace } from '../../loyalty/domain/card-face.ts';
import type { Clock, PictureRenderer } from '../../ports.ts';
import { daysLeft, endOf, generationOf, readMaterial, timeFault, type SigningMaterial } from './material.ts';
import { passFault } from './pass-verification.ts';
import { createPusher, type Pusher } from './push.ts';
import { readServiceAccount, type WalletTwoAccess } from './service-account.ts';
import { createWalletOne, type WalletOneOptions } from './wallet-one.ts';
import { createWalletTwo, type WalletTwoOptions } from './wallet-two.ts';

export interface Finding {
  readonly isFault: boolean;
  /** For the operator. */
  readonly sentence: string;
}

const well = (sentence: string): Finding => ({ isFault: false, sentence });
const fault = (sentence: string): Finding => ({ isFault: true, sentence });

/** No card has this id. */
const SAMPLE: CardFace = {
  ...{ cardId: '00000000-0000-4000-8000-000000000000', orgId: '00000000-0000-4000-8000-000000000000' },
  ...{ memberCode: '0000000000000000', firstName: 'منى', mode: 'points', balance: 42 },
  shopName: { ar: 'قهوة', en: 'Ahwa' },
  programName: { ar: 'نقاط', en: 'Points' },
  nextReward: { name: { ar: 'قهوة تركي', en: 'Turkish coffee' }, cost: 50 },
  ...{
    generation: 1,
    pointsToNext: 8,
    rewardsReady: 0,
    terms: null,
    branches: [],
    changedAt: 0,
    isVoid: false,
  },
  colors: { background: '#3B2417', foreground: '#FBF7F1', label: '#E0A458' },
  cardPage: 'https://ahwa.example',
  shopPage: 'https://ahwa.example',
};

/** Phones load updates, and the vendor of wallet two pictures, from this address. */
export const addressFinding = (baseUrl: string): Finding =>
  new URL(baseUrl).protocol === 'https:'
    ? well(`BASE_URL ${baseUrl} is an https address.`)
    : fault(`BASE_URL is ${baseUrl}, and wallets use https alone; set it to the public https address.`);

// ── Apple Wallet ────────────────────────────────────────────────────────────────────────────────

/** Certificates of passes are issued by this generation of the vendor's intermediates. */
const GENERATION = 'G4';
/** A certificate takes a day or two to renew, and the check may run once a week. */
const RENEW_DAYS = 30;

const validity = (material: SigningMaterial, clock: Clock): Finding => {
  const { certificate, intermediate, passType } = material;
  const days = daysLeft(material, clock.now());
  const until = new Date(Math.min(endOf(certificate), endOf(intermediate))).toISOString().slice(0, 10);
  const validFor = `The certificate of ${passType} is valid for ${days} days, until ${until}`;
  return days < RENEW_DAYS
    ? fault(`${validFor}; renew it now: passes answer 503 from then on.`)
    : well(`${validFor}.`);
};

const intermediateFinding = ({ intermediate }: SigningMaterial): Finding => {
  const generation = generationOf(intermediate);
  return generation === GENERATION
    ? well(`The intermediate certificate is ${GENERATION}, and has issued it.`)
    : fault(
        `WALLET_ONE_INTERMEDIATE is ${generation}, and phones trust passes by ${GENERATION} alone; make a new certificate of the pass type, and give the WWDR ${GENERATION} of Apple's certificate authority.`,
      );
};

/** No phone has this push token, so that the server refuses the token once it has taken the certificate. */
const NOBODY = '0'.repeat(64);

const pushFinding = async (pusher: Pusher, address: string): Promise<Finding> => {
  const outcome = await pusher.push(NOBODY);
  if (outcome.sent || outcome.again === 'gone')
    return well(`The push server ${address} answers, and takes the certificate.`);
  return fault(
    `The push server ${address} cannot be used (${outcome.reason}); let this machine connect to it, and check in the developer account that the certificate is not revoked.`,
  );
};

export type PassParts = Pick<PictureRenderer, 'passPictures'>;

const passFinding = async (
  options: WalletOneOptions,
  { certificate }: SigningMaterial,
  renderer: PassParts,
): Promise<Finding> => {
  const pictures = await renderer.passPictures({
    ...{
      title: SAMPLE.shopName.ar,
      subtitle: SAMPLE.programName.ar,
      direction: 'rtl',
      logo: null,
      strip: null,
    },
    colors: { background: '#3B2417', foreground: '#FBF7F1', accent: '#E0A458' },
  });
  const pass = await createWalletOne(options).makePass({
    ...{ face: SAMPLE, pictures, authenticationToken: 'a-token-of-a-test-pass' },
    webServiceUrl: 'https://ahwa.example/wallet',
  });
  const wrong = passFault(pass, certificate);
  return wrong === null
    ? well(`A test pass of ${pass.length} bytes was made, and its signature and hashes are right.`)
    : fault(`A test pass was made and is wrong: ${wrong}; report this with the version of the program.`);
};

export const checkWalletOne = async (
  options: WalletOneOptions,
  renderer: PassParts,
  clock: Clock,
): Promise<readonly Finding[]> => {
  const material = readMaterial(options);
  if (typeof material === 'string') return [fault(material)];
  const expired = timeFault(material, clock.now());
  if (expired !== null) return [fault(expired)];
  const pusher = createPusher({
    ...{ address: options.push, topic: material.passType, key: material.key, ca: options.ca },
    ...{ certificate: material.certificate.toString(), timeLimitMs: options.timeLimitMs },
  });
  try {
    return [
      validity(material, clock),
      intermediateFinding(material),
      await pushFinding(pusher, options.push),
      await passFinding(options, material, renderer),
    ];
  } finally {
    pusher.close();
  }
};

// ── Google Wallet ───────────────────────────────────────────────────────────────────────────────

const apiFault = (reason: string, { issuer, account }: WalletTwoAccess, api: string): string => {
  if (reason.includes('403'))
    return `The service account may not use issuer ${issuer} (${reason}); add ${account.email} as a user of the issuer account in the Google Pay and Wallet console.`;
  if (reason.includes('invalid_grant') || reason.includes('401'))
    return `The key of the service account is refused (${reason}); set the clock of this machine right, or make a new JSON key of ${account.email}.`;
  return `The API of Google Wallet cannot be used (${reason}); let this machine connect to ${api} and ${account.tokenUrl}.`;
};

const linkFinding = async (options: WalletTwoOptions, { account }: WalletTwoAccess): Promise<Finding> => {
  const link = await createWalletTwo(options).saveLink({ loyaltyObjects: [] });
  const jwt = link.slice(link.lastIndexOf('/') + 1);
  const isRight = await jwtVerify(jwt, createPublicKey(account.key), {
    ...{ issuer: account.email, audience: 'google', currentDate: new Date(options.clock.now()) },
  }).then(
    () => true,
    () => false,
  );
  return isRight
    ? well('A test save link was signed, and its signature is right.')
    : fault('A test save link was signed and is wrong; make a new JSON key of the service account.');
};

export const checkWalletTwo = async (options: WalletTwoOptions): Promise<readonly Finding[]> => {
  const access = readServiceAccount(options);
  if (typeof access === 'string') return [fault(access)];
  const reason = await createWalletTwo(options).check();
  const api =
    reason === null
      ? well(`The API of Google Wallet answers for issuer ${access.issuer}.`)
      : fault(apiFault(reason, access, options.api));
  return [api, await linkFinding(options, access)];
};
