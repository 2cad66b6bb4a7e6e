/** Sweepers as processes have them, each with connections and timers of its own, on the database of a world. */
import { sql } from 'kysely';
import { Announcements } from '../../src/platform/app/announcements.ts';
import type { App } from '../../src/platform/app/app.ts';
import type { Actor } from '../../src/staff/app/access.ts';
import { createSweeper, type Sweeper } from '../../src/service/app/sweeper.ts';
import type { Uuid } from '../../src/kernel/ids.ts';
import { permissionsOf } from '../../src/kernel/permission.ts';
import { connect, type ConnectionOptions, type Db } from '../../src/platform/store/db.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { newId } from './activity.ts';
import { shopId } from './cafe.ts';
import { handTimers } from './outbox.ts';
import { PATIENT } from './patience.ts';
import type { World } from './world.ts';

export interface SweepingProcess {
  readonly app: App;
  readonly sweeper: Sweeper;
  /** What it logged, as JSON. */
  readonly logged: string[];
  readonly goOff: (ms: number) => void;
  readonly pending: () => number[];
  close(): Promise<void>;
}

export const sweepingProcess = (world: World, connection?: ConnectionOptions): SweepingProcess => {
  const db: Db<Database> =
    connection === undefined
      ? connect<Database>(world.database.connection, PATIENT)
      : connect<Database>(connection);
  const app: App = { ...world.app, db, announcements: new Announcements() };
  const logged: string[] = [];
  const note = (fields: object, message: string) => logged.push(JSON.stringify({ ...fields, message }));
  const { timers, goOff, pending } = handTimers();
  const sweeper = createSweeper({ app, timers, log: { info: note, warn: note } });
  return {
    ...{ app, sweeper, logged, goOff, pending },
    close: async () => {
      await sweeper.stop();
      await db.close();
    },
  };
};

/** The owner of a shop, as if signed in. */
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

export interface Audited {
  readonly action: string;
  readonly staffId: Uuid | null;
  readonly branchId: Uuid | null;
  readonly detail: unknown;
}

/** What the audit log says of a thing, in order. */
export const auditOf = async ({ db }: World, subjectId: Uuid): Promise<Audited[]> => {
  const { rows } = await sql<Audited>`
    select action, staff_id as "staffId", branch_id as "branchId", detail
    from audit where subject_id = ${subjectId} order by at, id
  `.execute(db.kysely);
  return rows;
};

/** The changes of one type and thing that boards are told of. */
export const changesOf = async ({ db }: World, type: string, id: Uuid): Promise<string[]> => {
  const { rows } = await sql<{ scope: string }>`
    select scope from change where type = ${type} and id = ${id} order by seq
  `.execute(db.kysely);
  return rows.map(({ scope }) => scope);
};

export interface StoredAvailability {
  readonly isOn: boolean;
  readonly soldOutUntil: number | null;
  readonly stock: number | null;
}

/** What is said of a thing at a branch, on every channel; null: nothing. */
export const saidOf = async ({ db }: World, branchId: Uuid, id: Uuid): Promise<StoredAvailability | null> => {
  const { rows } = await sql<StoredAvailability>`
    select is_on as "isOn", sold_out_until as "soldOutUntil", stock
    from availability where subject_id = ${id} and branch_id = ${branchId} and channel is null
  `.execute(db.kysely);
  return rows[0] ?? null;
};
