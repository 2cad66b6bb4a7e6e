/** Written by `npm run messages` from ../cardpage.ts. */

export const cardpage = {
  ar: {
    title: (d: { readonly shop: string }): string => 'بطاقتك في ' + d.shop,
    noScript: 'تغيير اختيارات الرسائل يحتاج إلى تشغيل JavaScript. لرؤية أحدث رصيد:',
  },
  en: {
    title: (d: { readonly shop: string }): string => 'Your card at ' + d.shop,
    noScript: 'Changing what we send you needs JavaScript. For the latest balance:',
  },
} as const;
