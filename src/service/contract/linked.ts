import { endpoints } from './endpoints.ts';
import { shapesOf } from './shapes.ts';

/** Named shapes stand in the public API or in that of the staff. */
export const linked = (cells: readonly string[]): string[] => {
  const isPublic = new Set(shapesOf(Object.values(endpoints)).map(([name]) => name.toLowerCase()));
  return cells.map((cell) =>
    cell.replaceAll(
      /\]\(#(\w+)\)/g,
      (_, name: string) => `](${isPublic.has(name) ? 'api.md' : 'staff-api.md'}#${name})`,
    ),
  );
};
