/** Written by `npm run messages` from ../landing.ts. */

export const landing = {
  ar: {
    title: (d: { readonly name: string }): string => d.name + ': صفحات المقاهي والمطاعم',
    heading: 'مقهاك على هاتف كل ضيف',
    lead: (d: { readonly name: string }): string =>
      'يعطي ' +
      d.name +
      ' المقاهي والمطاعم في مصر صفحاتها: روابط وقائمة وطلب وحجز طاولة، بالعربية والإنجليزية، وبأسعارها هي حتى آخر قرش.',
    sales: 'تحدث إلينا',
    demoShops: 'جرّب المحلات التجريبية',
    readDocs: 'دليل المطورين',
    facts: 'ما تعتمد عليه',
    price: 'السعر هو السعر',
    priceText:
      'تُحسب المبالغ في مكان واحد، بالقرش الصحيح. ما يظهر في السلة هو ما يُدفع، وإذا تغيّر سعر في أثناء الطلب سألنا الضيف أولًا.',
    table: 'طاولة واحدة لحجز واحد',
    tableText:
      'لا تقبل قاعدة البيانات نفسها حجزين على طاولة في وقت واحد. وإذا طلب آخر طاولة أكثر من ضيف في اللحظة نفسها أخذها واحد فقط.',
    command: 'أمر واحد للتشغيل',
    commandText: 'يثبّت ويبني ويشغّل قاعدة بياناته ثم يعمل. يكفيه Node 20.19، وبياناتك تبقى عندك.',
    audiences: 'لمن هذا',
    owners: 'أصحاب المقاهي',
    ownersText:
      'المحل كله ملف واحد: الفروع والمواعيد والقائمة وسعر كل قناة بيع والعروض. أوقف قناة أو سجّل أن صنفًا نفد، فتتغير كل الصفحات في الحال.',
    guests: 'الضيوف',
    guestsText:
      'بلا تطبيق وبلا حساب: رقم الهاتف ورمز لمرة واحدة. الصفحات صغيرة، مكتوبة للهواتف المتواضعة والشبكات البطيئة.',
    developers: 'المطورون',
    developersText:
      'واجهة JSON مفتوحة بلا مفتاح: وصف OpenAPI 3.1، وأخطاء بالعربية والإنجليزية، وإشعارات موقّعة لأنظمتك.',
    assistants: 'المساعدات الذكية',
    assistantsText:
      'أدوات للقراءة فقط ببروتوكول MCP: المحل والقائمة والمواعيد وحالة الطلب. أما الطلب والحجز فيبقيان بيد الإنسان.',
    reference: 'دليل الواجهة',
    openapi: 'الوصف للبرامج',
    tools: 'خادم الأدوات',
    guide: 'دليل المساعدات',
    plans: 'الأسعار',
    perMonth: 'في الشهر لكل فرع',
    free: 'مجانًا',
    ask: 'اسألنا عن الأسعار.',
    contact: 'للأسئلة والاشتراك:',
    demo: 'محلات تجريبية',
    demoText: 'محلات من خيالنا، بقوائم وفروع كاملة. اطلب واحجز كما تشاء.',
  },
  en: {
    title: (d: { readonly name: string }): string => d.name + ': the pages of cafés and restaurants',
    heading: 'Your café, on every guest’s phone',
    lead: (d: { readonly name: string }): string =>
      d.name +
      ' gives cafés and restaurants in Egypt their own pages: links, menu, orders and tables to book, in Arabic and English, at their own prices, to the last piastre.',
    sales: 'Talk to us',
    demoShops: 'Try the demo shops',
    readDocs: 'For developers',
    facts: 'What you can rely on',
    price: 'The price is the price',
    priceText:
      'Amounts are worked out in one place, in whole piastres. What the cart shows is what is paid; when a price changes meanwhile, the guest is asked first.',
    table: 'One table, one party',
    tableText:
      'The database itself refuses two bookings of a table at one time. When several guests ask for the last table at once, one of them gets it.',
    command: 'One command to run',
    commandText:
      'It installs, builds, starts its own PostgreSQL and serves. Node 20.19 is all it needs, and your data stays with you.',
    audiences: 'Who it is for',
    owners: 'Café owners',
    ownersText:
      'A shop is one file: branches, hours, menu, the price of every channel, deals. Pause a channel or mark an item sold out, and every page follows at once.',
    guests: 'Guests',
    guestsText:
      'No app and no account: a phone number and a one-time code. The pages are small, made for modest phones and slow networks.',
    developers: 'Developers',
    developersText:
      'An open JSON API without a key: OpenAPI 3.1, errors in Arabic and English, signed webhooks for your own systems.',
    assistants: 'AI assistants',
    assistantsText:
      'Read-only tools over the Model Context Protocol: shop, menu, free times, the state of an order. Ordering and booking stay with the person.',
    reference: 'API reference',
    openapi: 'The same for programs',
    tools: 'Tool server',
    guide: 'Guide for assistants',
    plans: 'Prices',
    perMonth: 'a month for each branch',
    free: 'Free',
    ask: 'Ask us for prices.',
    contact: 'To sign up, and for questions:',
    demo: 'Demo shops',
    demoText: 'Shops that we made up, with full menus and branches. Order and book as you like.',
  },
} as const;
