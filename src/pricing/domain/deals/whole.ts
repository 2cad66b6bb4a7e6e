/** Nearer than this to a whole number is whole. */
export const WHOLE = 1e-6;
