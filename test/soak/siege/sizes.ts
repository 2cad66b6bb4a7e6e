/** The size of a siege. */
import { execFileSync } from 'node:child_process';

export interface Size {
  /** Orders per minute, two-line quotes and menu reads per second. */
  readonly ordersPerMinute: number;
  readonly quotesPerSecond: number;
  readonly menusPerSecond: number;
  /** Connections per second that pipeline and close. */
  readonly pipelining: number;
  /** Concurrent connections of one address that pipeline reads. */
  readonly pipelinedReads: number;
  /** Concurrent half-sent bodies. */
  readonly halfBodies: number;
  /** Idle connections of one address. */
  readonly idle: number;
  /** Concurrent passwords. */
  readonly passwords: number;
  /** Workers that send the heaviest carts. */
  readonly carts: number;
  readonly slowReaders: number;
  readonly tinyChunks: number;
  /** Workers that send deep, wide or invalid JSON. */
  readonly oddJson: number;
  /** Connections per flood. */
  readonly flood: number;
}

/** File descriptors besides the idle connections. */
const OTHER_FILES = 2_500;

/** This process's limit of file descriptors, which Node raises to its maximum. */
const fileLimit = (): number => {
  const text = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return text === 'unlimited' ? Infinity : Number(text);
};

const idleOf = (wanted: number): number => Math.max(50, Math.min(wanted, fileLimit() - OTHER_FILES));

/** For `npm run soak -- siege`. */
export const fullSize = (): Size => ({
  ...{ ordersPerMinute: 20, quotesPerSecond: 5, menusPerSecond: 5 },
  ...{ pipelining: 12, pipelinedReads: 300, halfBodies: 600, idle: idleOf(10_000), passwords: 120 },
  ...{ carts: 80, slowReaders: 60, tinyChunks: 20, oddJson: 8, flood: 300 },
});

/** For `npm test`: each attack just exceeds its bound. */
export const smallSize = (): Size => ({
  ...{ ordersPerMinute: 120, quotesPerSecond: 4, menusPerSecond: 4 },
  ...{ pipelining: 6, pipelinedReads: 60, halfBodies: 220, idle: idleOf(1_050), passwords: 12 },
  ...{ carts: 6, slowReaders: 6, tinyChunks: 4, oddJson: 2, flood: 130 },
});
