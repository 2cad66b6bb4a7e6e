/** What a pass shows of a card, as it is now. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { firstWord, nameIn, type Named } from '../../../kernel/names.ts';
import type { App } from '../../../platform/app/app.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { branchesOf, brandOf } from '../../../shops/app/shared.ts';
import type { Branch, Brand } from '../../../shops/domain/shop.ts';
import { withoutCard, type Bilingual, type CardFace } from '../../domain/card-face.ts';
import type { LocalizedText, Programme } from '../../domain/programme.ts';
import { progressOf } from '../../domain/progress.ts';
import { cheapestReward } from '../../domain/reward.ts';
import { programmeOfShop } from '../../store/programme.ts';
import { NEUTRAL } from '../programme.ts';
import { cardForPass, type CardForPass, type CardKey } from '../../store/wallets.ts';

export type FaceParts = Pick<App, 'db' | 'clock' | 'tokens' | 'baseUrl'>;

const inBoth = (named: Named): Bilingual => ({ ar: nameIn('ar', named), en: nameIn('en', named) });

/** One language stands in for the other; null: neither is written. */
const eitherText = ({ ar, en }: LocalizedText): Bilingual | null => {
  const [arabic, english] = [ar ?? en, en ?? ar];
  return arabic === null || english === null ? null : { ar: arabic, en: english };
};

const nextRewardOf = ({ rewards }: Pick<Programme, 'rewards'>): CardFace['nextReward'] => {
  const next = cheapestReward(rewards);
  return next && { name: inBoth(next), cost: next.cost };
};

const placesOf = (branches: readonly Branch[]): CardFace['branches'] =>
  branches.flatMap((branch) => {
    const { lat, lng } = branch;
    return lat === null || lng === null ? [] : [{ lat, lng, name: inBoth(branch) }];
  });

interface Sources {
  readonly card: CardForPass;
  readonly brand: Brand;
  readonly programme: Programme | null;
  readonly branches: readonly Branch[];
}

const faceFrom = (
  { tokens, baseUrl }: FaceParts,
  { card, brand, programme, branches }: Sources,
): CardFace => {
  const { mode, ...rules } = programme ?? NEUTRAL;
  const key = { id: card.cardId, generation: card.generation };
  const token = tokens.memberTokenOf(key, card.tokenHash);
  const progress = progressOf(rules, card[mode]);
  const shopName = inBoth(brand);
  const shopPage = `${baseUrl}/${brand.slug}`;
  return {
    ...{
      cardId: card.cardId,
      orgId: card.orgId,
      generation: card.generation,
      mode,
      balance: card[mode],
      shopName,
    },
    memberCode: card.codeHash === null ? null : tokens.memberCodeOf(key, card.codeHash),
    programName:
      programme === null
        ? shopName
        : { ar: programme.programNameAr ?? programme.programName, en: programme.programName },
    firstName: firstWord(card.name),
    nextReward: nextRewardOf(rules),
    pointsToNext: progress.pointsToNextReward,
    rewardsReady: progress.rewardsReady,
    colors: {
      background: brand.backgroundColor,
      foreground: brand.foregroundColor,
      label: brand.accentColor,
    },
    terms: programme === null ? null : eitherText(programme.terms),
    branches: placesOf(branches),
    // A token under a key that SECRET_KEY no longer has cannot be made again.
    cardPage: token === null ? shopPage : `${baseUrl}/card/${token}`,
    shopPage,
    changedAt: card.changedAt,
    isVoid: card.isVoid,
  };
};

/** `generation`: that of the token which the caller has checked; null: whichever the card has now. */
export interface FaceKey extends CardKey {
  readonly generation: number | null;
}

/** Of a void card nothing but its shop. Null: there is no such card, it has got another token since the caller's was checked, or its shop is not active. */
export const faceOf = async (
  app: FaceParts,
  { orgId, cardId, generation }: FaceKey,
  db: Kysely<Database> = app.db.kysely,
): Promise<CardFace | null> => {
  const card = await cardForPass(db, { orgId, cardId });
  if (card === null || (generation !== null && card.generation !== generation)) return null;
  const brand = await brandOf(db, orgId);
  if (brand === null) return null;
  const programme = await programmeOfShop(db, orgId);
  const branches = await branchesOf(db, orgId);
  const face = faceFrom(app, { card, brand, programme, branches });
  return face.isVoid ? withoutCard(face) : face;
};

/** PNG that the vendor of wallet two loads. */
export const logoUrlOf = ({ baseUrl }: Pick<App, 'baseUrl'>, orgId: Uuid): string =>
  `${baseUrl}/wallet/logo/${orgId}.png`;
