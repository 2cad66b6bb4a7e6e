import { fractionality, INTEGRALITY_TOLERANCE } from './lp/integrality.ts';

/** A number of applications that must be an integer: of an offer, or of one variant. Indices. */
export type BranchVariable = { readonly offer: number } | { readonly variant: number };

/** One branch of a node: bounds of a branch variable. */
export interface Branch {
  readonly variable: BranchVariable;
  readonly lower: number;
  readonly upper: number;
}

/** A branch variable with a fractional value between `floor` and `floor` + 1. */
export interface Fractional {
  readonly variable: BranchVariable;
  readonly floor: number;
  readonly isNearerCeiling: boolean;
}

export const isSameVariable = (a: BranchVariable, b: BranchVariable): boolean =>
  'variant' in a ? 'variant' in b && a.variant === b.variant : 'offer' in b && a.offer === b.offer;

/** The value furthest from an integer; null when all are integers. */
export const mostFractional = (
  values: readonly number[],
  variableOf: (index: number) => BranchVariable,
): Fractional | null => {
  let best = -1;
  let largest = INTEGRALITY_TOLERANCE;
  values.forEach((value, index) => {
    if (fractionality(value) <= largest) return;
    largest = fractionality(value);
    best = index;
  });
  if (best < 0) return null;
  const value = values[best] ?? 0;
  const floor = Math.floor(value + INTEGRALITY_TOLERANCE);
  return { variable: variableOf(best), floor, isNearerCeiling: value - floor > 0.5 };
};

/**
 * The nearer branch first. With the lower branch always first 26 instead of 21 carts stay unproven, at 1.7 % more work;
 * with the upper one 23, at 2.4 % more.
 */
export const branchesOf = ({ variable, floor, isNearerCeiling }: Fractional): readonly Branch[] => {
  const down: Branch = { variable, lower: 0, upper: floor };
  const up: Branch = { variable, lower: floor + 1, upper: Infinity };
  return isNearerCeiling ? [up, down] : [down, up];
};
