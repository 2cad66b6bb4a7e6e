/** What tunes branch and bound: column generation, cuts and the linear program. */
import { constant, inFunction, mechanism, type Tuned } from './tuned.ts';

export const BRANCHING: readonly Tuned[] = [
  constant('branch-and-bound.ts', 'FIRST_NODES', 'nodes of the first search', 'Infinity', '192'),
  constant('branch-and-bound.ts', 'FIRST_COLUMNS', 'columns for the first search, at least', '0'),
  constant('branch-and-bound.ts', 'SMALL_PROBLEM', 'all columns at once below', '0'),
  constant('branch-and-bound.ts', 'MAX_TIES', 'solutions that save the same, at most', '5'),
  inFunction(
    'branch-and-bound.ts',
    'first part of the gap',
    'of which columns are enumerated: 1 in',
    /isComplete \|\| isSmall \? 1 : (?<value>16);/,
    '64',
  ),
  inFunction(
    'branch-and-bound.ts',
    'growth of that part',
    'from one enumeration to the next',
    /divisor \/= (?<value>4);/,
    '16',
  ),
  mechanism(
    'branch-and-bound.ts',
    'new root after a better solution',
    /this\.nodes > lastNode(?<value> \|\| this\.incumbent !== before),/,
    '',
  ),
  mechanism('branch-and-bound.ts', 'rounding', /private tryRounding\(\): void \{(?<value>)\n/, ' return;'),
  mechanism('relaxation.ts', 'cuts', /addCuts\(\): boolean \{(?<value>)\n/, ' return false;'),
  mechanism(
    'branch-and-bound.ts',
    'fixing by reduced cost',
    /(?<value>relaxation\.fixByReducedCost\(this\.incumbentValue, bound\);)/,
    '',
  ),
  mechanism(
    'relaxation.ts',
    'margin of sums',
    /number => (?<value>1e-6 \+ 4e-12 \* Math\.abs\(sum\));/,
    '0 * sum',
  ),
  constant('relaxation.ts', 'MAX_COLUMNS', 'enumerated columns, at most', '1250'),
  constant('column-enumeration.ts', 'NODES_PER_PAUSE', 'nodes between looks at the limit', '2_000'),
  constant('lp/cuts.ts', 'LEAST_DEPTH', 'least depth of a cut', '0', '0.08'),
  constant('lp/cuts.ts', 'CUTS_PER_ROUND', 'cuts of a round, at most', '20', '2'),
  constant('lp/cuts.ts', 'ROWS_PER_ROUND', 'rows that give multipliers', 'Infinity'),
  constant('lp/cuts.ts', 'MULTIPLES', 'multiples of a row', '[1]'),
  constant('lp/cuts.ts', 'DENOMINATOR', 'of multipliers', '2 ** 20'),
  constant('lp/integrality.ts', 'INTEGRALITY_TOLERANCE', 'an integer, to within', '1e-4'),
  constant('lp/numerical-stability.ts', 'FEASIBILITY_TOLERANCE', 'within bounds, to', '1e-5'),
  constant('lp/numerical-stability.ts', 'PIVOTS_PER_REFACTOR', 'pivots of one inverse', 'Infinity'),
  constant('lp/numerical-stability.ts', 'SMALLEST_SHARE', 'least share of a pivot', '0'),
  constant('lp/inverse.ts', 'SMALLEST_PIVOT', 'least pivot', '0'),
  constant('lp/tableau.ts', 'RELATIVE_TOLERANCE', 'reduced cost of zero, to within', '0'),
  constant('lp/infeasibility.ts', 'NEGLIGIBLE', 'a multiplier of zero, to within', '0'),
];

/** What one operation counts as: here a quarter of it. */
export const BRANCHING_CHARGES: readonly Tuned[] = [
  constant('relaxation.ts', 'WORK_PER_NODE', 'a node of enumeration', '2.5'),
  constant('relaxation.ts', 'WORK_PER_COLUMN', 'an enumerated column', '25'),
  constant('lp/vector.ts', 'DENSE', 'consecutive numbers for one operation', '16'),
];
