/** Written by `npm run messages` from ../rewards.ts. */
import { ar, en } from '@messageformat/runtime/lib/cardinals';
import { plural, select } from '@messageformat/runtime';

export const rewards = {
  ar: {
    points: (d: { readonly count: number; readonly figure: string; readonly role: string }): string =>
      String(
        plural(d.count, 0, ar, {
          zero: d.figure + ' نقطة',
          one: 'نقطة واحدة',
          two: select(d.role, { object: 'نقطتين', other: 'نقطتان' }),
          few: d.figure + ' نقاط',
          many: d.figure + ' نقطة',
          other: d.figure + ' نقطة',
        }),
      ),
    visits: (d: { readonly count: number; readonly figure: string; readonly role: string }): string =>
      String(
        plural(d.count, 0, ar, {
          zero: d.figure + ' زيارة',
          one: 'زيارة واحدة',
          two: select(d.role, { object: 'زيارتين', other: 'زيارتان' }),
          few: d.figure + ' زيارات',
          many: d.figure + ' زيارة',
          other: d.figure + ' زيارة',
        }),
      ),
    rewards: 'المكافآت',
    anyReward: 'مكافأة من اختيارك',
    working: 'لحظة من فضلك…',
  },
  en: {
    points: (d: { readonly count: number; readonly figure: string }): string =>
      String(plural(d.count, 0, en, { one: d.figure + ' point', other: d.figure + ' points' })),
    visits: (d: { readonly count: number; readonly figure: string }): string =>
      String(plural(d.count, 0, en, { one: d.figure + ' visit', other: d.figure + ' visits' })),
    rewards: 'Rewards',
    anyReward: 'A reward of your choice',
    working: 'One moment…',
  },
} as const;
