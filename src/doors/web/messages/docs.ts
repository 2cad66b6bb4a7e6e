/** The API reference; the reference itself is in English. */
export default {
  title: { ar: 'واجهة {name} للمطورين', en: '{name} public API' },
  lead: {
    ar: 'كل ما تعرضه صفحات المقاهي والمطاعم متاح للبرامج: بلا حساب، وبلا مفتاح، وبالعربية والإنجليزية. الشرح التفصيلي أدناه بالإنجليزية.',
    en: 'What the pages of cafés and restaurants show is there for programs too: without an account or a key, in Arabic and English.',
  },
  others: { ar: 'بصيغ أخرى', en: 'In other forms' },
  start: { ar: 'ابدأ بثلاثة طلبات', en: 'Start with three requests' },
  withDemo: {
    ar: 'الأرقام هي أرقام المحلات التجريبية على هذا الخادم، فالطلبات تعمل كما هي.',
    en: 'The ids are those of the demo shops on this server, so that the requests work as they stand.',
  },
  withoutDemo: {
    ar: 'الأرقام أمثلة. اكتب مكانها عنوان محل تعرفه، كما يظهر في رابط صفحته.',
    en: 'The ids are examples. Put the address name of a shop that you know in their place, as in the link of its page.',
  },
  shop: { ar: 'محل وأزراره وفروعه', en: 'A shop, its buttons and branches' },
  menu: { ar: 'قائمة فرع بأسعار الاستلام', en: 'The menu of a branch, at its prices for pickup' },
  times: { ar: 'مواعيد اليوم لطاولة من أربعة', en: 'The times of today for a table of four' },
  contents: { ar: 'المحتويات', en: 'Contents' },
  tryIt: { ar: 'جرّب', en: 'Try it' },
  copy: { ar: 'انسخ', en: 'Copy' },
  copied: { ar: 'نُسخ', en: 'Copied' },
  required: { ar: 'مطلوب', en: 'required' },
  optional: { ar: 'اختياري', en: 'optional' },
  send: { ar: 'أرسل', en: 'Send' },
  sending: { ar: 'جارٍ الإرسال…', en: 'Sending…' },
  failed: {
    ar: 'لم يصل الطلب إلى الخادم. تأكد من الاتصال ثم أرسل مرة أخرى.',
    en: 'The request did not reach the server. Check the connection and send it again.',
  },
  status: { ar: 'الحالة', en: 'Status' },
  headers: { ar: 'الترويسات', en: 'Headers' },
  body: { ar: 'محتوى الرد', en: 'Body of the answer' },
  close: { ar: 'أغلق', en: 'Close' },
} as const;
