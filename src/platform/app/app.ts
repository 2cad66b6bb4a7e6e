import type {
  Clock,
  CommonPasswords,
  Messenger,
  Passkeys,
  Random,
  RoadDistance,
  SecurityEvents,
} from '../../ports.ts';
import type { BudgetLimits } from '../../messaging/domain/budget.ts';
import type { Plan } from '../../shops/domain/plan.ts';
import type { Db } from '../store/db.ts';
import type { Database } from '../store/schema.ts';
import type { Announcements } from './announcements.ts';
import type { Aside } from './aside.ts';
import type { Keyring } from './keyring.ts';
import type { Passwords } from '../../staff/app/passwords.ts';
import type { Sending } from './sending.ts';
import type { Tokens } from './tokens.ts';

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
  readonly random: Random;
  readonly tokens: Tokens;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly passkeys: Passkeys;
  readonly commonPasswords: CommonPasswords;
  readonly messenger: Messenger;
  readonly sending: Sending;
  readonly roads: RoadDistance;
  readonly security: SecurityEvents;
  /** What no answer waits for. */
  readonly aside: Aside;
  /** Where commits of this process are told. */
  readonly announcements: Announcements;
  /** Countries (ISO 3166) whose mobile phones are taken besides Egypt's. */
  readonly phoneCountries: readonly string[];
  /** Codes and messages an hour, at the scale of the limits; null: as many as are asked for. */
  readonly messageBudgets: BudgetLimits | null;
  /** RATE_LIMIT_SCALE: multiplies the brake on orders; 0 = none. */
  readonly limitScale: number;
  /** The public address in every absolute link, without a trailing slash. */
  readonly baseUrl: string;
  readonly service: ServiceProfile;
  /** Whether the database has every table this build needs. */
  readonly isMigrated: () => Promise<boolean>;
}
