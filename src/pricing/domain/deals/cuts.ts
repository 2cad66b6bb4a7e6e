/**
 * Chvátal–Gomory cuts: a sum of rows with multipliers, its entries and its bound rounded down, holds for every solution
 * in whole numbers. The multipliers are the fractions of a row of the inverse or of a small multiple of it; the sums are
 * worked out in whole numbers, so that no cut can be wrong.
 */
import type { Basis } from './basis.ts';
import { DENSE } from './matrix.ts';
import { WHOLE } from './whole.ts';

export interface Cut {
  /** By column. */
  readonly entries: Float64Array;
  readonly most: number;
}

/** A cut that the solution lies beyond by less than this, by its length, is not worth a row. */
const LEAST_DEPTH = 0.02;
const MOST_CUTS = 5;
/** Of as many rows, those furthest from whole, the fractions are looked at. */
const MOST_ROWS = 24;
/** Of a row of the inverse. */
const MULTIPLES = [1, -1, 2, -2];
/** What multipliers are whole parts of: sums of whole numbers times them are exact. */
const PARTS = 2 ** 30;

/** The fractions of these shares of the rows, in whole parts; rounded up, so that what comes to a whole number, but for inexactness, comes to no less. */
const partsOf = (shares: Float64Array, multiple: number): Float64Array => {
  const parts = new Float64Array(shares.length);
  for (let row = 0; row < parts.length; row++) {
    const share = multiple * (shares[row] ?? 0);
    const fraction = share - Math.floor(share);
    if (fraction > WHOLE && fraction < 1 - WHOLE) parts[row] = Math.ceil(fraction * PARTS);
  }
  return parts;
};

const boundOf = (basis: Basis, parts: Float64Array): number => {
  let sum = 0;
  for (let row = 0; row < parts.length; row++) {
    const part = parts[row] ?? 0;
    if (part > 0) sum += part * basis.boundOf(row, true);
  }
  return Math.floor(sum / PARTS);
};

const distance = (value: number): number => Math.abs(value - Math.round(value));

/** A column of which the solution takes something. */
interface Taken {
  readonly value: number;
  /** The row in which it is basic. */
  readonly row: number;
  /** By row. */
  readonly entries: Float64Array;
}

const takenIn = (basis: Basis): readonly Taken[] => {
  const taken: Taken[] = [];
  basis.eachTaken((column, value, row) => {
    if (value < WHOLE) return;
    const entries = new Float64Array(basis.rowCount);
    basis.matrix.eachEntry(column, (at, entry) => {
      entries[at] = entry;
    });
    taken.push({ value, row, entries });
  });
  return taken;
};

/** How far the solution lies beyond the cut that these parts make, by the length of what it takes of the columns. */
const depthOf = (basis: Basis, taken: readonly Taken[], parts: Float64Array): number => {
  const rows: number[] = [];
  for (let row = 0; row < parts.length; row++) if (parts[row] !== 0) rows.push(row);
  let over = -boundOf(basis, parts);
  let square = 1;
  for (const { value, entries } of taken) {
    let sum = 0;
    for (const row of rows) sum += (parts[row] ?? 0) * (entries[row] ?? 0);
    const entry = Math.floor(sum / PARTS);
    over += entry * value;
    square += entry * entry;
  }
  basis.addWork(parts.length + (taken.length * rows.length) / DENSE);
  return over / Math.sqrt(square);
};

const cutOf = (basis: Basis, parts: Float64Array): Cut => {
  const entries = new Float64Array(basis.matrix.columns);
  basis.matrix.times(parts, entries);
  for (let column = 0; column < entries.length; column++)
    entries[column] = Math.floor((entries[column] ?? 0) / PARTS);
  return { entries, most: boundOf(basis, parts) };
};

/** The cuts that the solution lies furthest beyond. All rows must be of whole numbers, and bind from above alone. */
export const cutsOf = (basis: Basis): readonly Cut[] => {
  const found: { readonly parts: Float64Array; readonly depth: number }[] = [];
  const taken = takenIn(basis);
  const broken = taken
    .filter(({ value }) => distance(value) > WHOLE)
    .sort((a, b) => distance(b.value) - distance(a.value))
    .slice(0, MOST_ROWS);
  for (const { value, row } of broken) {
    const shares = basis.rowOfInverse(row);
    for (const multiple of MULTIPLES) {
      if (distance(multiple * value) < WHOLE) continue;
      const parts = partsOf(shares, multiple);
      const depth = depthOf(basis, taken, parts);
      if (depth > LEAST_DEPTH) found.push({ parts, depth });
    }
  }
  return found
    .sort((a, b) => b.depth - a.depth)
    .slice(0, MOST_CUTS)
    .map(({ parts }) => cutOf(basis, parts));
};
