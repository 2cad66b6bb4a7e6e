import type { Clock } from '../ports.ts';
import type { Plan } from '../domain/plan.ts';
import type { Db } from '../store/db.ts';
import type { Database } from '../store/schema.ts';

/** What the service says of itself (Decisions 1). */
export interface ServiceProfile {
  readonly name: string;
  readonly contact: string;
  readonly plans: readonly Plan[];
}

/** What every use case works with; wired once. */
export interface App {
  readonly db: Db<Database>;
  readonly clock: Clock;
  /** The public address in every absolute link, without a trailing slash. */
  readonly baseUrl: string;
  readonly service: ServiceProfile;
  /** Whether the database has every table this build needs. */
  readonly isMigrated: () => Promise<boolean>;
}
