import type { CardFace } from './card-face.ts';

export const aFace = (own: Partial<CardFace> = {}): CardFace => ({
  cardId: '0c6c1a2e-1111-4a3b-9a41-0b6d9d0f1c22',
  orgId: '5b0c7a52-2222-4a3b-9a41-0b6d9d0f1c22',
  generation: 1,
  memberCode: 'C7Hk2mPq9sXw4b',
  shopName: { ar: 'بيت البن', en: 'Beit El Bunn' },
  programName: { ar: 'أصحاب البن', en: 'Bunn Friends' },
  firstName: 'منى',
  mode: 'points',
  balance: 42,
  nextReward: { name: { ar: 'فلات وايت', en: 'Flat white' }, cost: 50 },
  pointsToNext: 8,
  rewardsReady: 0,
  colors: { background: '#3B2417', foreground: '#FBF7F1', label: '#E0A458' },
  terms: { ar: 'سطر "أول"\nسطر ثان', en: 'A "first" line\nA second line' },
  branches: [{ lat: 30.0626, lng: 31.2197, name: { ar: 'الزمالك', en: 'Zamalek' } }],
  cardPage: 'https://ahwa.example/card/Mabcdefghijklmnopqrstuv',
  shopPage: 'https://ahwa.example/beit-el-bunn',
  changedAt: Date.parse('2026-11-20T18:00:00Z'),
  isVoid: false,
  ...own,
});
