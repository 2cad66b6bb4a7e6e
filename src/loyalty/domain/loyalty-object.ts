/** The class and the object of wallet two: what all cards of a shop share, and one card. */
import type { Uuid } from '../../kernel/ids.ts';
import { FACE_WORDS, locationsOf, rewardText, type Bilingual, type CardFace } from './card-face.ts';

export interface ClassPlace {
  /** Number of the issuer's account. */
  readonly issuer: string;
  /** PNG that the vendor's servers load. */
  readonly logoUrl: string;
}

type ObjectKey = Pick<CardFace, 'cardId' | 'generation'>;

export const classIdOf = (issuer: string, orgId: Uuid): string => `${issuer}.${orgId}`;
/** Whoever holds the object of a token that has ended learns nothing of the next one's. */
export const objectIdOf = (issuer: string, { cardId, generation }: ObjectKey): string =>
  `${issuer}.${cardId}-${generation}`;

/** Readers of a third language see the English text. */
const localized = ({ ar, en }: Bilingual) => ({
  defaultValue: { language: 'en', value: en },
  translatedValues: [{ language: 'ar', value: ar }],
});

/** What a class must have; small enough for a save link. */
export const smallLoyaltyClass = (face: CardFace, { issuer, logoUrl }: ClassPlace) => ({
  id: classIdOf(issuer, face.orgId),
  issuerName: face.shopName.en,
  programName: face.programName.en,
  programLogo: { sourceUri: { uri: logoUrl } },
  reviewStatus: 'UNDER_REVIEW',
  hexBackgroundColor: face.colors.background,
});

export type LoyaltyClass = ReturnType<typeof loyaltyClass>;

/** Each change is reviewed again by the vendor, which is asked for by the status. */
export const loyaltyClass = (face: CardFace, place: ClassPlace) => ({
  ...smallLoyaltyClass(face, place),
  localizedIssuerName: localized(face.shopName),
  localizedProgramName: localized(face.programName),
  programLogo: {
    sourceUri: { uri: place.logoUrl },
    contentDescription: localized(FACE_WORDS.logo),
  },
  accountNameLabel: FACE_WORDS.member.en,
  localizedAccountNameLabel: localized(FACE_WORDS.member),
  countryCode: 'EG',
  multipleDevicesAndHoldersAllowedStatus: 'ONE_USER_ALL_DEVICES',
  merchantLocations: locationsOf({ ...face, isVoid: false }).map(({ lat, lng }) => ({
    ...{ latitude: lat, longitude: lng },
  })),
  textModulesData:
    face.terms === null
      ? []
      : [
          {
            ...{ id: 'terms', header: FACE_WORDS.terms.en, body: face.terms.en },
            ...{ localizedHeader: localized(FACE_WORDS.terms), localizedBody: localized(face.terms) },
          },
        ],
});

/** What a card must show; small enough for a save link. */
export const smallLoyaltyObject = (face: CardFace, issuer: string) => ({
  id: objectIdOf(issuer, face),
  classId: classIdOf(issuer, face.orgId),
  state: 'ACTIVE',
  accountName: face.firstName,
  loyaltyPoints: {
    label: FACE_WORDS[face.mode].en,
    localizedLabel: localized(FACE_WORDS[face.mode]),
    balance: { int: face.balance },
  },
  ...(face.memberCode === null ? {} : { barcode: { type: 'QR_CODE', value: face.memberCode } }),
});

export type LoyaltyObject = ReturnType<typeof loyaltyObject>;

export const loyaltyObject = (face: CardFace, issuer: string) => ({
  ...smallLoyaltyObject(face, issuer),
  secondaryLoyaltyPoints: {
    label: FACE_WORDS.toNext.en,
    localizedLabel: localized(FACE_WORDS.toNext),
    balance: { int: face.pointsToNext },
  },
  textModulesData: [
    {
      ...{ id: 'ready', header: FACE_WORDS.ready.en, body: String(face.rewardsReady) },
      localizedHeader: localized(FACE_WORDS.ready),
    },
    ...(face.nextReward === null
      ? []
      : [
          {
            ...{ id: 'next', header: FACE_WORDS.nextReward.en, body: rewardText(face.nextReward).en },
            localizedHeader: localized(FACE_WORDS.nextReward),
            localizedBody: localized(rewardText(face.nextReward)),
          },
        ]),
  ],
  linksModuleData: {
    uris: [
      {
        ...{ id: 'card', uri: face.cardPage, description: FACE_WORDS.card.en },
        localizedDescription: localized(FACE_WORDS.card),
      },
    ],
  },
});

/** A patch that leaves neither balance nor name, code or link: null deletes a field. */
export const endedLoyaltyObject = (key: ObjectKey & Pick<CardFace, 'orgId'>, issuer: string) => ({
  ...{ id: objectIdOf(issuer, key), classId: classIdOf(issuer, key.orgId), state: 'INACTIVE' },
  ...{ accountName: null, barcode: null, linksModuleData: null, textModulesData: null },
  ...{ loyaltyPoints: null, secondaryLoyaltyPoints: null },
});
