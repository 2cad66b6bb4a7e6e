/** Written by `npm run messages` from ../channels.ts. */

export const channels = {
  ar: {
    pickup: 'استلام من الفرع',
    outside: 'توصيل',
    in_mall: 'توصيل داخل المول',
    umbrella: 'إلى الشمسية',
  },
  en: {
    pickup: 'Pickup',
    outside: 'Delivery',
    in_mall: 'Delivery in the mall',
    umbrella: 'To your umbrella',
  },
} as const;
