/** How far the next reward is. */
export default {
  left: { ar: 'الباقي على «\u2068{reward}\u2069»: {left}', en: '{n} more to “{reward}”' },
  leftToNext: { ar: 'الباقي على مكافأتك التالية: {left}', en: '{n} more to your next reward' },
  enough: {
    ar: '{time, select, now {يكفي رصيدك} other {يكفي رصيدك بعد الطلب}} لـ«\u2068{reward}\u2069»',
    en: '{time, select, now {enough} other {then enough}} for “{reward}”',
  },
} as const;
