/** Events of a device in a browser's database, shared by the tabs of one origin. */
import type { EventStore } from './event-store.ts';
import type { QueuedEvent, RefusedEvent } from './event.ts';

/** A change of what is stored raises it, and gets its step in `upgrade`. */
const VERSION = 1;

type Name = 'waiting' | 'refused' | 'counts';

const upgrade = (db: IDBDatabase): void => {
  // Keys are given in the order of the appends, and never twice.
  db.createObjectStore('waiting', { autoIncrement: true }).createIndex('id', 'id', { unique: true });
  db.createObjectStore('refused', { autoIncrement: true }).createIndex('id', 'event.id', { unique: true });
  db.createObjectStore('counts');
};

const faultOf = (fault: DOMException | null, otherwise: string): Error => fault ?? new Error(otherwise);

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(faultOf(request.error, 'The database did not answer.'));
  });

/** By key: in the order of the appends. This file alone writes what is there. */
const allIn = <T>(store: IDBObjectStore, limit?: number): Promise<T[]> =>
  answerOf((limit === undefined ? store.getAll() : store.getAll(null, limit)) as IDBRequest<T[]>);

const endOf = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(faultOf(transaction.error, 'The database undid the change.'));
  });

const undo = (transaction: IDBTransaction): void => {
  try {
    transaction.abort();
  } catch {
    // The database has undone it already.
  }
};

const openDatabase = async (factory: IDBFactory, name: string): Promise<IDBDatabase> => {
  const request = factory.open(name, VERSION);
  request.onupgradeneeded = () => upgrade(request.result);
  const db = await answerOf(request);
  // A tab with a newer version of the program waits for this one otherwise.
  db.onversionchange = () => db.close();
  return db;
};

const transactionOf = (db: IDBDatabase, mode: IDBTransactionMode): IDBTransaction =>
  db.transaction(['waiting', 'refused', 'counts'], mode, { durability: 'strict' });

/** Of a transaction on a connection that is closed. */
const isOfClosed = (fault: unknown): boolean =>
  fault instanceof DOMException && fault.name === 'InvalidStateError';

/** Of the entry with this id; undefined: there is none. */
const keyOf = (store: IDBObjectStore, id: string): Promise<IDBValidKey | undefined> =>
  answerOf(store.index('id').getKey(id));

const removeFrom = async (store: IDBObjectStore, id: string): Promise<void> => {
  const key = await keyOf(store, id);
  if (key !== undefined) store.delete(key);
};

const APPENDED = 'appended';

const appendedIn = async (counts: IDBObjectStore): Promise<number> =>
  Number((await answerOf<unknown>(counts.get(APPENDED))) ?? 0);

interface Connection {
  readonly db: IDBDatabase;
  /** Ever, by all tabs: what was cleared with the database counts no more. */
  readonly appended: number;
}

const connect = async (factory: IDBFactory, name: string): Promise<Connection> => {
  const db = await openDatabase(factory, name);
  return { db, appended: await appendedIn(transactionOf(db, 'readonly').objectStore('counts')) };
};

class IndexedDbStore implements EventStore {
  /** False: the browser may delete the data when its disk is full. Some browsers ask the person first. */
  readonly isPersistent: Promise<boolean>;
  readonly #connect: () => Promise<Connection>;
  #db: IDBDatabase;
  #appended: number;
  #reopening: Promise<void> | null = null;
  #isClosed = false;

  constructor(
    { db, appended }: Connection,
    reconnect: () => Promise<Connection>,
    isPersistent: Promise<boolean>,
  ) {
    this.#db = db;
    this.#appended = appended;
    this.#connect = reconnect;
    this.isPersistent = isPersistent;
  }

  /**
   * A browser may close the connection of a page that goes on, as after a fault of its disk: it is opened once more. Rejects
   * where the data was cleared with it, and takes events again after that.
   */
  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    try {
      return transactionOf(this.#db, mode);
    } catch (fault) {
      if (this.#isClosed || !isOfClosed(fault)) throw fault;
    }
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = null));
    await this.#reopening;
    return transactionOf(this.#db, mode);
  }

  async #reopen(): Promise<void> {
    const known = this.#appended;
    const { db, appended } = await this.#connect();
    if (this.#isClosed) db.close();
    [this.#db, this.#appended] = [db, appended];
    // An empty queue would look as if all had been sent.
    if (appended < known) throw new Error('The browser has cleared the stored events of this device.');
  }

  /** Resolves when the transaction is on disk; undone as a whole when the work rejects. */
  async #within<T>(mode: IDBTransactionMode, work: (store: Record<Name, IDBObjectStore>) => Promise<T>) {
    const transaction = await this.#begin(mode);
    const stores = {
      waiting: transaction.objectStore('waiting'),
      refused: transaction.objectStore('refused'),
      counts: transaction.objectStore('counts'),
    };
    const end = endOf(transaction);
    const result = work(stores).catch((fault: unknown) => {
      undo(transaction);
      throw fault;
    });
    const [value] = await Promise.all([result, end]);
    return value;
  }

  async append(events: readonly QueuedEvent[]): Promise<void> {
    this.#appended = await this.#within('readwrite', async ({ waiting, refused, counts }) => {
      let appended = await appendedIn(counts);
      for (const event of events) {
        if ((await keyOf(waiting, event.id)) !== undefined) continue;
        await removeFrom(refused, event.id);
        waiting.add(event);
        appended += 1;
      }
      counts.put(appended, APPENDED);
      return appended;
    });
  }

  appended(): Promise<number> {
    return this.#within('readonly', ({ counts }) => appendedIn(counts));
  }

  waiting(limit?: number): Promise<readonly QueuedEvent[]> {
    return this.#within('readonly', ({ waiting }) => allIn<QueuedEvent>(waiting, limit));
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#within('readwrite', async ({ waiting }) => {
      for (const id of ids) await removeFrom(waiting, id);
    });
  }

  refuse(entries: readonly RefusedEvent[]): Promise<void> {
    return this.#within('readwrite', async ({ waiting, refused }) => {
      for (const entry of entries) {
        await removeFrom(waiting, entry.event.id);
        await removeFrom(refused, entry.event.id);
        refused.add(entry);
      }
    });
  }

  refused(): Promise<readonly RefusedEvent[]> {
    return this.#within('readonly', ({ refused }) => allIn<RefusedEvent>(refused));
  }

  dismiss(id: string): Promise<void> {
    return this.#within('readwrite', ({ refused }) => removeFrom(refused, id));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#db.close();
    return Promise.resolve();
  }
}

export type { IndexedDbStore };

export interface IndexedDbOptions {
  readonly indexedDB: IDBFactory;
  /** `navigator.storage`, which a page has over https alone. */
  readonly storage: Pick<StorageManager, 'persist'> | undefined;
  /** Of the database: one for each device that is paired in this browser. */
  readonly name: string;
}

/** Asks the browser to keep the data, also when its disk is full. */
export const openIndexedDbStore = async ({
  indexedDB,
  storage,
  name,
}: IndexedDbOptions): Promise<IndexedDbStore> => {
  const connection = () => connect(indexedDB, name);
  const isPersistent = storage?.persist().catch(() => false) ?? Promise.resolve(false);
  return new IndexedDbStore(await connection(), connection, isPersistent);
};
