/** A task of a person, the tool calls of the assistant, and the facts it must learn. */
import type { ToolName } from '../../../src/service/contract/tools.ts';
import type { OrderStatus } from '../../../src/orders/domain/order.ts';

/** Values from earlier answers, by text or by structured content alone, and from the person. */
export interface Seen {
  /** The id of the branch with this name in any language. */
  readonly branch: (name: string) => string;
  /** The branch of the last menu. */
  readonly branchOfMenu: () => string;
  /** The slug that a refusal suggests. */
  readonly meantShop: () => string;
  /** The order of the person's tracking link. */
  readonly order: (status: OrderStatus) => string;
}

export interface Call {
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, string | number>> | ((seen: Seen) => object);
  /** Whether the answer is a refusal. */
  readonly refused?: boolean;
}

/** Fields of some object in the structured content; lists must contain the given entries, in any company. */
export interface Fact {
  readonly [field: string]: string | number | boolean | Fact | readonly (string | Fact)[];
}

export interface Transcript {
  readonly question: string;
  /** Time of the calls; default: Wednesday 16 December 2026, noon in Cairo. */
  readonly at?: string;
  readonly calls: readonly Call[];
  /** Expected in the text. */
  readonly text: readonly (string | RegExp)[];
  /** Expected in the structured content. A refusal has none; every reader sees its text. */
  readonly structured: readonly Fact[];
  /** Must be in neither. */
  readonly never?: readonly (string | RegExp)[];
  /** Limit of characters over all calls: of the texts, and of the structured contents as JSON. */
  readonly allowed: { readonly text: number; readonly structured: number };
}
