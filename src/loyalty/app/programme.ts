/** A shop's programme and brand, as join page and card show them. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { pictureAddress } from '../../pictures/domain/picture.ts';
import type { App } from '../../platform/app/app.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Static } from 'typebox';
import { brandOf, linksOf } from '../../shops/app/shared.ts';
import type { Brand, Links } from '../../shops/domain/shop.ts';
import type * as contract from '../contract/shapes.ts';
import type { Programme } from '../domain/programme.ts';
import { programmeOfShop } from '../store/programme.ts';

type CardBrand = Static<typeof contract.CardBrand>;

export interface ShopWithProgramme {
  readonly brand: Brand;
  readonly links: Links;
  /** With neutral values where the shop never had one. */
  readonly programme: Programme;
}

/** Of a shop that has none (Decisions 11, Programme: the defaults). */
export const NEUTRAL: Omit<Programme, 'orgId' | 'programName'> = {
  ...{ isEnabled: false, mode: 'points', programNameAr: null, earnPiastresPerPoint: 1000, earnOnTax: false },
  ...{ visitItems: null, rewards: [], defaultRewardCost: 100, balanceCap: null, maxRewardsPerOrder: null },
  ...{ offlineLimit: null, requireOtp: true, terms: { ar: null, en: null } },
  birthday: { isEnabled: false, amount: null, message: { ar: null, en: null } },
  winBack: { isEnabled: false, afterDays: null, amount: null, message: { ar: null, en: null } },
};

export const neutralProgramme = ({ orgId, name }: Brand): Programme => ({
  ...NEUTRAL,
  ...{ orgId, programName: name },
});

/** Throws NOT_FOUND where the shop is not active. */
export const shopWithProgramme = async (db: Kysely<Database>, orgId: Uuid): Promise<ShopWithProgramme> => {
  const brand = await brandOf(db, orgId);
  const links = await linksOf(db, orgId);
  if (brand === null || links === null) throw new Refusal('NOT_FOUND');
  return { brand, links, programme: (await programmeOfShop(db, orgId)) ?? neutralProgramme(brand) };
};

export const cardBrandOf = (
  { baseUrl }: Pick<App, 'baseUrl'>,
  { brand, links, programme }: ShopWithProgramme,
): CardBrand => ({
  org_name: brand.name,
  program_name: programme.programName,
  program_name_ar: programme.programNameAr,
  logo_is_mark: brand.logoIsMark,
  social_links: [...links.socials],
  background_color: brand.backgroundColor,
  foreground_color: brand.foregroundColor,
  label_color: brand.accentColor,
  logo_url: pictureAddress(baseUrl, brand.logoUrl, brand.logoPictureId),
  card_image_url: pictureAddress(baseUrl, brand.cardImageUrl, brand.cardPictureId),
  org_name_translations: brand.nameTranslations,
  slug: brand.slug,
  main_language: brand.mainLanguage,
  digits: brand.digits,
});

export const rewardsReply = ({ rewards, mode }: Programme): Static<typeof contract.PublicReward>[] =>
  rewards.map(({ id, name, nameTranslations, cost }) => ({
    ...{ id, name, name_translations: nameTranslations, cost_currency: mode, cost_amount: cost },
  }));
