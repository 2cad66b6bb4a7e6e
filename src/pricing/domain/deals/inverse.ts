/** The inverse of a small square matrix, by elimination with the largest pivot of each column. */

import type { Entries } from './matrix.ts';

/** Less than this is taken for nothing. */
export const SMALLEST_PIVOT = 1e-9;

/** Row by row; null when the columns depend on each other, as far as can be told. */
export const inverted = (columns: readonly Entries[]): Float64Array | null => {
  const m = columns.length;
  const width = 2 * m;
  const lines = Array.from({ length: m }, (_, i) => {
    const line = new Float64Array(width);
    line[m + i] = 1;
    return line;
  });
  columns.forEach(({ rows, values }, c) =>
    rows.forEach((row, k) => {
      lines[row]?.fill(values[k] ?? 0, c, c + 1);
    }),
  );
  for (let c = 0; c < m; c++) {
    let best = c;
    for (let i = c + 1; i < m; i++)
      if (Math.abs(lines[i]?.[c] ?? 0) > Math.abs(lines[best]?.[c] ?? 0)) best = i;
    const [from, to] = [lines[best], lines[c]];
    const pivot = from?.[c] ?? 0;
    if (from === undefined || to === undefined || Math.abs(pivot) < SMALLEST_PIVOT) return null;
    lines[best] = to;
    lines[c] = from;
    for (let k = c; k < width; k++) from[k] = (from[k] ?? 0) / pivot;
    for (const [i, line] of lines.entries()) {
      const share = line[c] ?? 0;
      if (i === c || share === 0) continue;
      for (let k = c; k < width; k++) line[k] = (line[k] ?? 0) - share * (from[k] ?? 0);
    }
  }
  const inverse = new Float64Array(m * m);
  lines.forEach((line, i) => {
    inverse.set(line.subarray(m), i * m);
  });
  return inverse;
};
