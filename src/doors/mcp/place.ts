import type { BookingTimes } from '../../bookings/contract/tools.ts';
import type { Translations } from '../../kernel/names.ts';
import { withTranslations, plainText, plainTexts } from './text.ts';

export type Place = Pick<
  BookingTimes,
  'shop_name' | 'shop_name_translations' | 'branch_name' | 'branch_name_translations'
>;

interface RawName {
  readonly name: string;
  readonly translations: Translations | undefined;
}

export const placeOf = (shop: RawName, branch: RawName): Place => {
  const [ofShop, ofBranch] = [plainTexts(shop.translations), plainTexts(branch.translations)];
  return {
    shop_name: plainText(shop.name),
    ...(ofShop === null ? {} : { shop_name_translations: ofShop }),
    branch_name: plainText(branch.name),
    ...(ofBranch === null ? {} : { branch_name_translations: ofBranch }),
  };
};

/** `بيت البن (Beit El Bunn), الزمالك (Zamalek)`. */
export const placeWords = (place: Place): string =>
  `${withTranslations(place.shop_name, place.shop_name_translations)}, ${withTranslations(place.branch_name, place.branch_name_translations)}`;
