/** Renders pictures few at a time; what is rendered is cached with the other answers. */
import { Refusal } from '../../kernel/refusal.ts';

declare module '../../platform/app/app.ts' {
  interface App {
    readonly renderQueue: RenderQueue;
  }
}

export interface RenderQueueSize {
  /** Renders at once: each uses one core. */
  readonly running: number;
  /** Renders that wait; further ones are refused. */
  readonly waiting: number;
}

/** A full menu page asks for 60 pictures: 512 are eight such pages at once, none of them rendered yet. */
const SIZE: RenderQueueSize = { running: 2, waiting: 512 };

type Render = () => Promise<Uint8Array>;

export class RenderQueue {
  readonly #size: RenderQueueSize;
  readonly #pending = new Map<string, Promise<Uint8Array>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(size: RenderQueueSize = SIZE) {
    this.#size = size;
  }

  /** The bytes of the render of `key` that is under way, or of a new one. Throws UNAVAILABLE. */
  get(key: string, render: Render): Promise<Uint8Array> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    if (this.#running >= this.#size.running && this.#waiting.length >= this.#size.waiting)
      return Promise.reject(new Refusal('UNAVAILABLE'));
    const rendering = this.#run(render).finally(() => this.#pending.delete(key));
    this.#pending.set(key, rendering);
    return rendering;
  }

  async #run(render: Render): Promise<Uint8Array> {
    if (this.#running >= this.#size.running) await new Promise<void>((start) => this.#waiting.push(start));
    else this.#running += 1;
    try {
      return await render();
    } finally {
      // The next one takes over the place of this one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
