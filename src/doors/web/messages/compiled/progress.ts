/** Written by `npm run messages` from ../progress.ts. */
import { select } from '@messageformat/runtime';

export const progress = {
  ar: {
    left: (d: { readonly reward: string; readonly left: string }): string =>
      'الباقي على «⁨' + d.reward + '⁩»: ' + d.left,
    leftToNext: (d: { readonly left: string }): string => 'الباقي على مكافأتك التالية: ' + d.left,
    enough: (d: { readonly time: string; readonly reward: string }): string =>
      String(
        select(d.time, { now: 'يكفي رصيدك', other: 'يكفي رصيدك بعد الطلب' }) + ' لـ«⁨' + d.reward + '⁩»',
      ),
  },
  en: {
    left: (d: { readonly n: string; readonly reward: string }): string => d.n + ' more to “' + d.reward + '”',
    leftToNext: (d: { readonly n: string }): string => d.n + ' more to your next reward',
    enough: (d: { readonly time: string; readonly reward: string }): string =>
      String(select(d.time, { now: 'enough', other: 'then enough' }) + ' for “' + d.reward + '”'),
  },
} as const;
