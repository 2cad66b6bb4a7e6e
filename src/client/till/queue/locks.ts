/** What only one tab of a browser, or one part of a program, may do at a time. */

export interface ExclusiveLock {
  /** Runs the work when no other holder's runs, in the order of the calls. */
  hold<T>(work: () => Promise<T>): Promise<T>;
}

export interface QueueLocks {
  /** Held during a round of requests. */
  readonly sending: ExclusiveLock;
  /** Held while events are appended, and while rows of the server are applied. Never held during a request. */
  readonly writing: ExclusiveLock;
}

/** Within this program. */
export const localLock = (): ExclusiveLock => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold: (work) => {
      const run = last.then(work);
      last = run.catch(() => undefined);
      return run;
    },
  };
};

/** For a file store, which admits one process. */
export const localLocks = (): QueueLocks => ({ sending: localLock(), writing: localLock() });

const webLock = (manager: Pick<LockManager, 'request'>, name: string): ExclusiveLock => ({
  hold: async (work) => await manager.request(name, work),
});

/**
 * For the tabs that share the IndexedDB store of this name. `manager` is `navigator.locks`, which a page has over https
 * alone. Without it each tab has locks of its own: two may send the same event, which the server counts once, and one may
 * apply rows of the server while another adds an event, which those rows do not have yet.
 */
export const tabLocks = (manager: Pick<LockManager, 'request'> | undefined, name: string): QueueLocks =>
  manager === undefined
    ? localLocks()
    : { sending: webLock(manager, `${name} sending`), writing: webLock(manager, `${name} writing`) };
