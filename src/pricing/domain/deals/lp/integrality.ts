/** A value closer than this to an integer counts as that integer. With 1e-8 or 1e-4 no cart changes. */
export const INTEGRALITY_TOLERANCE = 1e-6;

/** Distance to the nearest integer. */
export const fractionality = (value: number): number => Math.abs(value - Math.round(value));
