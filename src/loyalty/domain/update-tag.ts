/**
 * The tag by which a phone asks for its passes that have changed: each card with the revision that the phone was sent
 * of. It holds no time, so two changes within a second are two changes, and it is right for cards of several shops,
 * whose changes have no common order.
 */
import { shortId, type Uuid } from '../../kernel/ids.ts';

export interface Revised {
  readonly id: Uuid;
  readonly revision: number;
}

/** Of 22 characters: 48 bits tell the few cards of one phone apart. */
const ID_LENGTH = 8;

/** Longer tags do not fit into an address; further cards are reported at every question. */
const MAX_CARDS = 100;

const keyOf = (id: Uuid): string => shortId(id).slice(0, ID_LENGTH);

const entryOf = ({ id, revision }: Revised): string => `${keyOf(id)}${revision.toString(36)}`;

export const updateTag = (cards: readonly Revised[]): string =>
  cards.slice(0, MAX_CARDS).map(entryOf).join('.');

/** Cards whose revision is not the one in the tag; all of them without a tag, or with one that is no tag of ours. */
export const changedSince = <T extends Revised>(cards: readonly T[], tag: string | null): readonly T[] => {
  const told = new Set((tag ?? '').split('.'));
  return cards.filter((card) => !told.has(entryOf(card)));
};
