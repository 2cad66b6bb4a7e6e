/** Rows of the sync feed: a topic lists its types in `app/feed.ts`, and the topic `sync` reads them all. */
import type { Kysely } from 'kysely';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../store/schema.ts';

/** Whose rows are read, and when. */
export interface FeedPlace {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly now: Instant;
}

export interface FeedRow {
  readonly id: Uuid;
  readonly data: object;
}

/** A row that the devices of the branch hold, or one that they hold no more (null). */
export interface FeedChange {
  readonly id: Uuid;
  readonly data: object | null;
}

export interface FeedPage {
  /** Last row of the page before; null: the first page. */
  readonly after: Uuid | null;
  readonly limit: number;
}

/** The rows of one type. All reads of a pull run in one snapshot of the database. */
export interface FeedSource {
  /** Types of the change log that concern it. */
  readonly logTypes: readonly string[];
  /** Ids of this type by the ids that changes name; left out: they are the same. */
  readonly idsOf?: (
    tx: Kysely<Database>,
    place: FeedPlace,
    ids: readonly Uuid[],
  ) => Promise<ReadonlyMap<Uuid, Uuid>>;
  /** The rows of the branch in the order of their ids. */
  page(tx: Kysely<Database>, place: FeedPlace, page: FeedPage): Promise<readonly FeedRow[]>;
  /** What became of these rows. An id that never was of the branch is left out. */
  changes(tx: Kysely<Database>, place: FeedPlace, ids: readonly Uuid[]): Promise<readonly FeedChange[]>;
}

/** What became of rows that were found: those that devices hold, as `rowsOf` gives them out, and the others, which they do not. */
export const heldOrGone = async <T extends { readonly id: Uuid }>(
  found: readonly T[],
  isHeld: (one: T) => boolean,
  rowsOf: (held: readonly T[]) => readonly FeedRow[] | Promise<readonly FeedRow[]>,
): Promise<readonly FeedChange[]> => [
  ...(await rowsOf(found.filter(isHeld))),
  ...found.filter((one) => !isHeld(one)).map(({ id }) => ({ id, data: null })),
];

/** Of a type with few rows, which are all read. A row that is not among them is gone. */
export const smallSource = (
  logTypes: readonly string[],
  load: (tx: Kysely<Database>, place: FeedPlace) => Promise<readonly { readonly id: Uuid }[]>,
): FeedSource => {
  const rows = async (tx: Kysely<Database>, place: FeedPlace): Promise<readonly FeedRow[]> =>
    (await load(tx, place)).map((data) => ({ id: data.id, data })).sort((a, b) => compareIds(a.id, b.id));
  return {
    logTypes,
    page: async (tx, place, { after, limit }) =>
      (await rows(tx, place)).filter(({ id }) => after === null || id > after).slice(0, limit),
    changes: async (tx, place, ids) => {
      const byId = new Map((await rows(tx, place)).map(({ id, data }) => [id, data]));
      return ids.map((id) => ({ id, data: byId.get(id) ?? null }));
    },
  };
};
