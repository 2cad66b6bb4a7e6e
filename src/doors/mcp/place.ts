/** Of which shop and branch an answer is, as fields and in words. */
import type { BookingTimes } from '../../service/contract/tools.ts';
import type { Translations } from '../../kernel/names.ts';
import { named, plainText, plainTexts } from './say.ts';

export type Place = Pick<
  BookingTimes,
  'shop_name' | 'shop_name_translations' | 'branch_name' | 'branch_name_translations'
>;

/** A name as whoever tells it has it. */
interface TheirName {
  readonly name: string;
  readonly translations: Translations | undefined;
}

export const placeOf = (shop: TheirName, branch: TheirName): Place => {
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
  `${named(place.shop_name, place.shop_name_translations)}, ${named(place.branch_name, place.branch_name_translations)}`;
