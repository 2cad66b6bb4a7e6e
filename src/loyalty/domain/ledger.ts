/** The ledger of a card (Decisions 11): entries whose sum is the balance. */

export const ENTRY_KINDS = ['earn', 'redeem', 'adjust', 'reversal'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const ENTRY_SOURCES = [
  'sale',
  'redemption',
  'void',
  'refund',
  'birthday',
  'win_back',
  'manual',
  'merge',
  'sync',
] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** What happens to an amount that does not fit the balance. */
export type Fit =
  /** Trimmed to the cap; the rest is lost. */
  | 'to cap'
  /** Takes what there is; the rest is not owed. */
  | 'to balance'
  /** Nothing is posted. */
  | 'whole';

interface EntryTerms {
  readonly kind: EntryKind;
  readonly source: EntrySource;
  readonly fit: Fit;
}

/** Every reason for an entry. */
export const ENTRIES = {
  earned: { kind: 'earn', source: 'sale', fit: 'to cap' },
  redeemed: { kind: 'redeem', source: 'redemption', fit: 'whole' },
  /** A sale that did not come to be gives its rewards back. */
  voided: { kind: 'reversal', source: 'void', fit: 'to balance' },
  refunded: { kind: 'reversal', source: 'refund', fit: 'to balance' },
  birthday: { kind: 'adjust', source: 'birthday', fit: 'to cap' },
  win_back: { kind: 'adjust', source: 'win_back', fit: 'to cap' },
  adjusted: { kind: 'adjust', source: 'manual', fit: 'whole' },
  merged: { kind: 'adjust', source: 'merge', fit: 'to cap' },
} as const satisfies Readonly<Record<string, EntryTerms>>;
export type EntryReason = keyof typeof ENTRIES;
