/** Why a line of a ticket is void, or a sale refunded (Decisions 12). */

/** `other` needs a note. */
export const VOID_REASONS = ['mistake', 'guest_changed', 'quality', 'out_of_stock', 'other'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

/** Units that were not made, or were made for nobody, are counted again. */
export const RESTOCKS: Readonly<Record<VoidReason, boolean>> = {
  mistake: true,
  guest_changed: true,
  quality: false,
  out_of_stock: false,
  other: false,
};

/** Of a reason as it is stored. */
export const hasRestocked = (reason: string): boolean =>
  VOID_REASONS.some((known) => known === reason && RESTOCKS[known]);
