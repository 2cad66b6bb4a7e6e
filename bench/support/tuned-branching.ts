/** What tunes branch and bound: column generation, cuts and the linear program. */
import { constant, mechanism, type Tuned } from './tuned.ts';

export const BRANCHING: readonly Tuned[] = [
  constant('branch-and-bound.ts', 'FIRST_PART', 'part of the gap of the first search', '1 / 4', '1 / 64'),
  constant('branch-and-bound.ts', 'MAX_TIES', 'solutions that save the same, at most', '5', '100'),
  mechanism('branch-and-bound.ts', 'rounding', /^ {2}#round\(\): void \{(?<value>)\n/, ' return;'),
  mechanism('relaxation.ts', 'cuts', /addCuts\(\): boolean \{(?<value>)\n/, ' return false;'),
  mechanism(
    'relaxation.ts',
    'removing columns',
    /removeColumns\(value: number\): void \{(?<value>)\n/,
    ' return;',
  ),
  constant('relaxation.ts', 'MAX_COLUMNS', 'enumerated columns, at most', '1250', '20_000'),
  constant('lp/cuts.ts', 'LEAST_DEPTH', 'least depth of a cut', '0', '0.08'),
  constant('lp/cuts.ts', 'CUTS_PER_ROUND', 'cuts of a round, at most', '20', '2'),
  constant('lp/cuts.ts', 'MULTIPLES', 'multiples of a row', '[1]'),
  constant('lp/cuts.ts', 'DENOMINATOR', 'of multipliers', '2 ** 20'),
  constant('lp/integrality.ts', 'INTEGRALITY_TOLERANCE', 'an integer, to within', '1e-4'),
  constant('lp/linear-program.ts', 'FEASIBILITY_TOLERANCE', 'within bounds, to', '1e-5'),
  constant('lp/linear-program.ts', 'RELATIVE_TOLERANCE', 'reduced cost of zero, to within', '0'),
  constant('lp/linear-program.ts', 'SMALLEST_PIVOT', 'least pivot', '0'),
];

/** What one operation counts as: here a quarter of it. */
export const BRANCHING_CHARGES: readonly Tuned[] = [
  constant('column-search.ts', 'WORK_PER_CLASS', 'a class that enumeration looks at', '0.25'),
  constant('column-search.ts', 'WORK_PER_NODE', 'a node of enumeration', '2.5'),
  constant('column-search.ts', 'WORK_PER_COLUMN', 'a visited column', '25'),
  constant('lp/linear-program.ts', 'WORK_PER_PIVOT', 'a pivot', '25'),
  constant('lp/vector.ts', 'DENSE', 'consecutive numbers for one operation', '16'),
];
