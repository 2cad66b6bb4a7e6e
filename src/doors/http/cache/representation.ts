/** A response body as bytes: plain, br and gzip, each with a strong tag and its constant header lines. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Content } from '../../../platform/app/answer.ts';
import { isPage, type Endpoint } from '../../../platform/contract/endpoint.ts';
import type { Acceptance, Coding, Tags } from './encodings.ts';
import { tagsOf } from './encodings.ts';

/** Smaller bodies are not compressed. Bytes. */
export const WORTH_COMPRESSING = 256;

/** Compression of a cached body takes more CPU time than that of a single response, which a client waits for. */
export type Effort = 'cached' | 'once';
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { cached: 5, once: 1 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { cached: 6, once: 1 };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compressors: Readonly<
  Record<Exclude<Coding, 'identity'>, (bytes: Buffer, effort: Effort) => Promise<Buffer>>
> = {
  br: (bytes, effort) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes, effort) => zip(bytes, { level: GZIP_LEVEL[effort] }),
};

/** In the thread pool. */
export const compress = (
  bytes: Buffer,
  coding: Exclude<Coding, 'identity'>,
  effort: Effort,
): Promise<Buffer> => compressors[coding](bytes, effort);

export interface Representation {
  readonly bytes: Buffer;
  /** Names and values of a 200. */
  readonly headers: readonly string[];
}

/** At `/` are a page and an operation; a page depends on the reader's language. */
export const varyOf = (endpoint: Endpoint): string =>
  [
    ...(endpoint.path === '/' ? ['Accept'] : []),
    'Accept-Encoding',
    ...(isPage(endpoint) ? ['Accept-Language', 'Cookie'] : []),
  ].join(', ');

/** Pictures and fonts are compressed already. */
const isCompressible = (type: string): boolean => !/^(image\/(?!svg)|font\/)/.test(type);

/** Lines of a 200 that its 304 must repeat: a browser reads them from each response and not from its copy. */
const REPEATED = new Set(['Set-Cookie', 'Access-Control-Allow-Origin']);

const repeatedOf = (headers: Content['headers']): readonly string[] =>
  headers.flatMap((name, at) =>
    at % 2 === 0 && REPEATED.has(name) ? [name, ...headers.slice(at + 1, at + 2)] : [],
  );

export class Representations {
  /** From the digest of the plain bytes. */
  readonly tags: Tags;
  /** Names and values of a 304, besides its tag and lifetime. */
  readonly notModified: readonly string[];
  readonly #content: Content;
  readonly #vary: string;
  readonly #isCompressible: boolean;
  readonly #ready: Partial<Record<Coding, Representation>>;
  readonly #pending = new Map<Coding, Promise<Representation>>();
  readonly #plain: Buffer;
  readonly #onGrown: (bytes: number) => void;

  /** `onGrown` is called with the size of each compressed copy. */
  constructor(content: Content, vary: string, onGrown: (bytes: number) => void) {
    this.#plain = Buffer.from(content.body);
    this.tags = tagsOf(createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22));
    this.notModified = ['Vary', vary, ...repeatedOf(content.headers)];
    this.#content = content;
    this.#vary = vary;
    this.#isCompressible = isCompressible(content.type);
    this.#onGrown = onGrown;
    this.#ready = { identity: this.#represent('identity', this.#plain) };
  }

  get plain(): Buffer {
    return this.#plain;
  }

  get plainSize(): number {
    return this.#plain.length;
  }

  chosen(acceptance: Acceptance): Coding {
    if (!this.#isCompressible) return 'identity';
    return this.#plain.length >= WORTH_COMPRESSING || acceptance.neverPlain ? acceptance.best : 'identity';
  }

  /** Null until prepared. */
  ready(coding: Coding): Representation | null {
    return this.#ready[coding] ?? null;
  }

  prepare(coding: Coding): Promise<Representation> {
    const ready = this.#ready[coding];
    if (ready !== undefined || coding === 'identity')
      return Promise.resolve(ready ?? this.#represent(coding, this.#plain));
    const pending = this.#pending.get(coding) ?? this.#compress(coding);
    this.#pending.set(coding, pending);
    return pending;
  }

  async #compress(coding: 'br' | 'gzip'): Promise<Representation> {
    try {
      const bytes = await compress(this.#plain, coding, 'cached');
      const made = this.#represent(coding, bytes);
      this.#ready[coding] = made;
      this.#onGrown(bytes.length);
      return made;
    } finally {
      this.#pending.delete(coding);
    }
  }

  #represent(coding: Coding, bytes: Buffer): Representation {
    return {
      bytes,
      headers: [
        'Content-Type',
        this.#content.type,
        'Content-Length',
        String(bytes.length),
        ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
        'ETag',
        this.tags[coding],
        'Vary',
        this.#vary,
        ...this.#content.headers,
      ],
    };
  }
}
