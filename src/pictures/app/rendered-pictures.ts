/** Renders pictures few at a time, and keeps what was rendered: its key names its content. */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../kernel/refusal.ts';

declare module '../../platform/app/app.ts' {
  interface App {
    readonly renderedPictures: RenderedPictures;
  }
}

export interface RenderedPicturesSize {
  /** Renders at once: each uses one core. */
  readonly running: number;
  /** Renders that wait; further ones are refused. */
  readonly waiting: number;
  readonly cachedBytes: number;
}

/** A full menu page asks for 60 pictures: 512 are eight such pages at once, none of them rendered yet. */
const SIZE: RenderedPicturesSize = { running: 2, waiting: 512, cachedBytes: 32 * 1_024 * 1_024 };

type Render = () => Promise<Uint8Array>;

export class RenderedPictures {
  readonly #size: RenderedPicturesSize;
  readonly #cache: LRUCache<string, Uint8Array>;
  readonly #pending = new Map<string, Promise<Uint8Array>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(size: Partial<RenderedPicturesSize> = {}) {
    this.#size = { ...SIZE, ...size };
    this.#cache = new LRUCache({
      maxSize: this.#size.cachedBytes,
      sizeCalculation: (bytes) => Math.max(1, bytes.length),
    });
  }

  /** The cached bytes of `key`, those of the render under way, or a new render. Throws UNAVAILABLE. */
  get(key: string, render: Render): Promise<Uint8Array> {
    const known = this.#cache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    if (this.#running >= this.#size.running && this.#waiting.length >= this.#size.waiting)
      return Promise.reject(new Refusal('UNAVAILABLE'));
    const rendering = this.#run(render)
      .then((bytes) => {
        this.#cache.set(key, bytes);
        return bytes;
      })
      .finally(() => this.#pending.delete(key));
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
