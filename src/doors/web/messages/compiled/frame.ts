/** Written by `npm run messages` from ../frame.ts. */

export const frame = {
  ar: {
    skip: 'تخطَّ إلى المحتوى',
    madeWith: 'صُنعت بواسطة',
  },
  en: {
    skip: 'Skip to the content',
    madeWith: 'Made with',
  },
} as const;
