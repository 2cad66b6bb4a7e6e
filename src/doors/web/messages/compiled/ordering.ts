/** Written by `npm run messages` from ../ordering.ts. */

export const ordering = {
  ar: {
    title: (d: { readonly shop: string }): string => 'اطلب من ' + d.shop,
    choose: 'كيف تريد طلبك؟',
    openNow: 'مفتوح الآن',
    opensAt: (d: { readonly when: string }): string => 'يفتح ' + d.when,
    closed: 'مغلق الآن',
    noneTitle: 'لا يوجد طلب أونلاين الآن',
    noneHint: 'اتصل بالمكان أو جرّب لاحقًا.',
    change: 'تغيير',
    changeLabel: 'غيّر الفرع أو طريقة الطلب',
    closedNotice: 'الفرع لا يستقبل طلبات الآن. يمكنك تجهيز طلبك، ونحتفظ لك به هنا.',
    noScript: 'الطلب من هذه الصفحة يحتاج إلى تشغيل JavaScript. يمكنك الاتصال بالفرع.',
    noScriptAgain: 'لتطلب الطلب نفسه مرة أخرى، اذكر رقمه للفرع بالهاتف أو عند الكاشير:',
  },
  en: {
    title: (d: { readonly shop: string }): string => 'Order from ' + d.shop,
    choose: 'How would you like your order?',
    openNow: 'Open now',
    opensAt: (d: { readonly when: string }): string => 'Opens ' + d.when,
    closed: 'Closed now',
    noneTitle: 'No online orders for now',
    noneHint: 'Call the place, or try again later.',
    change: 'Change',
    changeLabel: 'Change the branch or the way',
    closedNotice: 'The branch takes no orders now. You can fill your cart; it is kept here.',
    noScript: 'Ordering on this page needs JavaScript. You can call the branch instead.',
    noScriptAgain: 'To have the same order again, give its number to the branch, by phone or at the till:',
  },
} as const;
