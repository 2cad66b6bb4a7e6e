import Type from 'typebox';
import { optional, reference, strict } from './values.ts';

const PoolEntry = Type.Object(
  {
    category: optional(reference('a category')),
    item: optional(reference('an item')),
    size: optional(reference('a size')),
  },
  { ...strict, description: 'Exactly one of category and item. A category counts every plain item of it.' },
);
export const Pool = Type.Array(PoolEntry, { minItems: 1, maxItems: 200 });
