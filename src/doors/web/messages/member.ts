/** The way of a guest with a loyalty card through an order. */
export default {
  hello: { ar: 'أهلًا يا {name}', en: 'Hello, {name}' },
  lastOrder: { ar: 'طلبك السابق', en: 'Your last order' },
  same: { ar: 'نفس الطلب', en: 'The same again' },
  sameNow: { ar: 'بأسعار الآن', en: 'At the prices of now' },
  looking: { ar: 'نجهز طلبك…', en: 'Getting it ready…' },
  missing: {
    ar: 'لم نجد هذا الطلب بين طلبات بطاقتك على هذا الجهاز.',
    en: 'That order is not among those of the card on this device.',
  },
  lookFailed: {
    ar: 'لم نتمكن من تجهيز الطلب. تأكد من الاتصال وحاول مرة أخرى.',
    en: 'The order could not be made ready. Check the connection and try again.',
  },
  leftOut: { ar: 'لم يعد يُباع هنا، فتركناه:', en: 'Not sold here any more, and left out:' },
  lessOf: { ar: '{item}: بقي منه {n}', en: '{item}: {n} left' },
  toCard: { ar: 'بطاقتك', en: 'Your card' },
  prove: { ar: 'أكّد رقمك', en: 'Confirm your number' },
  proveHint: {
    ar: 'الرقم المنتهي بـ {digits}، لنملأ اسمك وأماكنك.',
    en: 'The one that ends in {digits}: your name and places are then filled in.',
  },
  proveTitle: { ar: 'رقم بطاقتك', en: 'The number of your card' },
  proveWhy: {
    ar: 'اكتب الرقم المنتهي بـ {digits}، ونرسل إليه كودًا مرة واحدة على هذا الجهاز.',
    en: 'Type the number that ends in {digits}. We send it a code, once on this device.',
  },
  otherNumber: {
    ar: 'هذا ليس رقم بطاقتك. رقمها ينتهي بـ {digits}.',
    en: 'This is not the number of your card, which ends in {digits}.',
  },
  send: { ar: 'أرسل الكود', en: 'Send the code' },
  outOfZone: { ar: 'أبعد مما يصل إليه التوصيل الآن', en: 'Beyond the delivery of now' },
  zoneUnavailable: {
    ar: 'لا يمكن حساب التوصيل إليه الآن',
    en: 'Delivery there cannot be worked out now',
  },
  branchUnavailable: { ar: 'فرعه لا يستقبل طلبات الآن', en: 'Its branch takes no orders now' },
  asLastTime: { ar: 'مثل المرة السابقة', en: 'As last time' },
  branchGone: { ar: 'فرع {branch} لا يستقبل طلبات الآن.', en: 'The branch {branch} takes no orders now.' },
  channelClosed: {
    ar: '{branch}: {channel} غير متاح الآن.',
    en: '{branch}: {channel} is not on offer now.',
  },
  have: { ar: 'رصيدك {balance}', en: 'You have {balance}' },
  remains: { ar: 'يتبقى لك {balance}', en: 'You have {balance} left' },
  spend: { ar: 'اصرف {cost}،', en: 'Spend {cost},' },
  saves: { ar: 'توفر {amount}', en: 'save {amount}' },
  proveToSpend: {
    ar: 'أكّد رقمك لتصرف رصيدك في هذا الطلب.',
    en: 'Confirm your number to spend it on this order.',
  },
  paidBy: { ar: 'مكافأة: {reward} مقابل {cost}', en: 'Reward: {reward} for {cost}' },
  takeBack: { ar: 'بدون المكافأة', en: 'Without the reward' },
  earns: { ar: 'تكسب {earned} مع هذا الطلب', en: '+{earned} with this order' },
  withoutRewards: {
    ar: 'لا يمكن صرف المكافأة في هذا الطلب الآن. هذا ثمنه بدونها.',
    en: 'The reward cannot be spent on this order now. This is what it costs without it.',
  },
} as const;
