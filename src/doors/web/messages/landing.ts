/** The service's own first page. */
export default {
  title: { ar: '{name}: صفحات المقاهي والمطاعم', en: '{name}: the pages of cafés and restaurants' },
  heading: { ar: 'مقهاك على هاتف كل ضيف', en: 'Your café, on every guest’s phone' },
  lead: {
    ar: 'يعطي {name} المقاهي والمطاعم في مصر صفحاتها: روابط وقائمة وطلب وحجز طاولة، بالعربية والإنجليزية، وبأسعارها هي حتى آخر قرش.',
    en: '{name} gives cafés and restaurants in Egypt their own pages: links, menu, orders and tables to book, in Arabic and English, at their own prices, to the last piastre.',
  },
  sales: { ar: 'تحدث إلينا', en: 'Talk to us' },
  demoShops: { ar: 'جرّب المحلات التجريبية', en: 'Try the demo shops' },
  readDocs: { ar: 'دليل المطورين', en: 'For developers' },
  facts: { ar: 'ما تعتمد عليه', en: 'What you can rely on' },
  price: { ar: 'السعر هو السعر', en: 'The price is the price' },
  priceText: {
    ar: 'تُحسب المبالغ في مكان واحد، بالقرش الصحيح. ما يظهر في السلة هو ما يُدفع، وإذا تغيّر سعر في أثناء الطلب سألنا الضيف أولًا.',
    en: 'Amounts are worked out in one place, in whole piastres. What the cart shows is what is paid; when a price changes meanwhile, the guest is asked first.',
  },
  table: { ar: 'طاولة واحدة لحجز واحد', en: 'One table, one party' },
  tableText: {
    ar: 'لا تقبل قاعدة البيانات نفسها حجزين على طاولة في وقت واحد. وإذا طلب آخر طاولة أكثر من ضيف في اللحظة نفسها أخذها واحد فقط.',
    en: 'The database itself refuses two bookings of a table at one time. When several guests ask for the last table at once, one of them gets it.',
  },
  command: { ar: 'أمر واحد للتشغيل', en: 'One command to run' },
  commandText: {
    ar: 'يثبّت ويبني ويشغّل قاعدة بياناته ثم يعمل. يكفيه Node 20.19، وبياناتك تبقى عندك.',
    en: 'It installs, builds, starts its own PostgreSQL and serves. Node 20.19 is all it needs, and your data stays with you.',
  },
  audiences: { ar: 'لمن هذا', en: 'Who it is for' },
  owners: { ar: 'أصحاب المقاهي', en: 'Café owners' },
  ownersText: {
    ar: 'المحل كله ملف واحد: الفروع والمواعيد والقائمة وسعر كل قناة بيع والعروض. أوقف قناة أو سجّل أن صنفًا نفد، فتتغير كل الصفحات في الحال.',
    en: 'A shop is one file: branches, hours, menu, the price of every channel, deals. Pause a channel or mark an item sold out, and every page follows at once.',
  },
  guests: { ar: 'الضيوف', en: 'Guests' },
  guestsText: {
    ar: 'بلا تطبيق وبلا حساب: رقم الهاتف ورمز لمرة واحدة. الصفحات صغيرة، مكتوبة للهواتف المتواضعة والشبكات البطيئة.',
    en: 'No app and no account: a phone number and a one-time code. The pages are small, made for modest phones and slow networks.',
  },
  developers: { ar: 'المطورون', en: 'Developers' },
  developersText: {
    ar: 'واجهة JSON مفتوحة بلا مفتاح: وصف OpenAPI 3.1، وأخطاء بالعربية والإنجليزية، وإشعارات موقّعة لأنظمتك.',
    en: 'An open JSON API without a key: OpenAPI 3.1, errors in Arabic and English, signed webhooks for your own systems.',
  },
  assistants: { ar: 'المساعدات الذكية', en: 'AI assistants' },
  assistantsText: {
    ar: 'أدوات للقراءة فقط ببروتوكول MCP: المحل والقائمة والمواعيد وحالة الطلب. أما الطلب والحجز فيبقيان بيد الإنسان.',
    en: 'Read-only tools over the Model Context Protocol: shop, menu, free times, the state of an order. Ordering and booking stay with the person.',
  },
  reference: { ar: 'دليل الواجهة', en: 'API reference' },
  openapi: { ar: 'الوصف للبرامج', en: 'The same for programs' },
  tools: { ar: 'خادم الأدوات', en: 'Tool server' },
  guide: { ar: 'دليل المساعدات', en: 'Guide for assistants' },
  plans: { ar: 'الأسعار', en: 'Prices' },
  perMonth: { ar: 'في الشهر لكل فرع', en: 'a month for each branch' },
  free: { ar: 'مجانًا', en: 'Free' },
  ask: { ar: 'اسألنا عن الأسعار.', en: 'Ask us for prices.' },
  contact: { ar: 'للأسئلة والاشتراك:', en: 'To sign up, and for questions:' },
  demo: { ar: 'محلات تجريبية', en: 'Demo shops' },
  demoText: {
    ar: 'محلات من خيالنا، بقوائم وفروع كاملة. اطلب واحجز كما تشاء.',
    en: 'Shops that we made up, with full menus and branches. Order and book as you like.',
  },
} as const;
