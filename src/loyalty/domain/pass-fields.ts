/** The pass of wallet one: `pass.json` of a store card, and its texts in two languages. */
import type { Language } from '../../kernel/names.ts';
import { FACE_WORDS, locationsOf, rewardText, type Bilingual, type CardFace } from './card-face.ts';

interface PassField {
  readonly key: string;
  readonly label: string;
  readonly value: string | number;
  readonly changeMessage?: string;
  readonly dataDetectorTypes?: readonly string[];
}

export interface PassFields {
  /** Without what belongs to the certificate and to the web service. */
  readonly pass: {
    readonly formatVersion: 1;
    readonly serialNumber: string;
    readonly organizationName: string;
    readonly description: string;
    readonly logoText: string;
    readonly backgroundColor: string;
    readonly foregroundColor: string;
    readonly labelColor: string;
    readonly sharingProhibited: true;
    readonly voided: boolean;
    readonly barcodes: readonly object[];
    readonly locations: readonly object[];
    readonly storeCard: {
      readonly headerFields: readonly PassField[];
      readonly primaryFields: readonly PassField[];
      readonly secondaryFields: readonly PassField[];
      readonly auxiliaryFields: readonly PassField[];
      readonly backFields: readonly PassField[];
    };
  };
  /** `pass.strings`: the text of `pass.json` to the text in the language. */
  readonly strings: Readonly<Record<Language, Readonly<Record<string, string>>>>;
}

/**
 * A phone in a third language shows the text of `pass.json` itself, so each text is its own key in English. Two texts
 * that differ only in Arabic differ by a space at the end, which is not seen.
 */
class Texts {
  readonly #arabic = new Map<string, Bilingual>();

  key(text: Bilingual): string {
    let key = text.en;
    while ((this.#arabic.get(key) ?? text).ar !== text.ar) key += ' ';
    this.#arabic.set(key, text);
    return key;
  }

  in(language: Language): Record<string, string> {
    return Object.fromEntries([...this.#arabic].map(([key, text]) => [key, text[language]]));
  }
}

/** `#3B2417` → `rgb(59, 36, 23)`. */
const rgb = (color: string): string =>
  `rgb(${[1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)).join(', ')})`;

const BALANCE_CHANGED: Readonly<Record<CardFace['mode'], Bilingual>> = {
  points: { ar: 'رصيد نقاطك الآن: %@', en: 'Your points: %@' },
  visits: { ar: 'عدد زياراتك الآن: %@', en: 'Your visits: %@' },
};

const nearText = ({ name }: CardFace['branches'][number], { shopName }: CardFace): Bilingual => ({
  ar: `${shopName.ar} – ${name.ar}`,
  en: `${shopName.en} – ${name.en}`,
});

const described = ({ shopName, programName }: CardFace): Bilingual => ({
  ar: `${shopName.ar}: ${programName.ar}`,
  en: `${shopName.en}: ${programName.en}`,
});

const backFields = (face: CardFace, texts: Texts): PassField[] => [
  { key: 'program', label: texts.key(FACE_WORDS.program), value: texts.key(face.programName) },
  {
    ...{ key: 'card', label: texts.key(FACE_WORDS.card), value: face.cardPage },
    dataDetectorTypes: ['PKDataDetectorTypeLink'],
  },
  ...(face.terms === null
    ? []
    : [{ key: 'terms', label: texts.key(FACE_WORDS.terms), value: texts.key(face.terms) }]),
];

const frontFields = (face: CardFace, texts: Texts) => {
  const label = (word: keyof typeof FACE_WORDS): string => texts.key(FACE_WORDS[word]);
  return {
    headerFields: [
      {
        ...{ key: 'balance', label: label(face.mode), value: face.balance },
        changeMessage: texts.key(BALANCE_CHANGED[face.mode]),
      },
    ],
    primaryFields: [],
    secondaryFields: [
      { key: 'member', label: label('member'), value: face.firstName },
      ...(face.nextReward === null
        ? []
        : [{ key: 'next', label: label('nextReward'), value: texts.key(rewardText(face.nextReward)) }]),
    ],
    auxiliaryFields: [
      { key: 'to_next', label: label('toNext'), value: face.pointsToNext },
      { key: 'ready', label: label('ready'), value: face.rewardsReady },
    ],
  };
};

/** An ended card has no code that a till could scan, and Wallet greys it out. */
export const passFields = (face: CardFace): PassFields => {
  const texts = new Texts();
  const { cardId, shopName, colors, memberCode, isVoid } = face;
  const pass: PassFields['pass'] = {
    formatVersion: 1,
    serialNumber: cardId,
    organizationName: texts.key(shopName),
    description: texts.key(isVoid ? FACE_WORDS.ended : described(face)),
    logoText: texts.key(shopName),
    backgroundColor: rgb(colors.background),
    foregroundColor: rgb(colors.foreground),
    labelColor: rgb(colors.label),
    sharingProhibited: true,
    voided: isVoid,
    barcodes:
      isVoid || memberCode === null
        ? []
        : [{ format: 'PKBarcodeFormatQR', message: memberCode, messageEncoding: 'iso-8859-1' }],
    locations: locationsOf(face).map((branch) => ({
      ...{ latitude: branch.lat, longitude: branch.lng },
      relevantText: texts.key(nearText(branch, face)),
    })),
    storeCard: { ...frontFields(face, texts), backFields: backFields(face, texts) },
  };
  return { pass, strings: { ar: texts.in('ar'), en: texts.in('en') } };
};

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '' };

/** As between the quotes of a `.strings` file. */
export const stringsText = (text: string): string =>
  text.replace(/["\\\n\r]/g, (sign) => ESCAPES[sign] ?? sign).replace(/\p{Cc}/gu, ' ');
