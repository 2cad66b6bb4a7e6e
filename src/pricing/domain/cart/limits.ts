/** Limits of a cart (Decisions 8). */
export const MAX_LINES = 100;
export const MAX_LINE_QUANTITY = 999;
/** Of one add-on, per unit. */
export const MAX_ADDON_QUANTITY = 99;
