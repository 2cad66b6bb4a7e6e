/** Records the statements of node-postgres per job. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name of a prepared statement. */
  readonly name: string | null;
  /** Pipelined behind the statement before it: both are one round trip. */
  readonly joins: boolean;
}

/** The statements of one job, on all connections. */
export type Sheet = readonly Sent[];

export interface Recorder {
  sheetOf(job: () => Promise<unknown>): Promise<Sheet>;
  stop(): void;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Reads the arguments of `Client.query`: text and values, or an object. */
const read = ([first, second]: readonly unknown[]): Omit<Sent, 'joins'> => {
  if (typeof first === 'string') return { text: first, values: isList(second) ? second : [], name: null };
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string')
    throw new TypeError('A query came in a form that the recorder does not know.');
  return {
    text: first.text,
    values: 'values' in first && isList(first.values) ? first.values : [],
    name: 'name' in first && typeof first.name === 'string' ? first.name : null,
  };
};

/** Records every node-postgres client of this process until it is stopped. */
export const startRecorder = (): Recorder => {
  const sheets = new AsyncLocalStorage<Sent[]>();
  const unanswered = new WeakMap<object, number>();
  const count = (client: object, more: number): void => {
    unanswered.set(client, (unanswered.get(client) ?? 0) + more);
  };
  const descriptor = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query');
  const query: unknown = descriptor?.value;
  if (descriptor === undefined || typeof query !== 'function')
    throw new Error('node-postgres has no `query` to listen to.');
  Object.defineProperty(pg.Client.prototype, 'query', {
    ...descriptor,
    value: function (this: pg.Client, ...asked: unknown[]): unknown {
      sheets.getStore()?.push({ ...read(asked), joins: (unanswered.get(this) ?? 0) > 0 });
      const answer: unknown = Reflect.apply(query, this, asked);
      if (answer instanceof Promise) {
        count(this, 1);
        const answered = (): void => count(this, -1);
        answer.then(answered, answered);
      }
      return answer;
    },
  });
  return {
    sheetOf: async (job) => {
      const sheet: Sent[] = [];
      await sheets.run(sheet, job);
      return sheet;
    },
    stop: () => {
      Object.defineProperty(pg.Client.prototype, 'query', descriptor);
    },
  };
};
