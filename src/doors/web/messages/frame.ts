/** What stands around every page. */
export default {
  skip: { ar: 'تخطَّ إلى المحتوى', en: 'Skip to the content' },
  madeWith: { ar: 'صُنعت بواسطة', en: 'Made with' },
  refresh: { ar: 'حدِّث الصفحة', en: 'Refresh' },
} as const;
