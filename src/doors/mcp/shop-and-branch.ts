import type { BookingTimes } from '../../bookings/contract/tools.ts';
import type { Translations } from '../../kernel/names.ts';
import { withTranslations, plainText, plainTexts } from './text.ts';

export type ShopAndBranch = Pick<
  BookingTimes,
  'shop_name' | 'shop_name_translations' | 'branch_name' | 'branch_name_translations'
>;

interface RawName {
  readonly name: string;
  readonly translations: Translations | undefined;
}

export const shopAndBranchOf = (shop: RawName, branch: RawName): ShopAndBranch => {
  const [ofShop, ofBranch] = [plainTexts(shop.translations), plainTexts(branch.translations)];
  return {
    shop_name: plainText(shop.name),
    ...(ofShop === null ? {} : { shop_name_translations: ofShop }),
    branch_name: plainText(branch.name),
    ...(ofBranch === null ? {} : { branch_name_translations: ofBranch }),
  };
};

/** `بيت البن (Beit El Bunn), الزمالك (Zamalek)`. */
export const shopAndBranchText = (names: ShopAndBranch): string =>
  `${withTranslations(names.shop_name, names.shop_name_translations)}, ${withTranslations(names.branch_name, names.branch_name_translations)}`;
