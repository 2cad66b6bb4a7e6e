/** Written by `npm run messages` from ../errors.ts. */
import { ar, en } from '@messageformat/runtime/lib/cardinals';
import { plural } from '@messageformat/runtime';

export const errors = {
  ar: {
    notFound: 'لا توجد صفحة هنا',
    notFoundHint: 'تأكد من العنوان، أو اسأل المكان الذي أرسله إليك.',
    noCard: 'لا تُفتح بطاقة من هذا الرابط',
    noCardHint:
      'قد يكون الرابط ناقصًا، أو صدر بعده رابط أحدث. افتح صفحة المكافآت في صفحة المكان واكتب رقمك: تعود بطاقتك برصيدها. أو اسأل عند الكاشير.',
    toPlace: 'إلى صفحة المكان',
    busy: 'طلبات كثيرة',
    busyHint: (d: { readonly seconds: number; readonly figure: string }): string =>
      'انتظر ' +
      plural(d.seconds, 0, ar, {
        zero: 'لحظة',
        one: 'ثانية واحدة',
        two: 'ثانيتين',
        few: d.figure + ' ثوانٍ',
        many: d.figure + ' ثانية',
        other: d.figure + ' ثانية',
      }) +
      '، ثم حاول مرة أخرى.',
    down: 'الخدمة غير متاحة الآن',
    downHint: 'لم تفقد شيئًا. جرّب مرة أخرى بعد لحظات.',
    failed: 'حدث خطأ',
    offline: 'لا يوجد اتصال',
    offlineHint: 'تحقق من الإنترنت. القوائم التي رأيتها من قبل تُفتح دون اتصال.',
    retry: 'حاول مرة أخرى',
    reference: (d: { readonly id: string }): string => 'رقم الطلب: ' + d.id,
  },
  en: {
    notFound: 'There is no page here',
    notFoundHint: 'Check the address, or ask the place that sent it to you.',
    noCard: 'No card opens with this link',
    noCardHint:
      'The link may be cut short, or a newer one was given out. Open the rewards on the page of the place and write your number: your card comes back with its balance. Or ask at the till.',
    toPlace: 'To the page of this place',
    busy: 'Too many requests',
    busyHint: (d: { readonly seconds: number; readonly figure: string }): string =>
      'Wait ' +
      plural(d.seconds, 0, en, { one: 'a second', other: d.figure + ' seconds' }) +
      ', then try again.',
    down: 'The service is not available now',
    downHint: 'Nothing is lost. Try again in a moment.',
    failed: 'Something went wrong',
    offline: 'You are offline',
    offlineHint: 'Check your connection. Menus that you have seen before open without it.',
    retry: 'Try again',
    reference: (d: { readonly id: string }): string => 'Request: ' + d.id,
  },
} as const;
