/** What every attack is: rounds from addresses of its own until the siege ends, and a count of what came back. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../../support/sockets.ts';
import { clientFrom, type Client } from './client.ts';
import type { Ground } from './ground.ts';
import type { Size } from './sizes.ts';
import { Tally } from './tally.ts';

export interface Siege {
  readonly port: number;
  readonly ground: Ground;
  readonly size: Size;
  /** Aborted when the siege ends. */
  readonly signal: AbortSignal;
}

export interface Attack {
  readonly name: string;
  /** What comes back once the attack has reached what bounds it: one of these statuses, or ends of connections in words. */
  readonly bound: readonly (number | string)[];
  /** Attacks until the siege ends. */
  run(attacker: Attacker): Promise<void>;
}

/** After a connection that could not be opened, ms. */
const AGAIN_AFTER_MS = 200;

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
/** So much of what came before can hold the beginning of a status line. */
const SHORTER_THAN_A_LINE = 'HTTP/1.1 200'.length;

export class Attacker {
  readonly siege: Siege;
  readonly tally = new Tally();
  readonly #net: number;
  readonly #closing = new Set<() => void>();

  /** `net`: the third number of its addresses. */
  constructor(siege: Siege, net: number) {
    this.siege = siege;
    this.#net = net;
    siege.signal.addEventListener('abort', () => {
      for (const close of this.#closing) close();
    });
  }

  get isOver(): boolean {
    return this.siege.signal.aborted;
  }

  /** So many workers; a round of one begins no sooner than `everyMs` after its last began. */
  async repeat(workers: number, everyMs: number, round: (worker: number) => Promise<void>): Promise<void> {
    const work = async (worker: number): Promise<void> => {
      while (!this.isOver) {
        const due = performance.now() + everyMs;
        await round(worker);
        await this.rest(due - performance.now());
      }
    };
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  }

  /** Ends early when the siege does. */
  async rest(ms: number): Promise<void> {
    await pause(Math.max(0, ms), undefined, { signal: this.siege.signal }).catch(() => undefined);
  }

  /** A bare connection from the address number `n`; null when there is none to be had. */
  async open(n: number): Promise<Socket | null> {
    const socket = await openSocket(this.siege.port, { from: this.#address(n) }).catch(() => null);
    if (socket === null) {
      this.tally.count('no connection');
      await this.rest(AGAIN_AFTER_MS);
      return null;
    }
    this.#untilTheEnd(
      () => socket.destroy(),
      (forget) => void socket.once('close', forget),
    );
    return socket;
  }

  /** A client at the address number `n`. */
  client(n: number): Client {
    const client = clientFrom(this.siege.port, this.#address(n));
    this.#untilTheEnd(client.close);
    return client;
  }

  /** Asks, and counts the answer. */
  async ask(client: Client, ...asked: Parameters<Client['ask']>): Promise<number> {
    const { status } = await client.ask(...asked);
    if (!this.isOver) this.tally.count(status);
    return status;
  }

  /** Counts the status lines that come back; `onFirst` hears of the first. */
  countStatuses(socket: Socket, onFirst?: () => void): void {
    let rest = '';
    let isFirst = true;
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1');
      for (const [, status] of text.matchAll(STATUS_LINE)) {
        this.tally.count(Number(status));
        if (isFirst) onFirst?.();
        isFirst = false;
      }
      rest = text.slice(-SHORTER_THAN_A_LINE);
    });
  }

  /** Sends a text and waits for the first answer to it, or the end of the connection. */
  answered(socket: Socket, send: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      let isHeard = false;
      this.countStatuses(socket, () => {
        isHeard = true;
        resolve();
      });
      const ended = (): void => {
        if (!isHeard && !this.isOver) this.tally.count(0);
        resolve();
      };
      // It may have been closed while others were being opened.
      if (socket.closed) ended();
      else socket.once('close', ended);
      void send();
    });
  }

  #address(n: number): string {
    return `127.0.${this.#net}.${n + 1}`;
  }

  #untilTheEnd(close: () => void, whenGone?: (forget: () => void) => void): void {
    if (this.isOver) {
      close();
      return;
    }
    this.#closing.add(close);
    whenGone?.(() => this.#closing.delete(close));
  }
}
