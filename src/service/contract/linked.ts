import { lazy } from '../../kernel/lazy.ts';
import { endpoints } from './endpoints.ts';
import { shapesOf } from './shapes.ts';

const publicShapes = lazy(
  (): ReadonlySet<string> => new Set(shapesOf(Object.values(endpoints)).map(([name]) => name.toLowerCase())),
);

/** Named shapes stand in the public API or in that of the staff. */
export const linked = (cells: readonly string[]): string[] =>
  cells.map((cell) =>
    cell.replaceAll(
      /\]\(#(\w+)\)/g,
      (_, name: string) => `](${publicShapes().has(name) ? 'api.md' : 'staff-api.md'}#${name})`,
    ),
  );
