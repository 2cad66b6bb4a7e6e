/** The server of simulations: the whole service on a database that outlives it. */
import type { Db } from '../../../../src/platform/store/db.ts';
import { DatabaseUnavailable } from '../../../../src/platform/store/db.ts';
import type { Database } from '../../../../src/platform/store/schema.ts';
import type { TestDatabase } from '../../database/test-database.ts';
import { makeWorld, type World } from '../../server/world.ts';
import type { Seams } from './seams.ts';

/** The process ends before or after its n-th transaction from now on is committed. */
export interface Crash {
  readonly transaction: number;
  readonly moment: 'before' | 'after';
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A process that can end in the middle of its work. */
class Process {
  #crash: Crash | null = null;
  #done = 0;
  hasEnded = false;

  /** Null: it does not end by itself. */
  set crash(crash: Crash | null) {
    this.#crash = crash;
    this.#done = 0;
  }

  #endAt(moment: Crash['moment']): void {
    if (this.#crash?.transaction === this.#done && this.#crash.moment === moment) this.hasEnded = true;
    if (this.hasEnded) throw new DatabaseUnavailable('lost');
  }

  through(db: Db<Database>): Db<Database> {
    return {
      ...db,
      tx: async (work) => {
        this.#done += 1;
        this.#endAt('before');
        const result = await db.tx(work);
        this.#endAt('after');
        return result;
      },
    };
  }
}

export class SimulatedServer {
  readonly #database: TestDatabase;
  readonly #seams: Pick<Seams, 'throughDb'>;
  #world: World;
  #process: Process;

  private constructor(database: TestDatabase, seams: Pick<Seams, 'throughDb'>, opened: Opened) {
    this.#database = database;
    this.#seams = seams;
    this.#world = opened.world;
    this.#process = opened.process;
  }

  static async open(database: TestDatabase, seams: Pick<Seams, 'throughDb'>): Promise<SimulatedServer> {
    return new SimulatedServer(database, seams, await openWorld(database, seams));
  }

  get world(): World {
    return this.#world;
  }

  /** The process ends and begins again. Only what is in the database survives. */
  async restart(): Promise<void> {
    const { now } = this.#world;
    await this.#world.close();
    const { world, process } = await openWorld(this.#database, this.#seams);
    world.now = now;
    this.#world = world;
    this.#process = process;
  }

  /** A request; null where the process ended meanwhile, and was started again. */
  async answer(path: string, init: RequestInit, crash: Crash | null): Promise<Answer | null> {
    this.#process.crash = crash;
    const response = await fetch(`${this.#world.baseUrl}${path}`, init);
    const text = await response.text();
    this.#process.crash = null;
    if (!this.#process.hasEnded) return { status: response.status, text };
    await this.restart();
    return null;
  }

  close(): Promise<void> {
    return this.#world.close();
  }
}

interface Opened {
  readonly world: World;
  readonly process: Process;
}

const openWorld = async (
  database: TestDatabase,
  { throughDb }: Pick<Seams, 'throughDb'>,
): Promise<Opened> => {
  const process = new Process();
  const world = await makeWorld({
    ...{ limitScale: 0, database, hasDemo: false },
    throughDb: (db) => process.through(throughDb(db)),
  });
  return { world, process };
};
