/** A task that a person gives an assistant, what the assistant asks the tools for, and what it must learn from them. */
import type { ToolName } from '../../../src/service/contract/tools.ts';
import type { OrderStatus } from '../../../src/orders/domain/order.ts';

/** What the assistant has read so far, by text alone or by structured content alone, and what the person gave it. */
export interface Seen {
  /** The id of the branch that goes by this name in any language. */
  readonly branch: (name: string) => string;
  /** The branch that the last menu was of. */
  readonly branchOfMenu: () => string;
  /** The address name that a refusal takes to be meant. */
  readonly meantShop: () => string;
  /** The order in the tracking link that the person holds. */
  readonly order: (status: OrderStatus) => string;
}

export interface Call {
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, string | number>> | ((seen: Seen) => object);
  /** Whether the answer is a refusal. */
  readonly refused?: boolean;
}

/** Fields that some object of the structured content has; entries of a list stand in it, whatever stands beside them. */
export interface Fact {
  readonly [field: string]: string | number | boolean | Fact | readonly (string | Fact)[];
}

export interface Transcript {
  readonly question: string;
  /** When it is asked; on Wednesday 16 December 2026 at noon in Cairo where nothing is said. */
  readonly at?: string;
  readonly calls: readonly Call[];
  /** What stands in the text. */
  readonly text: readonly (string | RegExp)[];
  /** What stands in the structured content. What was refused has none: its text is there for every reader. */
  readonly structured: readonly Fact[];
  /** What would be wrong to say, in either. */
  readonly never?: readonly (string | RegExp)[];
  /** At most so many characters of all its calls together: of the texts, or of the structured contents as JSON. */
  readonly allowed: { readonly text: number; readonly structured: number };
}
