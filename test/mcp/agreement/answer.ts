/** Properties that every tool answer must have (Decisions 14). */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ResultOf, ToolName, ToolOf } from '../../../src/service/contract/tools.ts';
import { callTool, rpc } from '../../support/server/mcp-client.ts';
import type { World } from '../../support/server/world.ts';

export interface Answered<N extends ToolName> {
  readonly text: string;
  readonly structured: ResultOf<ToolOf<N>>;
}

/** Limit of the text, and of the structured content. */
const MAX_CHARACTERS = 40_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const PICTURE = /image|logo|pictures\.example|\.(png|jpe?g|webp|avif|gif|svg)\b/i;
/** Traces of a bug: a missing value, or an object converted to text. */
const CONVERSION_BUGS = /\b(undefined|null|NaN|Infinity)\b|\[object |-0\.00(?!\d)|"":/;

/** Output schemas of `tools/list`. */
export const outputSchemas = async (world: World): Promise<ReadonlyMap<string, ValidateFunction>> => {
  const { result } = await rpc(world, 'tools/list');
  const { tools } = result as { tools: { name: string; outputSchema: object }[] };
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
};

/** Paths of null values and empty objects. */
const emptyPlaces = (value: unknown, at = ''): string[] => {
  if (value === null) return [at];
  if (typeof value !== 'object') return [];
  const inside = Object.entries(value).flatMap(([name, inner]) => emptyPlaces(inner, `${at}/${name}`));
  return Object.keys(value).length === 0 && !Array.isArray(value) ? [at, ...inside] : inside;
};

export const idsIn = (text: string): string[] => [...new Set(text.match(UUID) ?? [])].sort();

/** Asserts a successful answer that contains exactly these `ids`. */
export const expectAnswer = async <N extends ToolName>(
  world: World,
  schemas: ReadonlyMap<string, ValidateFunction>,
  name: N,
  args: object,
  ids: readonly string[],
): Promise<Answered<N>> => {
  const { text, structured, isError } = await callTool(world, name, args);
  expect(isError, text).toBe(false);
  const validate = schemas.get(name);
  expect(validate?.(structured), JSON.stringify(validate?.errors)).toBe(true);
  const json = JSON.stringify(structured);
  expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(json.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(emptyPlaces(structured), json).toEqual([]);
  for (const told of [text, json]) {
    expect(idsIn(told)).toEqual([...ids].sort());
    expect(told).not.toMatch(PICTURE);
    expect(told).not.toMatch(CONVERSION_BUGS);
  }
  // Validated against the published schema above.
  return { text, structured: structured as ResultOf<ToolOf<N>> };
};
