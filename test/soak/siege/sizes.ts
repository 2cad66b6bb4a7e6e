/** How large a siege is. */
import { execFileSync } from 'node:child_process';

export interface Size {
  /** Orders of guests a minute, two-line quotes and menu reads a second. */
  readonly ordersPerMinute: number;
  readonly quotesPerSecond: number;
  readonly menusPerSecond: number;
  /** Connections that pipeline and hang up, a second. */
  readonly pipelining: number;
  /** Connections of one address that pipeline reads at once. */
  readonly pipelinedReads: number;
  /** Half-sent bodies that are kept waiting. */
  readonly halfBodies: number;
  /** Idle connections of one address. */
  readonly idle: number;
  /** Passwords tried at once. */
  readonly passwords: number;
  /** Workers that send the heaviest carts. */
  readonly carts: number;
  readonly slowReaders: number;
  readonly tinyChunks: number;
  /** Workers that send JSON that is deep, wide or all wrong. */
  readonly oddJson: number;
  /** Connections that ask again and again. */
  readonly flood: number;
}

/** Files that the attackers, or the server, need besides the idle connections. */
const OTHER_FILES = 2_500;

/** Files that this process may open; Node has raised its own limit as far as it may. */
const fileLimit = (): number => {
  const text = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return text === 'unlimited' ? Infinity : Number(text);
};

const idleOf = (wanted: number): number => Math.max(50, Math.min(wanted, fileLimit() - OTHER_FILES));

/** That of `npm run soak -- siege`. */
export const fullSize = (): Size => ({
  ...{ ordersPerMinute: 20, quotesPerSecond: 5, menusPerSecond: 5 },
  ...{ pipelining: 12, pipelinedReads: 300, halfBodies: 600, idle: idleOf(10_000), passwords: 120 },
  ...{ carts: 80, slowReaders: 60, tinyChunks: 20, oddJson: 8, flood: 300 },
});

/** That of `npm test`: each attack passes the bound it is about, and hardly more. */
export const smallSize = (): Size => ({
  ...{ ordersPerMinute: 120, quotesPerSecond: 4, menusPerSecond: 4 },
  ...{ pipelining: 6, pipelinedReads: 60, halfBodies: 220, idle: idleOf(1_050), passwords: 12 },
  ...{ carts: 6, slowReaders: 6, tinyChunks: 4, oddJson: 2, flood: 130 },
});
