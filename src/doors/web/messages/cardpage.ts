/** What the server alone says on the page of a card: no script carries it. */
export default {
  title: { ar: 'بطاقتك في {shop}', en: 'Your card at {shop}' },
  noScript: {
    ar: 'تغيير اختيارات الرسائل يحتاج إلى تشغيل JavaScript. لرؤية أحدث رصيد:',
    en: 'Changing what we send you needs JavaScript. For the latest balance:',
  },
} as const;
