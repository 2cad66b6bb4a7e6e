/** Pages about requests that were refused. */
export default {
  notFound: { ar: 'لا توجد صفحة هنا', en: 'There is no page here' },
  notFoundHint: {
    ar: 'تأكد من العنوان، أو اسأل المكان الذي أرسله إليك.',
    en: 'Check the address, or ask the place that sent it to you.',
  },
  noCard: { ar: 'لا تُفتح بطاقة من هذا الرابط', en: 'No card opens with this link' },
  noCardHint: {
    ar: 'قد يكون الرابط ناقصًا، أو صدر بعده رابط أحدث. افتح صفحة المكافآت في صفحة المكان واكتب رقمك: تعود بطاقتك برصيدها. أو اسأل عند الكاشير.',
    en: 'The link may be cut short, or a newer one was given out. Open the rewards on the page of the place and write your number: your card comes back with its balance. Or ask at the till.',
  },
  toPlace: { ar: 'إلى صفحة المكان', en: 'To the page of this place' },
  busy: { ar: 'طلبات كثيرة', en: 'Too many requests' },
  busyHint: {
    ar: 'انتظر {seconds, plural, zero {لحظة} one {ثانية واحدة} two {ثانيتين} few {{figure} ثوانٍ} many {{figure} ثانية} other {{figure} ثانية}}، ثم حاول مرة أخرى.',
    en: 'Wait {seconds, plural, one {a second} other {{figure} seconds}}, then try again.',
  },
  down: { ar: 'الخدمة غير متاحة الآن', en: 'The service is not available now' },
  downHint: {
    ar: 'لم تفقد شيئًا. جرّب مرة أخرى بعد لحظات.',
    en: 'Nothing is lost. Try again in a moment.',
  },
  failed: { ar: 'حدث خطأ', en: 'Something went wrong' },
  offline: { ar: 'لا يوجد اتصال', en: 'You are offline' },
  offlineHint: {
    ar: 'تحقق من الإنترنت. القوائم التي رأيتها من قبل تُفتح دون اتصال.',
    en: 'Check your connection. Menus that you have seen before open without it.',
  },
  retry: { ar: 'حاول مرة أخرى', en: 'Try again' },
  reference: { ar: 'رقم الطلب: {id}', en: 'Request: {id}' },
} as const;
