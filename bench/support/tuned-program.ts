/** What tunes the dynamic program and what surrounds both methods. */
import { constant, field, mechanism, type Tuned } from './tuned.ts';

export const PROGRAM: readonly Tuned[] = [
  constant('best.ts', 'WORK_LIMIT', 'work for one cart', '1_000_000', '16_000_000'),
  constant('best.ts', 'LEAST_SHARE', 'part of the limit that each problem may take', '0'),
  constant('solve.ts', 'PROGRAM_SHARE', 'part of the limit for the dynamic program', '0.5', '1'),
  constant('solve.ts', 'TIE_WORK', 'work for comparing its ties', '300_000', 'Infinity'),
  mechanism(
    'problem.ts',
    'small problems first',
    /(?<value>\.sort\(\(a, b\) => sizeOf\(a\) - sizeOf\(b\)\))/,
    '',
  ),
  mechanism(
    'problem.ts',
    'unconnected problems apart',
    /return offers\.map\(\(_, index\) => (?<value>find\(index\))\);/,
    '0 * find(index)',
  ),
  mechanism(
    'presolve.ts',
    'one class of equal kinds',
    /const key = (?<value>keys\[kind\] \?\? '');\n/,
    'String(kind)',
  ),
  mechanism(
    'dynamic-program.ts',
    'dynamic program',
    /tableOperations\(problem\) (?<value><=) MAX_OPERATIONS/,
    '< 0 *',
  ),
  mechanism(
    'solve.ts',
    'known solution of the program',
    /new DynamicProgram\(problem, presolved, (?<value>known)\)/,
    '[]',
  ),
  constant('dynamic-program.ts', 'MAX_OPERATIONS', 'operations of the tables, at most', 'Infinity'),
  constant('dynamic-program.ts', 'UNITS_OF_CLASS', 'units of a class, at most', '4.5', 'Infinity'),
  field('dynamic-program.ts', ['ALIKE', 'prices'], 'few prices, for branch and bound', '0', '3'),
  field('dynamic-program.ts', ['ALIKE', 'offers'], 'deals on them, more than', '0'),
  field('dynamic-program.ts', ['MANY', 'count'], 'many units: steps on tables', '0', '20'),
  field('dynamic-program.ts', ['MANY', 'first'], 'length of the first', '0.4'),
  field('dynamic-program.ts', ['MANY', 'last'], 'length of the last', '0.1'),
  field('dynamic-program.ts', ['MANY', 'limit'], 'first limit of the loss', '0.001', '0.006'),
  field('dynamic-program.ts', ['ROUGH', 'count'], 'steps on sorted plans', '0', '20'),
  field('dynamic-program.ts', ['ROUGH', 'first'], 'length of the first', '0.4'),
  field('dynamic-program.ts', ['ROUGH', 'last'], 'length of the last', '0.2'),
  constant('dynamic-program.ts', 'WIDENING', 'growth of the limit of the loss', '1.1', '1.5'),
  constant('unit-prices.ts', 'DEFLECTION', 'part of the last direction that is kept', '0', '0.7'),
  mechanism(
    'unit-prices.ts',
    'first prices from the known solution',
    /return (?<value>duals\.map\(Math\.round\));/,
    'duals.fill(0)',
  ),
  mechanism(
    'unit-prices.ts',
    'a price of 0 has no part in a step',
    /const gradient = (?<value>\(duals\[c\] \?\? 0\) === 0 && over < 0) \? 0 : over;/,
    'false',
  ),
];

/** What tunes the dynamic program for carts of few units. */
export const FEW: readonly Tuned[] = [
  constant('dynamic-program.ts', 'FEW_UNITS', 'carts of few units, up to', '16'),
  field('dynamic-program.ts', ['FEW', 'count'], 'few units: steps on tables', '0'),
  field('dynamic-program.ts', ['FEW', 'limit'], 'first limit of the loss', '0.2', '0.01'),
];

/** What decides whether a problem is searched within the request. */
export const AT_ONCE: readonly Tuned[] = [
  field('solve.ts', ['LARGE', 'pools'], 'kinds in the pools of all deals, at most', 'Infinity'),
  field('solve.ts', ['LARGE', 'columns'], 'columns for branch and bound, at most', 'Infinity'),
  field('solve.ts', ['LARGE', 'plans'], 'work of rough steps, at most', 'Infinity'),
];

/** What one operation counts as: here a quarter of it. */
export const CHARGES: readonly Tuned[] = [
  constant('offer-tables.ts', 'OPERATIONS_PER_WORK', 'table operations for one of work', '8'),
  constant('sorted-plans.ts', 'OFFER_WORK', 'a sorted plan of an offer', '12.5'),
  constant('sorted-plans.ts', 'APPLICATION_WORK', 'an application in it', '5'),
  constant('layered-search.ts', 'WORK_PER_CHOICE', 'a choice', '0.25'),
  constant('layered-search.ts', 'WORK_PER_EDGE', 'an edge', '1.5'),
  constant('optimal-path.ts', 'WORK_PER_FOUND_EDGE', 'an edge among solutions that save the same', '5'),
  constant('optimal-path.ts', 'WORK_PER_TIED_EDGE', 'the comparison of what its path takes', '50'),
  constant('optimal-path.ts', 'COPIED_PER_WORK', 'numbers that a path copies for one of work', '8'),
];

/** What only saves time. */
export const TIME_SAVERS: readonly Tuned[] = [
  constant('layered-search.ts', 'MOST_FREE', 'graphs that are used again', '0'),
  constant('automaton.ts', 'MAX_CACHED', 'automata that are kept', '0'),
  constant('state-graph.ts', 'FEW_SLOTS', 'first slots of the table of nodes', '16', '4096'),
];
