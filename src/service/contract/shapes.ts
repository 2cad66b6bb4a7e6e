import type { TSchema } from 'typebox';
import { components } from './components.ts';
import type { Endpoint } from '../../platform/contract/endpoint.ts';
import { ErrorBody } from '../../platform/contract/error.ts';

export type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain JSON, without the library's symbols. */
export const plain = (schema: TSchema): Plain => JSON.parse(JSON.stringify(schema)) as Plain;

/** Without `type`, so that a schema and its nullable variant are equal. */
const textOf = (schema: Plain): string =>
  JSON.stringify(Object.entries(schema).filter(([key]) => key !== 'type'));

const nameByText: ReadonlyMap<string, string> = new Map(
  Object.entries(components).map(([name, schema]) => [textOf(plain(schema)), name]),
);

export interface Named {
  readonly name: string;
  readonly isNullable: boolean;
}

export const namedBy = (schema: Plain): Named | null => {
  const name = nameByText.get(textOf(schema));
  return name === undefined ? null : { name, isNullable: Array.isArray(schema['type']) };
};

const gather = (value: unknown, found: Set<string>): void => {
  if (Array.isArray(value)) for (const child of value) gather(child, found);
  if (!isPlain(value)) return;
  const named = namedBy(value);
  if (named !== null) found.add(named.name);
  for (const child of Object.values(value)) gather(child, found);
};

/** All named schemas of the operations and the error body, in the order of the components. */
export const shapesOf = (table: readonly Endpoint[]): readonly (readonly [string, TSchema])[] => {
  const found = new Set<string>();
  for (const { body, reply } of [...table, { body: ErrorBody, reply: ErrorBody }])
    for (const schema of [body, reply]) if (schema !== undefined) gather(plain(schema), found);
  return Object.entries(components).filter(([name]) => found.has(name));
};
