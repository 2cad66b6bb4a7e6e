import type { Clock } from '../ports.ts';
import type { Piastres } from '../domain/money.ts';
import type { Db } from '../store/db.ts';
import type { Database } from '../store/schema.ts';

/** What the service says of itself (Decisions 1). */
export interface ServiceProfile {
  readonly name: string;
  readonly contact: string;
  readonly plans: readonly Plan[];
}

/** What a shop pays for each of its branches. */
export interface Plan {
  readonly name: string;
  readonly monthlyPiastresPerBranch: Piastres;
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
