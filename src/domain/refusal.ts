import type { Translations } from './names.ts';

/**
 * Every way the service says no, in one catalogue: the status, the stable code where there is one, and the words
 * in both languages (Behaviour, Errors; Decisions 5). Whoever refuses throws a `Refusal`; the doors translate it.
 */
export const REFUSALS = {
  INVALID_INPUT: {
    status: 400,
    code: null,
    en: 'The request is not valid.',
    ar: 'الطلب غير صحيح.',
    when: 'Malformed or missing input; the message and `fields` name the place.',
  },
  DATE_OUT_OF_RANGE: {
    status: 400,
    code: 'DATE_OUT_OF_RANGE',
    en: 'Bookings are taken for dates from {first} to {last}.',
    ar: 'الحجز متاح من {first} إلى {last}.',
    when: 'A booking date before today or beyond the horizon; `vars` has `first` and `last`.',
  },
  PARTY_SIZE_OUT_OF_RANGE: {
    status: 400,
    code: 'PARTY_SIZE_OUT_OF_RANGE',
    en: 'This branch takes parties of {min} to {max}.',
    ar: 'هذا الفرع يستقبل من {min} إلى {max} أفراد.',
    when: 'A party smaller or larger than the branch takes; `vars` has `min` and `max`.',
  },
  COMBO_PICKS_REQUIRED: {
    status: 400,
    code: 'COMBO_PICKS_REQUIRED',
    en: 'Choose what comes with the combo.',
    ar: 'اختر مكونات الكومبو.',
    when: 'A combo without `combo.picks`.',
  },
  COMBO_SLOT_TOO_FEW: {
    status: 400,
    code: 'COMBO_SLOT_TOO_FEW',
    en: '{slot}: {got} chosen; choose at least {min}.',
    ar: '{slot}: المختار {got}؛ اختر {min} على الأقل.',
    when: 'Fewer units picked for a slot of a combo than it needs; `vars` has `slot_id`, `slot`, `min` and `got`.',
  },
  COMBO_SLOT_TOO_MANY: {
    status: 400,
    code: 'COMBO_SLOT_TOO_MANY',
    en: '{slot}: {got} chosen; choose at most {max}.',
    ar: '{slot}: المختار {got}؛ اختر {max} على الأكثر.',
    when: 'More units picked for a slot of a combo than it takes; `vars` has `slot_id`, `slot`, `max` and `got`.',
  },
  COMBO_CHOICE_NOT_ALLOWED: {
    status: 400,
    code: 'COMBO_CHOICE_NOT_ALLOWED',
    en: 'This is not among the choices of the combo.',
    ar: 'هذا ليس من اختيارات الكومبو.',
    when: "A pick for a slot that is not the combo's, or of an item that is not the slot's; `vars` has `slot_id` and `menu_item_id`.",
  },
  COMBO_NESTED: {
    status: 400,
    code: 'COMBO_NESTED',
    en: 'A combo cannot be picked inside a combo.',
    ar: 'لا يمكن اختيار كومبو داخل كومبو.',
    when: 'A pick that is itself a combo.',
  },
  MODIFIER_TOO_FEW: {
    status: 400,
    code: 'MODIFIER_TOO_FEW',
    en: '{group}: {got} chosen; choose at least {min}.',
    ar: '{group}: المختار {got}؛ اختر {min} على الأقل.',
    when: 'Fewer add-ons chosen of a modifier group than it needs, quantities counted; `vars` has `group_id`, `group`, `min` and `got`.',
  },
  MODIFIER_TOO_MANY: {
    status: 400,
    code: 'MODIFIER_TOO_MANY',
    en: '{group}: {got} chosen; choose at most {max}.',
    ar: '{group}: المختار {got}؛ اختر {max} على الأكثر.',
    when: 'More add-ons chosen of a modifier group than it takes, quantities counted; `vars` has `group_id`, `group`, `max` and `got`.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    code: null,
    en: 'Pages of this origin may not call the tool server.',
    ar: 'غير مسموح لصفحات هذا المصدر باستدعاء خادم الأدوات.',
    when: 'A call to the tool server with an `Origin` that is not https, nor of this machine while `BASE_URL` is.',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    code: null,
    en: 'The tool server is not served under this host name; BASE_URL says which it has.',
    ar: 'خادم الأدوات لا يعمل تحت اسم المضيف هذا؛ الاسم الصحيح في BASE_URL.',
    when: 'A call to the tool server with a `Host` that does not lead to this machine, while `BASE_URL` does.',
  },
  NOT_PERMITTED: {
    status: 403,
    code: 'NOT_PERMITTED',
    en: 'This needs the permission {permission}.',
    ar: 'هذا يحتاج إلى صلاحية {permission}.',
    when: 'Something that only staff with a permission may ask for, such as a `staff_drink`; `vars` has `permission`.',
  },
  NOT_FOUND: {
    status: 404,
    code: null,
    en: 'Not found.',
    ar: 'غير موجود.',
    when: 'An unknown address, shop, branch, table or order, or one of a shop that is switched off.',
  },
  CHANNEL_NOT_OFFERED: {
    status: 404,
    code: 'CHANNEL_NOT_OFFERED',
    en: '{channel} is not offered at this branch.',
    ar: '{channel}: خدمة غير متاحة في هذا الفرع.',
    when: 'An ordering channel that the branch does not have.',
  },
  ITEM_NOT_FOUND: {
    status: 404,
    code: 'ITEM_NOT_FOUND',
    en: 'This shop has no such item.',
    ar: 'لا يوجد هذا الصنف في هذا المحل.',
    when: 'An item that is unknown, gone, or of another shop; `vars` has `menu_item_id`.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    code: null,
    en: 'This address does not take that method.',
    ar: 'هذا العنوان لا يقبل هذه الطريقة.',
    when: 'A method that the address does not take; `Allow` lists those it does.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    code: null,
    en: 'Answers here are application/json; let Accept take it.',
    ar: 'الردود هنا بصيغة application/json فقط؛ اسمح بها في Accept.',
    when: 'A call to the tool server whose `Accept` excludes JSON.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    code: null,
    en: 'The request took too long to arrive.',
    ar: 'استغرق وصول الطلب وقتًا أطول من المسموح.',
    when: 'A request that was not sent whole in time.',
  },
  CHANNEL_CLOSED: {
    status: 409,
    code: 'CHANNEL_CLOSED',
    en: '{channel} is closed at this branch now.',
    ar: '{channel}: الخدمة مغلقة في هذا الفرع الآن.',
    when: 'An ordering channel that is closed now; `vars` has `channel` and, when known, `opens_at`.',
  },
  ITEM_UNAVAILABLE: {
    status: 409,
    code: 'ITEM_UNAVAILABLE',
    en: '{item} is not available now.',
    ar: '{item}: غير متاح الآن.',
    left: { en: '{item}: only {available} left.', ar: '{item}: المتبقي {available} فقط.' },
    when: 'An item that is not sold here now, or more units than there are left; `vars` has `menu_item_id`, `item` and `available`, 0 where there is none to be had.',
  },
  ADDON_UNAVAILABLE: {
    status: 409,
    code: 'ADDON_UNAVAILABLE',
    en: '{addon} is not available now.',
    ar: '{addon}: غير متاح الآن.',
    left: { en: '{addon}: only {available} left.', ar: '{addon}: المتبقي {available} فقط.' },
    when: 'An add-on that is not sold here now, or more of it than there is left; `vars` has `addon_item_id`, `addon` and `available`, 0 where there is none to be had.',
  },
  COMBO_UNAVAILABLE: {
    status: 409,
    code: 'COMBO_UNAVAILABLE',
    en: '{combo} is not available now.',
    ar: '{combo}: غير متاح الآن.',
    left: { en: '{combo}: only {available} left.', ar: '{combo}: المتبقي {available} فقط.' },
    when: 'A combo that is not sold here now, or more of it than there are left; `vars` has `combo_id`, `combo`, `reason` (`off`, `no_price`, `sold_out`, `outside_hours`, `no_choice` or `too_few_left`) and `available`, 0 where there is none to be had.',
  },
  COMBO_ITEM_UNAVAILABLE: {
    status: 409,
    code: 'COMBO_ITEM_UNAVAILABLE',
    en: '{item} cannot be picked in this combo now.',
    ar: '{item}: غير متاح ضمن هذا الكومبو الآن.',
    when: 'A choice of a combo that is not sold here now; `vars` has `menu_item_id` and `item`.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    code: null,
    en: 'The body is too large: at most {limit} KiB.',
    ar: 'محتوى الطلب أكبر من المسموح: {limit} KiB على الأكثر.',
    when: 'A body over the limit of the operation, which the message names.',
  },
  ADDRESS_TOO_LONG: {
    status: 414,
    code: null,
    en: 'The address is too long.',
    ar: 'العنوان أطول من المسموح.',
    when: 'An address over 4,096 characters.',
  },
  NOT_JSON: {
    status: 415,
    code: null,
    en: 'Send the body as application/json, in UTF-8.',
    ar: 'أرسل المحتوى بصيغة application/json وبترميز UTF-8.',
    when: 'A body that is not JSON, or whose `charset` is another than UTF-8.',
  },
  BODY_COMPRESSED: {
    status: 415,
    code: null,
    en: 'The body must not be compressed: send it without Content-Encoding.',
    ar: 'يجب ألا يكون المحتوى مضغوطًا: أرسله بدون Content-Encoding.',
    when: 'A body with a `Content-Encoding` other than `identity`.',
  },
  RATE_LIMITED: {
    status: 429,
    code: 'RATE_LIMITED',
    en: 'Too many requests. Try again in {retry_after_seconds} s.',
    ar: 'طلبات كثيرة. حاول بعد {retry_after_seconds} ثانية.',
    when: 'The request limit of this client IP; wait as `Retry-After` and `retry_after_seconds` say.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    code: null,
    en: 'The request headers are too large.',
    ar: 'ترويسات الطلب أكبر من المسموح.',
    when: 'Request headers over the limit.',
  },
  INTERNAL: {
    status: 500,
    code: null,
    en: 'Something went wrong on our side. Request {request_id}.',
    ar: 'حدث خطأ عندنا. رقم الطلب {request_id}.',
    when: 'An unexpected fault; the log has the same request id.',
  },
  UNAVAILABLE: {
    status: 503,
    code: null,
    en: 'The service is temporarily unavailable. Try again shortly.',
    ar: 'الخدمة غير متاحة مؤقتًا. حاول بعد قليل.',
    when: 'A part this needs, such as the database, does not answer.',
  },
} as const satisfies Record<string, RefusalEntry>;

/** What people are told, in both languages. */
export type Words = Readonly<Record<'en' | 'ar', string>>;

interface RefusalEntry extends Words {
  readonly status: number;
  readonly code: string | null;
  /** Said instead where `available` is more than 0: less would do. */
  readonly left?: Words;
  /** For the documents: the condition. */
  readonly when: string;
}

export type RefusalName = keyof typeof REFUSALS;

/** The figures of a refusal: `vars` in the error body of a coded one, and what fills the words' braces. */
export type Figures = Readonly<Record<string, string | number | boolean | null>>;

/** What is malformed: the end of a sentence that begins with its place; what a guest can cause says it in Arabic too. */
export interface Problem {
  readonly problem: string;
  readonly arabic?: string;
}

/** One fault of an input: where it stands and what is wrong there. */
export interface Fault extends Problem {
  readonly path: string;
}

/** The names among figures, in the languages they are translated to. */
export type Names = Readonly<Record<string, Translations>>;

/** One of several things that are wrong: where, which refusal, with what figures, or malformed in which way. */
export interface CodedFault extends Partial<Problem> {
  readonly path: string;
  readonly refusal: RefusalName;
  readonly figures: Figures;
  readonly names?: Names;
}

/** As many faults as one answer tells: more than people ever make. */
const MOST_FAULTS = 1_000;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusal: RefusalName;
  readonly figures: Figures;
  /** What is malformed. */
  readonly faults: readonly Fault[];
  /** Everything that is wrong, where at least one thing has a code. */
  readonly coded: readonly CodedFault[];
  /** How many faults more there are than are told. */
  readonly leftOut: number;

  constructor(
    refusal: RefusalName,
    figures: Figures = {},
    faults: readonly Fault[] = [],
    coded: readonly CodedFault[] = [],
    leftOut = 0,
  ) {
    super(wordsOf(refusal, 'en', figures));
    this.refusal = refusal;
    this.figures = figures;
    this.faults = faults;
    this.coded = coded;
    this.leftOut = leftOut;
  }
}

const hasCode = ({ refusal }: CodedFault): boolean => REFUSALS[refusal].code !== null;

/** The faults that are told, in their order: where there are too many, the first and those with a code before others. */
const told = (all: readonly CodedFault[]): readonly CodedFault[] => {
  if (all.length <= MOST_FAULTS) return all;
  const byWeight = new Set([...all.slice(0, 1), ...all.filter(hasCode), ...all]);
  const kept = new Set([...byWeight].slice(0, MOST_FAULTS));
  return all.filter((fault) => kept.has(fault));
};

/**
 * The refusal of everything that is wrong with an input, in the order of lines and fields: the first gives status,
 * code and figures, and all stand in it (Decisions 3, vars).
 */
export const refusedFor = (all: readonly CodedFault[]): Refusal => {
  const { refusal, figures } = all[0] ?? { refusal: 'INVALID_INPUT', figures: {} };
  const faults = told(all);
  const malformed = faults.flatMap(({ path, problem, arabic }) => {
    if (problem === undefined) return [];
    return [arabic === undefined ? { path, problem } : { path, problem, arabic }];
  });
  return new Refusal(
    refusal,
    figures,
    malformed,
    faults.some(hasCode) ? faults : [],
    all.length - faults.length,
  );
};

/** Whether what was thrown says that a part is away: the refusal, or the store's own fault of that name. */
export const isUnavailable = (thrown: unknown): boolean =>
  thrown instanceof Refusal
    ? thrown.refusal === 'UNAVAILABLE'
    : thrown instanceof Error && thrown.name === 'DatabaseUnavailable';

/** A malformed or missing input, every fault named at once (Decisions 5). */
export const invalidInput = (...faults: readonly Fault[]): Refusal =>
  refusedFor(faults.map((fault) => ({ ...fault, refusal: 'INVALID_INPUT', figures: {} })));

/** What people call a thing that figures name by its code; codes stay in `vars`. */
const FIGURE_WORDS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  channel: {
    pickup: { en: 'Pickup', ar: 'الاستلام من الفرع' },
    outside: { en: 'Delivery', ar: 'التوصيل' },
    in_mall: { en: 'Delivery in the mall', ar: 'التوصيل داخل المول' },
    umbrella: { en: 'Service at the umbrella', ar: 'الخدمة عند الشمسية' },
  },
  family: {
    milk_type: { en: 'milk', ar: 'لبن' },
    coffee_type: { en: 'coffee', ar: 'بُن' },
  },
};

/** The words in a language, their braces filled with the figures; a name is told in that language where it has it. */
export const filledIn = (words: Words, language: 'en' | 'ar', figures: Figures, names: Names = {}): string =>
  words[language].replace(/\{(\w+)\}/g, (_, key: string) => {
    const figure = String(figures[key] ?? '');
    return names[key]?.[language] ?? FIGURE_WORDS[key]?.[figure]?.[language] ?? figure;
  });

/** The refusal's sentence. */
export const wordsOf = (
  refusal: RefusalName,
  language: 'en' | 'ar',
  figures: Figures = {},
  names: Names = {},
): string => {
  const entry: RefusalEntry = REFUSALS[refusal];
  const isLess = Number(figures['available'] ?? 0) > 0;
  return filledIn(isLess && entry.left !== undefined ? entry.left : entry, language, figures, names);
};
