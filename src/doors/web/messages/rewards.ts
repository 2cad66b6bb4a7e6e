/** Loyalty: points, visits, rewards. `role`: Arabic writes two of them otherwise after a verb or a preposition. */
export default {
  points: {
    ar: '{count, plural, zero {{figure} نقطة} one {نقطة واحدة} two {{role, select, object {نقطتين} other {نقطتان}}} few {{figure} نقاط} many {{figure} نقطة} other {{figure} نقطة}}',
    en: '{count, plural, one {{figure} point} other {{figure} points}}',
  },
  visits: {
    ar: '{count, plural, zero {{figure} زيارة} one {زيارة واحدة} two {{role, select, object {زيارتين} other {زيارتان}}} few {{figure} زيارات} many {{figure} زيارة} other {{figure} زيارة}}',
    en: '{count, plural, one {{figure} visit} other {{figure} visits}}',
  },
  rewards: { ar: 'المكافآت', en: 'Rewards' },
  anyReward: { ar: 'مكافأة من اختيارك', en: 'A reward of your choice' },
  working: { ar: 'لحظة من فضلك…', en: 'One moment…' },
} as const;
