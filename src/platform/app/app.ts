import type {
  Clock,
  CommonPasswords,
  Messenger,
  Passkeys,
  PictureRenderer,
  Random,
  RoadDistance,
  SecurityEvents,
} from '../../ports.ts';
import type { Db } from '../store/db.ts';
import type { Database } from '../store/schema.ts';
import type { ChangePublisher } from './changes/change-publisher.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Keyring } from './keyring.ts';
import type { Tokens } from './tokens.ts';

/** The dependencies of every use case, wired once. A topic adds its own to this interface by module augmentation. */
export interface App {
  readonly db: Db<Database>;
  readonly clock: Clock;
  /** The machine's clock, also under CLOCK_START: for times that others compare with their own clock. */
  readonly realTime: Clock;
  readonly random: Random;
  readonly tokens: Tokens;
  readonly keyring: Keyring;
  readonly passkeys: Passkeys;
  readonly commonPasswords: CommonPasswords;
  readonly messenger: Messenger;
  readonly roads: RoadDistance;
  readonly pictureRenderer: PictureRenderer;
  readonly security: SecurityEvents;
  readonly backgroundTasks: BackgroundTasks;
  readonly changePublisher: ChangePublisher;
  /** Countries (ISO 3166) whose mobile phones are taken besides Egypt's. */
  readonly phoneCountries: readonly string[];
  /** RATE_LIMIT_SCALE: multiplies the brake on orders; 0 = none. */
  readonly limitScale: number;
  /** The public address in every absolute link, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the database has every table this build needs. */
  readonly isMigrated: () => Promise<boolean>;
}
