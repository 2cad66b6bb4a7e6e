/**
 * Nodes of a spread database that do not answer. They are asked when a statement has met silence, and then again and again
 * until all answer. What names a shop of a silent node is refused at once: it would hold a connection until a time limit.
 */
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Database } from '../schema.ts';
import { answers, nodesWithShops, type Node } from './answering.ts';

/** At least, from one question to the next. */
const AGAIN_MS = 2_000;

export type OnNode = (name: string, isSilent: boolean) => void;

export class SilentNodes {
  /** With connections of its own: those of requests may all wait for a silent node. */
  readonly #db: Kysely<Database>;
  readonly #onNode: OnNode;
  #nodes: readonly Node[] = [];
  #silent: ReadonlySet<Node> = new Set();
  #silentShops: ReadonlySet<unknown> = new Set();
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;

  constructor(pool: PostgresPool, onNode: OnNode) {
    this.#db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    this.#onNode = onNode;
  }

  get count(): number {
    return this.#silent.size;
  }

  /** Those with shops; none before the first look. */
  get nodes(): readonly (Node & { readonly isSilent: boolean })[] {
    return this.#nodes.map((node) => ({ ...node, isSilent: this.#silent.has(node) }));
  }

  /** Whether a statement with these parameters is about a shop whose node is silent. */
  has(parameters: readonly unknown[]): boolean {
    if (this.#silent.size === 0) return false;
    void this.look();
    return parameters.some((value) => this.#silentShops.has(value));
  }

  /** Resolves once the nodes were asked, or were just now. */
  look(): Promise<void> {
    if (this.#looking === null && performance.now() - this.#lookedAt > AGAIN_MS)
      this.#looking = this.#ask()
        // The coordinator does not answer, and shops may have come since the last look.
        .catch(() => {
          if (this.#silent.size === 0) this.#nodes = [];
        })
        .finally(() => {
          this.#looking = null;
          this.#lookedAt = performance.now();
        });
    return this.#looking ?? Promise.resolve();
  }

  async #ask(): Promise<void> {
    // Shops neither move nor come while a node is silent.
    if (this.#silent.size === 0) this.#nodes = await nodesWithShops(this.#db);
    const before = this.#silent;
    const asked = await Promise.all(
      this.#nodes.map(async (node) => {
        const [shop] = node.shops;
        const isHeard = shop === undefined || ((await answers(this.#db, shop)) ?? !before.has(node));
        return isHeard ? [] : [node];
      }),
    );
    const silent = asked.flat();
    this.#silent = new Set(silent);
    this.#silentShops = new Set(silent.flatMap(({ shops }) => shops));
    for (const node of this.#nodes)
      if (this.#silent.has(node) !== before.has(node)) this.#onNode(node.name, this.#silent.has(node));
  }
}
