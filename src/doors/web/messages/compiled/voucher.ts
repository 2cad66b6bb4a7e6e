/** Written by `npm run messages` from ../voucher.ts. */

export const voucher = {
  ar: {
    title: 'قسيمة للكاشير بلا إنترنت',
    hint: 'أظهر هذا الكود عند الكاشير ليصرف مكافأتك الآن. يُخصم رصيدك عندما يعود الإنترنت.',
    code: 'كود القسيمة',
    limit: (d: { readonly amount: string }): string => 'صالحة لـ ' + d.amount,
    until: (d: { readonly time: string; readonly left: string }): string =>
      'حتى ' + d.time + '، باقٍ ' + d.left,
    over: 'انتهت صلاحية هذه القسيمة.',
    again: 'قسيمة جديدة',
  },
  en: {
    title: 'Voucher for a till without internet',
    hint: 'Show this code at the till to get your reward now. Your balance changes once the till is online again.',
    code: 'Voucher code',
    limit: (d: { readonly amount: string }): string => 'Good for ' + d.amount,
    until: (d: { readonly time: string; readonly left: string }): string =>
      'Until ' + d.time + ', ' + d.left + ' left',
    over: 'This voucher has expired.',
    again: 'A new voucher',
  },
} as const;
