import { ShopFile } from './shopfile.ts';

/** A JSON Schema as this contract writes them. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly default?: unknown;
}

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null;

const childrenOf = (shape: Shape, name: string): readonly Shape[] => {
  if (name === '*') return Object.values(shape.properties ?? {});
  const property = shape.properties?.[name.replace('[]', '')];
  const child = name.endsWith('[]') ? property?.items : property;
  return child === undefined ? [] : [child];
};

/** The shapes at a path such as `branches[].channels.*`. `''` is the file itself; an unknown path has no shape. */
export const shapesAt = (path: string): readonly Shape[] => {
  const root: unknown = ShopFile;
  let shapes: readonly Shape[] = isShape(root) ? [root] : [];
  for (const name of path === '' ? [] : path.split('.'))
    shapes = shapes.flatMap((shape) => childrenOf(shape, name));
  return shapes;
};
