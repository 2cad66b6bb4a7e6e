/** One answer as ready-made bytes: plain, br and gzip, each with a strong tag and its constant header lines. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Acceptance, Coding, Tags } from './encodings.ts';
import { tagsOf } from './encodings.ts';

/** Below this many bytes compressing saves less than it costs. */
export const WORTH_COMPRESSING = 256;

/** Bytes that are kept are worth more work than those of one answer, which somebody waits for. */
export type Worth = 'kept' | 'once';
const BROTLI_QUALITY: Readonly<Record<Worth, number>> = { kept: 5, once: 1 };
const GZIP_LEVEL: Readonly<Record<Worth, number>> = { kept: 6, once: 1 };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressors: Readonly<
  Record<Exclude<Coding, 'identity'>, (bytes: Buffer, worth: Worth) => Promise<Buffer>>
> = {
  br: (bytes, worth) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[worth],
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, worth) => zip(bytes, { level: GZIP_LEVEL[worth] }),
};

/** The bytes in this coding, off the main thread. */
export const compress = (bytes: Buffer, coding: Exclude<Coding, 'identity'>, worth: Worth): Promise<Buffer> =>
  compressors[coding](bytes, worth);

export interface Representation {
  readonly bytes: Buffer;
  /** Header lines of a 200: name, value, name, value … The sender appends what differs by request. */
  readonly headers: readonly string[];
}

export class Representations {
  /** Made of the plain bytes' digest. */
  readonly tags: Tags;
  readonly #type: string;
  readonly #lines: readonly string[];
  readonly #ready: Partial<Record<Coding, Representation>>;
  readonly #coming: Partial<Record<Coding, Promise<Representation>>> = {};
  readonly #plain: Buffer;
  readonly #grown: (bytes: number) => void;

  /** `lines`: the constant header lines; `grown` is told of every compressed copy's size. */
  constructor(text: string, type: string, lines: readonly string[], grown: (bytes: number) => void) {
    this.#plain = Buffer.from(text);
    this.tags = tagsOf(createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22));
    this.#type = type;
    this.#lines = lines;
    this.#grown = grown;
    this.#ready = { identity: this.#represent('identity', this.#plain) };
  }

  get plain(): Buffer {
    return this.#plain;
  }

  get plainSize(): number {
    return this.#plain.length;
  }

  chosen(acceptance: Acceptance): Coding {
    return this.#plain.length >= WORTH_COMPRESSING || acceptance.neverPlain ? acceptance.best : 'identity';
  }

  /** The bytes in this coding, or null while nobody has asked for them yet. */
  ready(coding: Coding): Representation | null {
    return this.#ready[coding] ?? null;
  }

  /** The bytes in this coding, compressed once, off the main thread. */
  prepare(coding: Coding): Promise<Representation> {
    const ready = this.#ready[coding];
    if (ready !== undefined || coding === 'identity')
      return Promise.resolve(ready ?? this.#represent(coding, this.#plain));
    return (this.#coming[coding] ??= this.#compress(coding));
  }

  async #compress(coding: 'br' | 'gzip'): Promise<Representation> {
    const bytes = await compress(this.#plain, coding, 'kept');
    const made = this.#represent(coding, bytes);
    this.#ready[coding] = made;
    this.#grown(bytes.length);
    return made;
  }

  #represent(coding: Coding, bytes: Buffer): Representation {
    return {
      bytes,
      headers: [
        'Content-Type',
        this.#type,
        'Content-Length',
        String(bytes.length),
        ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
        'ETag',
        this.tags[coding],
        'Vary',
        'Accept-Encoding',
        ...this.#lines,
      ],
    };
  }
}
