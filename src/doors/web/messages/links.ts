/** The links page. */
export default {
  order: { ar: 'اطلب الآن', en: 'Order online' },
  menu: { ar: 'قائمة الطعام', en: 'Menu' },
  rewards: { ar: 'المكافآت', en: 'Rewards' },
  book: { ar: 'احجز طاولة', en: 'Book a table' },
  pickup: { ar: 'استلام من الفرع', en: 'pickup' },
  delivery: { ar: 'توصيل', en: 'delivery' },
  in_mall: { ar: 'توصيل داخل المول', en: 'in the mall' },
  umbrella: { ar: 'على الشاطئ', en: 'to your umbrella' },
  points: { ar: 'نقاط مع كل طلب', en: 'Points with every order' },
  visits: { ar: 'طابع مع كل زيارة', en: 'A stamp with every visit' },
  branches: { ar: 'زورونا', en: 'Visit us' },
  directions: { ar: 'الاتجاهات', en: 'Directions' },
  toBranch: { ar: 'إلى فرع {branch}', en: 'to {branch}' },
  callBranch: { ar: 'اتصل بفرع {branch}', en: 'Call {branch}' },
  follow: { ar: 'تابعونا', en: 'Follow us' },
  links: { ar: 'روابط {shop}', en: 'Links of {shop}' },
} as const;
