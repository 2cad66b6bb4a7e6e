/** Joining a loyalty programme. */
export default {
  title: { ar: '{program} · {shop}', en: '{program} · {shop}' },
  description: {
    ar: 'انضم إلى {program} في {shop}، واجمع مكافآت مع كل طلب.',
    en: 'Join {program} at {shop}, and collect rewards as you order.',
  },
  lead: { ar: 'بطاقة على موبايلك، مجانًا.', en: 'A card on your phone, free of charge.' },
  earnPoints: { ar: 'نقطة عن كل {amount}', en: '1 point for each {amount}' },
  earnVisitPerItem: {
    ar: 'زيارة تُحسب لك مع كل صنف تشتريه من الأصناف المشاركة',
    en: 'A visit counts with each item you buy of those that take part',
  },
  earnVisits: { ar: 'زيارة تُحسب لك كلما اشتريت', en: 'A visit counts each time you buy' },
  firstReward: { ar: 'أول مكافأة عند {cost}', en: 'The first reward at {cost}' },
  birthdayGift: { ar: 'هدية في عيد ميلادك: {amount}', en: 'A gift on your birthday: {amount}' },
  birthdayWish: { ar: 'تهنئة في عيد ميلادك', en: 'A greeting on your birthday' },
  terms: { ar: 'الشروط', en: 'Terms' },
  form: { ar: 'انضم الآن', en: 'Join now' },
  name: { ar: 'الاسم', en: 'Name' },
  phone: { ar: 'رقم الموبايل', en: 'Mobile number' },
  phoneHint: {
    ar: 'لكل رقم بطاقة واحدة، ولا يراه إلا المكان.',
    en: 'Each number has one card. Only the shop sees it.',
  },
  nameFault: { ar: 'اكتب اسمك كما تحب أن نناديك.', en: 'Write the name that we may call you by.' },
  phoneFault: {
    ar: 'هذا ليس رقم موبايل صحيحًا. اكتبه مثل \u20660100 123 4567\u2069.',
    en: 'This is no mobile number. Write it like 0100 123 4567.',
  },
  birthday: { ar: 'عيد ميلادك (اختياري)', en: 'Your birthday (optional)' },
  birthdayHint: { ar: 'بدون السنة.', en: 'No year needed.' },
  day: { ar: 'اليوم', en: 'Day' },
  month: { ar: 'الشهر', en: 'Month' },
  birthdayFault: {
    ar: 'اختر اليوم والشهر معًا، على أن يكون اليوم موجودًا في هذا الشهر.',
    en: 'Choose both day and month, and a day that the month has.',
  },
  join: { ar: 'انضم', en: 'Join' },
  openWithCode: { ar: 'أكّد وافتح البطاقة', en: 'Confirm and open the card' },
  hasCard: {
    ar: 'لهذا الرقم بطاقة هنا من قبل. أكّد أنه رقمك لنفتحها لك.',
    en: 'This number has a card here already. Confirm that it is yours, and the card opens.',
  },
  linkSent: {
    ar: 'وأرسلنا رابط البطاقة إلى الرقم نفسه على واتساب.',
    en: 'The link of the card is on its way to the number too, on WhatsApp.',
  },
  yours: { ar: 'لديك بطاقة على هذا الجهاز', en: 'You have a card on this device' },
  open: { ar: 'افتح بطاقتك', en: 'Open your card' },
  off: { ar: 'برنامج المكافآت متوقف الآن', en: 'The rewards are paused' },
  offHint: {
    ar: 'لا يمكن الانضمام حاليًا. البطاقات الموجودة محفوظة برصيدها.',
    en: 'Nobody can join for now. Cards that exist keep their balance.',
  },
  toPlace: { ar: 'إلى صفحة المكان', en: 'To the page of this place' },
  noScript: {
    ar: 'الانضمام من هذه الصفحة يحتاج إلى تشغيل JavaScript. أو انضم عند الكاشير: يكفي اسمك ورقمك.',
    en: 'Joining on this page needs JavaScript. Or join at the till: your name and number are enough.',
  },
  offline: {
    ar: 'لا يوجد اتصال. تأكد من الإنترنت ثم حاول مرة أخرى؛ ما كتبته محفوظ، ولن تُنشأ بطاقة ثانية.',
    en: 'No connection. Check your internet and try again; nothing you typed is lost, and no second card is made.',
  },
} as const;
