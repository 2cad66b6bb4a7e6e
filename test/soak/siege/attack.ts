/** The base of every attack: rounds from its own addresses until the siege ends, and a tally of the answers. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../../support/server/raw-sockets.ts';
import { clientFrom, type Client } from './client.ts';
import type { DemoFixture } from './demo-fixture.ts';
import type { Size } from './sizes.ts';
import { Tally } from './tally.ts';

export interface Siege {
  readonly port: number;
  readonly demo: DemoFixture;
  readonly size: Size;
  /** Aborted when the siege ends. */
  readonly signal: AbortSignal;
}

export interface Attack {
  readonly name: string;
  /** The answers that prove that a limit was reached: statuses, or names of connection ends. */
  readonly bound: readonly (number | string)[];
  run(attacker: Attacker): Promise<void>;
}

/** The delay after a failed connection, ms. */
const AGAIN_AFTER_MS = 200;

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;
/** The longest prefix of a status line that a chunk may end with. */
const SHORTER_THAN_A_LINE = 'HTTP/1.1 200'.length;

export class Attacker {
  readonly siege: Siege;
  readonly tally = new Tally();
  readonly #net: number;
  readonly #closing = new Set<() => void>();

  /** `net`: the third octet of its addresses. */
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

  /** Runs `workers` loops; each starts a round at most every `everyMs`. */
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

  /** Resolves early when the siege ends. */
  async rest(ms: number): Promise<void> {
    await pause(Math.max(0, ms), undefined, { signal: this.siege.signal }).catch(() => undefined);
  }

  /** A raw connection from address `n`, or null when it fails. */
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

  /** A client at address `n`. */
  client(n: number): Client {
    const client = clientFrom(this.siege.port, this.#address(n));
    this.#untilTheEnd(client.close);
    return client;
  }

  /** Sends a request and counts its status. */
  async ask(client: Client, ...asked: Parameters<Client['ask']>): Promise<number> {
    const { status } = await client.ask(...asked);
    if (!this.isOver) this.tally.count(status);
    return status;
  }

  /** Counts received status lines; `onFirst` is called for the first. */
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

  /** Sends, and waits for the first answer or the end of the connection. */
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
      // It may have closed while others were opened.
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
