import type { LinearProgram } from './linear-program.ts';

export const valueOf = (program: LinearProgram, column: number): number => {
  let found = 0;
  program.forEachBasicColumn((other, value) => {
    if (other === column) found = value;
  });
  return found;
};
