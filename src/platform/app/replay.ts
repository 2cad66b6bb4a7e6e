/**
 * Events of devices that went on without the server: a topic applies its kinds (`app/replay`), and the topic `sync` takes
 * them in (Decisions 13).
 */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { ReviewCode, ReviewReason } from '../domain/review.ts';
import type { Database } from '../store/schema.ts';
import type { ChangeLog } from './commit.ts';
import type { JobContext } from './job-context.ts';

/** An event that is applied, within the transaction that counts it. The branch is locked. */
export interface ReplayContext {
  readonly tx: Kysely<Database>;
  readonly log: ChangeLog;
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly deviceId: Uuid;
  /** Who did it. */
  readonly staffId: Uuid;
  /** When it happened, by our clock; never in the future. */
  readonly at: Instant;
  readonly now: Instant;
  readonly caller: JobContext;
  /** It has waited for its till for long, and is recorded without it. */
  readonly isOverdue: boolean;
  /** What an event made under another id than the one that it names; null: nothing. */
  readonly becameOf: (id: Uuid) => Promise<Uuid | null>;
}

/**
 * What became of an event: it waits for the till, ticket, line or sale that it names; what it would make is there, so that it
 * was told before under another event, or has the id of another one; or it is recorded, with the reasons for which a person
 * should look at it.
 */
export type Applied =
  | { readonly waitsFor: Uuid }
  | 'known'
  | {
      readonly reasons: readonly ReviewReason[];
      /** What the subject became, where that has another id. */
      readonly resultId?: Uuid;
      /** An earlier event is worked out anew: these reasons take the place of those of its codes. */
      readonly revises?: {
        readonly subjectId: Uuid;
        readonly codes: readonly ReviewCode[];
        readonly reasons: readonly ReviewReason[];
      };
    };

/** How a topic applies a kind of event. `data` has the shape of the kind's contract, with ids in lower case. */
export type ApplyEvent<Data> = (context: ReplayContext, data: Data) => Promise<Applied>;
