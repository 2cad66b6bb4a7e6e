/** A voucher of a card, for a till that has no internet. */
export default {
  title: { ar: 'قسيمة للكاشير بلا إنترنت', en: 'Voucher for a till without internet' },
  hint: {
    ar: 'أظهر هذا الكود عند الكاشير ليصرف مكافأتك الآن. يُخصم رصيدك عندما يعود الإنترنت.',
    en: 'Show this code at the till to get your reward now. Your balance changes once the till is online again.',
  },
  code: { ar: 'كود القسيمة', en: 'Voucher code' },
  limit: { ar: 'صالحة لـ {amount}', en: 'Good for {amount}' },
  until: { ar: 'حتى {time}، باقٍ {left}', en: 'Until {time}, {left} left' },
  over: { ar: 'انتهت صلاحية هذه القسيمة.', en: 'This voucher has expired.' },
  again: { ar: 'قسيمة جديدة', en: 'A new voucher' },
} as const;
