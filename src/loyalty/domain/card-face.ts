/** What a pass in a wallet shows of a loyalty card (Decisions 11, Wallet one, Wallet two). */
import type { GeoPoint } from '../../kernel/geo.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Mode } from './programme.ts';

export type Bilingual = Readonly<Record<Language, string>>;

/** More locations than a pass of either vendor may have. */
const MAX_LOCATIONS = 10;

export interface CardFace {
  /** Serial number of the pass. */
  readonly cardId: Uuid;
  readonly orgId: Uuid;
  /** Of the card's token. What was handed out with the token before is another pass. */
  readonly generation: number;
  /** What the QR code holds; never the member token. Null: an ended card has none. */
  readonly memberCode: string | null;
  readonly shopName: Bilingual;
  readonly programName: Bilingual;
  /** The first word of the holder's name; a pass shows no phone and no full name. */
  readonly firstName: string;
  readonly mode: Mode;
  readonly balance: number;
  readonly nextReward: { readonly name: Bilingual; readonly cost: number } | null;
  readonly pointsToNext: number;
  readonly rewardsReady: number;
  /** `#RRGGBB`. */
  readonly colors: { readonly background: string; readonly foreground: string; readonly label: string };
  readonly terms: Bilingual | null;
  readonly branches: readonly (GeoPoint & { readonly name: Bilingual })[];
  /** Absolute address of the card's page. */
  readonly cardPage: string;
  /** Absolute address of the shop's page. */
  readonly shopPage: string;
  readonly changedAt: Instant;
  /** The card was merged into another, its holder's data erased, or its token ended by the first proof of the phone. */
  readonly isVoid: boolean;
}

/** What a pass shows whose token has ended: nothing of the card, which may be somebody else's. */
export const withoutCard = (face: CardFace): CardFace => ({
  ...face,
  ...{ memberCode: null, firstName: '', balance: 0, nextReward: null, pointsToNext: 0, rewardsReady: 0 },
  ...{ cardPage: face.shopPage, isVoid: true },
});

export const locationsOf = ({ branches, isVoid }: CardFace): CardFace['branches'] =>
  isVoid ? [] : branches.slice(0, MAX_LOCATIONS);

/** Words of both vendors' passes. */
export const FACE_WORDS = {
  points: { ar: 'النقاط', en: 'Points' },
  visits: { ar: 'الزيارات', en: 'Visits' },
  member: { ar: 'العضو', en: 'Member' },
  nextReward: { ar: 'المكافأة القادمة', en: 'Next reward' },
  toNext: { ar: 'باقي للمكافأة', en: 'To next reward' },
  ready: { ar: 'مكافآت جاهزة', en: 'Rewards ready' },
  card: { ar: 'بطاقتك على الإنترنت', en: 'Your card online' },
  terms: { ar: 'الشروط', en: 'Terms' },
  program: { ar: 'برنامج المكافآت', en: 'Programme' },
  logo: { ar: 'الشعار', en: 'Logo' },
  ended: { ar: 'هذه البطاقة لم تعد صالحة', en: 'This card is no longer valid' },
} as const satisfies Readonly<Record<string, Bilingual>>;

/** `Flat white (100)` in both languages. */
export const rewardText = ({ name, cost }: NonNullable<CardFace['nextReward']>): Bilingual => ({
  ar: `${name.ar} (${cost})`,
  en: `${name.en} (${cost})`,
});
