/** A request that eight clients repeat over HTTP, and that is recorded as its statements. */
import { Meter } from '../../src/platform/app/meter.ts';
import type { App } from '../../src/platform/app/app.ts';
import type { Handlers } from './handlers.ts';

export const CLIENTS = 8;
/** Writes per client: untimed, and per round. */
export const WARM = 150;
export const TIMED = 150;
export const ROUNDS = 5;

/** Writes of one client in a whole run. */
export const TURNS = WARM + ROUNDS * TIMED;

export interface WriteRequest<Body = unknown> {
  readonly body: Body;
  /** The `Idempotency-Key`. */
  readonly key: string;
}

export interface WriteJob {
  /** Such as `Placing orders`. */
  readonly title: string;
  readonly one: string;
  readonly many: string;
  /** How the clients' writes are spread, such as `one branch`. */
  readonly spread: string;
  readonly path: string;
  /** It gets one row per write; null: the job only reads. */
  readonly table: string | null;
  /** Of each answer; 201 unless it is given. */
  readonly status?: 200;
  /** In place of a POST of the body to `path`: a GET, or a request with other headers or an address of its own. */
  readonly textOf?: (client: number, turn: number) => string;
  readonly goal: { readonly ratio: number; readonly trips: number; readonly commits: number };
  /** `turn`: the number of the client's write. */
  requestOf(client: number, turn: number): WriteRequest;
  /** The same request to the use case, in this process, on `app`. */
  run(handlers: Handlers, client: number, turn: number, app: App): Promise<unknown>;
}

export const CALLER = { language: null, client: 'bench', meter: new Meter(() => 0) } as const;

/** What a use case is given for a request. */
export const inputOf = <Body>({ body, key }: WriteRequest<Body>) => ({
  body,
  headers: { 'idempotency-key': key },
  caller: CALLER,
});
