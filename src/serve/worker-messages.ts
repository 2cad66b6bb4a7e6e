/** What a launcher and its workers tell each other. */
import type { MetricsSnapshot } from '../doors/http/metrics/snapshot.ts';

/** Raised with each change of the messages: a launcher may be of an older build than its new workers. */
export const PROTOCOL = 1;

/** What a worker is to do besides answering requests. */
export interface WorkerStart {
  readonly port: number;
  /** Migrates, and does the work that one process does for all: outbox, sweeps, demo. */
  readonly isFirst: boolean;
  /** Whether the server itself starts: else the worker takes the place of another. */
  readonly isInitial: boolean;
}

export type ToWorker =
  | ({ readonly kind: 'start'; readonly protocol: number } & WorkerStart)
  /** Takes no new connection, and ends once those that are open have ended. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'measure' }
  | { readonly kind: 'ping' };

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'measured'; readonly snapshot: MetricsSnapshot }
  /** Its event loop turns. */
  | { readonly kind: 'pong' };

const kindOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;

/** Other programs' messages, such as those of Node itself, are none. */
export const isToWorker = (message: unknown): message is ToWorker =>
  ['start', 'retire', 'stop', 'measure', 'ping'].some((kind) => kind === kindOf(message));

export const isFromWorker = (message: unknown): message is FromWorker =>
  ['listening', 'measured', 'pong'].some((kind) => kind === kindOf(message));
