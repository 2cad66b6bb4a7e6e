/** Written by `npm run messages` from ../member.ts. */

export const member = {
  ar: {
    hello: (d: { readonly name: string }): string => 'أهلًا يا ' + d.name,
    lastOrder: 'طلبك السابق',
    same: 'نفس الطلب',
    sameNow: 'بأسعار الآن',
    looking: 'نجهز طلبك…',
    missing: 'لم نجد هذا الطلب بين طلبات بطاقتك على هذا الجهاز.',
    lookFailed: 'لم نتمكن من تجهيز الطلب. تأكد من الاتصال وحاول مرة أخرى.',
    leftOut: 'لم يعد يُباع هنا، فتركناه:',
    lessOf: (d: { readonly item: string; readonly n: string }): string => d.item + ': بقي منه ' + d.n,
    toCard: 'بطاقتك',
    prove: 'أكّد رقمك',
    proveHint: (d: { readonly digits: string }): string =>
      'الرقم المنتهي بـ ' + d.digits + '، لنملأ اسمك وأماكنك.',
    proveTitle: 'رقم بطاقتك',
    proveWhy: (d: { readonly digits: string }): string =>
      'اكتب الرقم المنتهي بـ ' + d.digits + '، ونرسل إليه كودًا مرة واحدة على هذا الجهاز.',
    otherNumber: (d: { readonly digits: string }): string =>
      'هذا ليس رقم بطاقتك. رقمها ينتهي بـ ' + d.digits + '.',
    send: 'أرسل الكود',
    outOfZone: 'أبعد مما يصل إليه التوصيل الآن',
    zoneUnavailable: 'لا يمكن حساب التوصيل إليه الآن',
    branchUnavailable: 'فرعه لا يستقبل طلبات الآن',
    asLastTime: 'مثل المرة السابقة',
    branchGone: (d: { readonly branch: string }): string => 'فرع ' + d.branch + ' لا يستقبل طلبات الآن.',
    channelClosed: (d: { readonly branch: string; readonly channel: string }): string =>
      d.branch + ': ' + d.channel + ' غير متاح الآن.',
    have: (d: { readonly balance: string }): string => 'رصيدك ' + d.balance,
    remains: (d: { readonly balance: string }): string => 'يتبقى لك ' + d.balance,
    spend: (d: { readonly cost: string }): string => 'اصرف ' + d.cost + '،',
    saves: (d: { readonly amount: string }): string => 'توفر ' + d.amount,
    proveToSpend: 'أكّد رقمك لتصرف رصيدك في هذا الطلب.',
    paidBy: (d: { readonly reward: string; readonly cost: string }): string =>
      'مكافأة: ' + d.reward + ' مقابل ' + d.cost,
    takeBack: 'بدون المكافأة',
    earns: (d: { readonly earned: string }): string => 'تكسب ' + d.earned + ' مع هذا الطلب',
    withoutRewards: 'لا يمكن صرف المكافأة في هذا الطلب الآن. هذا ثمنه بدونها.',
  },
  en: {
    hello: (d: { readonly name: string }): string => 'Hello, ' + d.name,
    lastOrder: 'Your last order',
    same: 'The same again',
    sameNow: 'At the prices of now',
    looking: 'Getting it ready…',
    missing: 'That order is not among those of the card on this device.',
    lookFailed: 'The order could not be made ready. Check the connection and try again.',
    leftOut: 'Not sold here any more, and left out:',
    lessOf: (d: { readonly item: string; readonly n: string }): string => d.item + ': ' + d.n + ' left',
    toCard: 'Your card',
    prove: 'Confirm your number',
    proveHint: (d: { readonly digits: string }): string =>
      'The one that ends in ' + d.digits + ': your name and places are then filled in.',
    proveTitle: 'The number of your card',
    proveWhy: (d: { readonly digits: string }): string =>
      'Type the number that ends in ' + d.digits + '. We send it a code, once on this device.',
    otherNumber: (d: { readonly digits: string }): string =>
      'This is not the number of your card, which ends in ' + d.digits + '.',
    send: 'Send the code',
    outOfZone: 'Beyond the delivery of now',
    zoneUnavailable: 'Delivery there cannot be worked out now',
    branchUnavailable: 'Its branch takes no orders now',
    asLastTime: 'As last time',
    branchGone: (d: { readonly branch: string }): string =>
      'The branch ' + d.branch + ' takes no orders now.',
    channelClosed: (d: { readonly branch: string; readonly channel: string }): string =>
      d.branch + ': ' + d.channel + ' is not on offer now.',
    have: (d: { readonly balance: string }): string => 'You have ' + d.balance,
    remains: (d: { readonly balance: string }): string => 'You have ' + d.balance + ' left',
    spend: (d: { readonly cost: string }): string => 'Spend ' + d.cost + ',',
    saves: (d: { readonly amount: string }): string => 'save ' + d.amount,
    proveToSpend: 'Confirm your number to spend it on this order.',
    paidBy: (d: { readonly reward: string; readonly cost: string }): string =>
      'Reward: ' + d.reward + ' for ' + d.cost,
    takeBack: 'Without the reward',
    earns: (d: { readonly earned: string }): string => '+' + d.earned + ' with this order',
    withoutRewards: 'The reward cannot be spent on this order now. This is what it costs without it.',
  },
} as const;
