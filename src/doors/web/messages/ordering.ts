/** The order page as the server draws it: what no script says again. */
export default {
  title: { ar: 'اطلب من {shop}', en: 'Order from {shop}' },
  choose: { ar: 'كيف تريد طلبك؟', en: 'How would you like your order?' },
  openNow: { ar: 'مفتوح الآن', en: 'Open now' },
  opensAt: { ar: 'يفتح {when}', en: 'Opens {when}' },
  closed: { ar: 'مغلق الآن', en: 'Closed now' },
  noneTitle: { ar: 'لا يوجد طلب أونلاين الآن', en: 'No online orders for now' },
  noneHint: { ar: 'اتصل بالمكان أو جرّب لاحقًا.', en: 'Call the place, or try again later.' },
  change: { ar: 'تغيير', en: 'Change' },
  changeLabel: { ar: 'غيّر الفرع أو طريقة الطلب', en: 'Change the branch or the way' },
  closedNotice: {
    ar: 'الفرع لا يستقبل طلبات الآن. يمكنك تجهيز طلبك، ونحتفظ لك به هنا.',
    en: 'The branch takes no orders now. You can fill your cart; it is kept here.',
  },
  noScript: {
    ar: 'الطلب من هذه الصفحة يحتاج إلى تشغيل JavaScript. يمكنك الاتصال بالفرع.',
    en: 'Ordering on this page needs JavaScript. You can call the branch instead.',
  },
  noScriptAgain: {
    ar: 'لتطلب الطلب نفسه مرة أخرى، اذكر رقمه للفرع بالهاتف أو عند الكاشير:',
    en: 'To have the same order again, give its number to the branch, by phone or at the till:',
  },
} as const;
