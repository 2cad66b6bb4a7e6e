/** A sweeper as one process runs it, on the database of a world: own connections, manual timers. */
import { aChangePublisher } from '../server/change-publisher.ts';
import type { App } from '../../../src/platform/app/app.ts';
import type { Actor } from '../../../src/staff/app/access.ts';
import { createSweeper, type Sweeper } from '../../../src/service/app/sweeper.ts';
import { permissionsOf } from '../../../src/kernel/permission.ts';
import { connect, type ConnectionOptions, type Db } from '../../../src/platform/store/db.ts';
import type { Database } from '../../../src/platform/store/schema.ts';
import { newId } from '../database/ids.ts';
import { shopId } from '../shops/cafe.ts';
import { manualTimers } from './manual-timers.ts';
import { PATIENT } from '../database/patient-options.ts';
import type { World } from '../server/world.ts';

export interface SweepingProcess {
  readonly app: App;
  readonly sweeper: Sweeper;
  readonly logged: string[];
  readonly fire: (ms: number) => void;
  readonly pending: () => number[];
  close(): Promise<void>;
}

export const sweepingProcess = (world: World, connection?: ConnectionOptions): SweepingProcess => {
  const db: Db<Database> =
    connection === undefined
      ? connect<Database>(world.database.connection, PATIENT)
      : connect<Database>(connection);
  const app: App = { ...world.app, db, changePublisher: aChangePublisher() };
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  const { timers, fire, pending } = manualTimers();
  const sweeper = createSweeper({ app, timers, log: { info: note, warn: note } });
  return {
    ...{ app, sweeper, logged, fire, pending },
    close: async () => {
      await sweeper.stop();
      await db.close();
    },
  };
};

/** Four processes at once; each sweeps everything. Throws what they log. */
export const sweepTogether = async (world: World): Promise<void> => {
  const processes = Array.from({ length: 4 }, () => sweepingProcess(world));
  await Promise.all(processes.map(({ sweeper }) => sweeper.sweep()));
  const logged = processes.flatMap((one) => one.logged);
  await Promise.all(processes.map((one) => one.close()));
  if (logged.length > 0) throw new Error(logged.join('\n'));
  await world.hearOfChanges();
};

/** An owner as a use case receives one; no row exists for them. */
export const anOwner = (slug?: string): Actor => ({
  ...{
    orgId: shopId(slug),
    staffId: newId(),
    name: 'أمينة',
    role: 'owner',
    permissions: permissionsOf('owner'),
  },
  ...{ branchIds: null, deviceId: null, session: Buffer.alloc(0), elevatedUntil: null },
});
