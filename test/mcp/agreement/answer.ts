/** A tool's answer, held to what every answer must keep to, whatever was asked (Decisions 14). */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ResultOf, ToolName, ToolOf } from '../../../src/service/contract/tools.ts';
import { ask, request } from '../../support/mcp.ts';
import type { World } from '../../support/world.ts';

export interface Answered<N extends ToolName> {
  readonly text: string;
  readonly structured: ResultOf<ToolOf<N>>;
}

/** Characters of the text, and of the structured content, each. */
const MOST_CHARACTERS = 40_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const PICTURE = /image|logo|pictures\.example|\.(png|jpe?g|webp|avif|gif|svg)\b/i;
/** What came of a program and not of a person: a value that was missing, or turned into text unread. */
const SPILT = /\b(undefined|null|NaN|Infinity)\b|\[object |-0\.00(?!\d)|"":/;

/** The output schemas as `tools/list` gives them. */
export const outputSchemas = async (world: World): Promise<ReadonlyMap<string, ValidateFunction>> => {
  const { result } = await request(world, 'tools/list');
  const { tools } = result as { tools: { name: string; outputSchema: object }[] };
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
};

/** Where a value says nothing: null, or an object without fields. */
const emptyPlaces = (value: unknown, at = ''): string[] => {
  if (value === null) return [at];
  if (typeof value !== 'object') return [];
  const inside = Object.entries(value).flatMap(([name, inner]) => emptyPlaces(inner, `${at}/${name}`));
  return Object.keys(value).length === 0 && !Array.isArray(value) ? [at, ...inside] : inside;
};

export const idsIn = (text: string): string[] => [...new Set(text.match(UUID) ?? [])].sort();

/**
 * What the tool answers, which must be an answer; `ids` are the only ones that may be in it, and must be.
 */
export const answered = async <N extends ToolName>(
  world: World,
  schemas: ReadonlyMap<string, ValidateFunction>,
  name: N,
  args: object,
  ids: readonly string[],
): Promise<Answered<N>> => {
  const { text, structured, isError } = await ask(world, name, args);
  expect(isError, text).toBe(false);
  const validate = schemas.get(name);
  expect(validate?.(structured), JSON.stringify(validate?.errors)).toBe(true);
  const json = JSON.stringify(structured);
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
  expect(json.length).toBeLessThanOrEqual(MOST_CHARACTERS);
  expect(emptyPlaces(structured), json).toEqual([]);
  for (const told of [text, json]) {
    expect(idsIn(told)).toEqual([...ids].sort());
    expect(told).not.toMatch(PICTURE);
    expect(told).not.toMatch(SPILT);
  }
  // Its shape was checked against the published schema just now.
  return { text, structured: structured as ResultOf<ToolOf<N>> };
};
