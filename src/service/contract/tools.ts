/**
 * Every tool that AI assistants call: `tools/list`, the reading of arguments, the cards, docs/tools.md and the types of
 * the functions follow from this table (Behaviour, Tool server endpoint; Decisions 14).
 */
import type { Static, TSchema } from 'typebox';
import { tools as bookings } from '../../bookings/contract/tools.ts';
import { tools as menu } from '../../menu/contract/tools.ts';
import { tools as orders } from '../../orders/contract/tools.ts';
import type { QueryParameters, ValuesOf } from '../../platform/contract/endpoint.ts';
import type { Tool } from '../../platform/contract/tool.ts';
import { tools as shops } from '../../shops/contract/tools.ts';
import { tools as service } from './about-tool.ts';

/** Supported protocol versions, default first (Behaviour, Versioning 2). */
export const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** In the order of `tools/list` (Behaviour, Tool server endpoint). */
export const tools = {
  ...shops,
  ...menu,
  ...bookings,
  ...orders,
  ...service,
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;
export type ToolOf<Name extends ToolName> = (typeof tools)[Name];
export type ArgsOf<T extends Tool> = ValuesOf<T['args']>;
export type ResultOf<T extends Tool> = Static<T['result']>;

/** Reads only, on data of this service only (Behaviour, Tool server endpoint). */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

type Json = Readonly<Record<string, unknown>>;

export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Json;
  readonly outputSchema?: Json;
  readonly annotations?: Json;
}

/** The flat schema of an argument, with an example. */
const propertyOf = ({ scalar, description }: QueryParameters[string]): Json => {
  const { type, format, minimum, examples } = scalar.schema as TSchema & Json;
  return {
    type,
    // The format of a number is its bit width, which callers do not need.
    ...(type === 'string' && format !== undefined ? { format } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    description,
    examples,
  };
};

/** Removes descriptions but keeps a field of that name, whose value is a schema. */
const withoutDescription = (key: string, value: unknown): unknown =>
  key === 'description' && typeof value === 'string' ? undefined : value;

export const listingOf = (declared: Tool): ToolListing => {
  const args = Object.entries(declared.args);
  const needed = args.filter(([, arg]) => arg.required).map(([name]) => name);
  return {
    name: declared.name,
    title: declared.title,
    description: declared.description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(args.map(([name, arg]) => [name, propertyOf(arg)])),
      ...(needed.length === 0 ? {} : { required: needed }),
      additionalProperties: false,
    },
    outputSchema: JSON.parse(JSON.stringify(declared.result, withoutDescription)) as Json,
    annotations: ANNOTATIONS,
  };
};
