/**
 * Faults of a cart without an error code (Decisions 5). The path precedes the English text and follows the Arabic one.
 */
import { filledIn, type Figures, type Names, type Problem, type Words } from '../../../kernel/refusal.ts';

const PROBLEMS = {
  ITEM_REQUIRED: { en: 'is required', ar: 'الصنف مطلوب' },
  PICKS_OF_NO_COMBO: {
    en: 'has picks, but this item is no combo',
    ar: 'هذا الصنف ليس كومبو، فلا تُختار له مكونات',
  },
  SIZE_OF_COMBO: {
    en: 'must stand on a pick: a combo has no sizes',
    ar: 'الكومبو ليس له أحجام؛ الحجم يُكتب مع المكوّن نفسه',
  },
  OPTIONALS_OF_COMBO: {
    en: 'must stand on a pick: a combo has no optionals',
    ar: 'الكومبو ليس له اختيارات؛ الاختيارات تُكتب مع المكوّن نفسه',
  },
  ADDONS_OF_COMBO: {
    en: 'must stand on a pick: a combo has no add-ons',
    ar: 'الكومبو ليس له إضافات؛ الإضافات تُكتب مع المكوّن نفسه',
  },
  SIZE_OF_UNSIZED: { en: 'names a size, but this item has none', ar: 'هذا الصنف ليس له أحجام' },
  SIZE_UNKNOWN: {
    en: 'names no size that this item is sold in: {sizes}',
    ar: 'هذا الصنف لا يباع بهذا الحجم؛ أحجامه: {sizes}',
  },
  SIZE_AMBIGUOUS: {
    en: 'names more than one size: {sizes}',
    ar: 'هذا الاسم لأكثر من حجم: {sizes}',
  },
  OPTIONAL_UNKNOWN: { en: 'is no optional of this item', ar: 'هذا ليس من اختيارات هذا الصنف' },
  OPTIONAL_NOT_SOLD: { en: 'is not sold here', ar: 'هذا الاختيار لا يباع هنا' },
  OPTIONAL_OF_OTHER_SIZE: {
    en: 'belongs to another size: ‘{size}’',
    ar: 'هذا الاختيار يخص حجمًا آخر: ‘{size}’',
  },
  OPTIONAL_TWICE: { en: 'is named before in this list', ar: 'هذا الاختيار مذكور من قبل' },
  ADDON_UNKNOWN: { en: 'names no add-on of this shop', ar: 'لا توجد هذه الإضافة في هذا المحل' },
  ADDON_OF_NO_GROUP: {
    en: 'is no option of the groups of this item',
    ar: 'هذه الإضافة ليست من مجموعات هذا الصنف',
  },
  ADDON_NOT_ALLOWED: {
    en: 'is not among the add-ons of this item',
    ar: 'هذه الإضافة ليست من إضافات هذا الصنف',
  },
  ADDONS_NOT_TAKEN: {
    en: 'is an add-on, and ‘{item}’ takes none',
    ar: '‘{item}’ لا تُضاف إليه إضافات',
  },
  ADDON_TOO_OFTEN: { en: 'makes more than {most} of one add-on', ar: 'أكثر من {most} من إضافة واحدة' },
  SWAP_SECOND: { en: 'is a second {family}: an item takes one', ar: '{family} ثانٍ: الصنف يأخذ واحدًا فقط' },
  SWAP_TWICE: {
    en: 'makes more than one {family}: an item takes one',
    ar: 'أكثر من {family} واحد: الصنف يأخذ واحدًا فقط',
  },
  LINE_TOO_DEAR: {
    en: 'makes the line cost more than {most} piastres',
    ar: 'هذا السطر يتجاوز {most} قرش',
  },
  CART_TOO_DEAR: { en: 'makes the cart cost more than {most} piastres', ar: 'السلة تتجاوز {most} قرش' },
  PICKS_TOO_DEAR: {
    en: 'would singly cost more than {most} piastres',
    ar: 'مكونات الكومبو منفردة تتجاوز {most} قرش',
  },
  TOTAL_TOO_DEAR: {
    en: 'would make a total of more than {most} piastres with service and tax',
    ar: 'الإجمالي مع الخدمة والضريبة يتجاوز {most} قرش',
  },
  REWARD_OF_NO_LINE: { en: 'is no line of `items`', ar: 'لا يوجد هذا السطر في `items`' },
  REWARD_TWICE: {
    en: 'names the reward and the line of an earlier one; raise its `units` instead',
    ar: 'هذه المكافأة مذكورة على هذا السطر من قبل؛ زد `units` بدلًا من ذلك',
  },
  REWARD_OF_OTHER_ITEM: {
    en: 'is a line that the reward ‘{reward}’ does not pay for',
    ar: 'مكافأة ‘{reward}’ لا تُصرف على هذا الصنف',
  },
  REWARDS_BEYOND_LINE: {
    en: 'makes more rewards than the {quantity} units of the line',
    ar: 'المكافآت أكثر من عدد هذا السطر: {quantity}',
  },
  REWARDS_TOO_MANY: {
    en: 'makes more than {most} rewards in one order',
    ar: 'أكثر من {most} مكافأة في طلب واحد',
  },
} as const satisfies Record<string, Words>;

export type CartProblem = keyof typeof PROBLEMS;

export const problemOf = (name: CartProblem, figures: Figures = {}, names: Names = {}): Problem => ({
  problem: filledIn(PROBLEMS[name], 'en', figures, names),
  arabic: filledIn(PROBLEMS[name], 'ar', figures, names),
});
