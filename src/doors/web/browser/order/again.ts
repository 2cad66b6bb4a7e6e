/** An earlier order that is ordered again: the card's page keeps it in the tab, the order page takes it over. */
import type { CartLine, OnlineChannel } from '../../components/order.ts';
import { dropDraft, keepDraft, readDraft } from '../draft.ts';

export interface AgainOrder {
  readonly branchId: string;
  readonly channel: OnlineChannel;
  /** As they were ordered; the order page leaves out what is not sold any more, and says so. */
  readonly lines: readonly CartLine[];
}

const nameOf = (slug: string): string => `ahwa-again ${slug}`;

const isAgain = (value: unknown): value is AgainOrder =>
  typeof value === 'object' &&
  value !== null &&
  'branchId' in value &&
  typeof value.branchId === 'string' &&
  'channel' in value &&
  'lines' in value &&
  Array.isArray(value.lines);

export const keepForAgain = (slug: string, order: AgainOrder): void => keepDraft(nameOf(slug), order);

/** Once: a reload of the order page finds the cart as the guest left it. Null: there is none. */
export const takeAgain = (slug: string): AgainOrder | null => {
  const order = readDraft(nameOf(slug), isAgain);
  dropDraft(nameOf(slug));
  return order;
};

export const hasAgain = (slug: string): boolean => readDraft(nameOf(slug), isAgain) !== null;
