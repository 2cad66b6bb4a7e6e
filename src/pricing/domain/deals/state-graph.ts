/** The nodes of a layered search, found again by layer and states, with the edges of least loss into each. */

const NONE = -1;
const FEW_SLOTS = 256;

const mixed = (hash: number): number => {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return spread ^ (spread >>> 13);
};

/** A typed array that grows by doubling. */
class Growing<T extends Float64Array | Int32Array | Uint16Array> {
  values: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.values = make(256);
  }

  reserve(length: number): T {
    if (length > this.values.length) {
      const larger = this.#make(Math.max(length, 2 * this.values.length));
      larger.set(this.values);
      this.values = larger;
    }
    return this.values;
  }
}

export class StateGraph {
  nodes = 0;
  /** By offer, the states of the node that is looked for or was loaded, and its layer; change it with `move`. */
  state = new Uint16Array(0);
  #width = 0;
  readonly #factors: number[] = [];
  #hash = 0;
  #edges = 0;
  readonly #states = new Growing((length) => new Uint16Array(length));
  readonly #losses = new Growing((length) => new Float64Array(length));
  readonly #hashes = new Growing((length) => new Int32Array(length));
  /** By node, the last edge into it; by edge, its parent and the edge before it. */
  readonly #edgeOf = new Growing((length) => new Int32Array(length));
  readonly #parentOf = new Growing((length) => new Int32Array(length));
  readonly #edgeBefore = new Growing((length) => new Int32Array(length));
  /** The nodes by hash. */
  #slots = new Int32Array(FEW_SLOTS);

  /** Makes a graph of one node, in layer 0 and without loss, with the states of each offer. */
  begin(states: readonly number[]): void {
    this.nodes = 0;
    this.#edges = 0;
    this.#hash = 0;
    this.#width = states.length + 1;
    this.state = new Uint16Array(this.#width);
    for (let offer = this.#factors.length; offer < this.#width; offer++)
      this.#factors.push(mixed(Math.imul(0x9e3779b1, offer + 1)) | 1);
    states.forEach((state, offer) => {
      this.move(offer, state);
    });
    if (this.#slots.length > FEW_SLOTS) this.#slots = new Int32Array(FEW_SLOTS);
    this.#slots.fill(NONE);
    this.#slots[this.#slot()] = this.#add(0, NONE);
  }

  move(offer: number, state: number): void {
    const before = this.state[offer] ?? 0;
    this.state[offer] = state;
    this.#hash = (this.#hash + Math.imul(state - before, this.#factors[offer] ?? 0)) | 0;
  }

  load(node: number): void {
    const from = node * this.#width;
    const states = this.#states.values;
    for (let offer = 0; offer < this.#width; offer++) this.state[offer] = states[from + offer] ?? 0;
    this.#hash = this.#hashes.values[node] ?? 0;
  }

  lossOf(node: number): number {
    return this.#losses.values[node] ?? 0;
  }

  stateOf(node: number, offer: number): number {
    return this.#states.values[node * this.#width + offer] ?? 0;
  }

  /** The nodes before it on all its paths of least loss. */
  parentsOf(node: number): readonly number[] {
    const parents: number[] = [];
    for (
      let edge = this.#edgeOf.values[node] ?? NONE;
      edge !== NONE;
      edge = this.#edgeBefore.values[edge] ?? NONE
    )
      parents.push(this.#parentOf.values[edge] ?? 0);
    return parents.reverse();
  }

  /** Adds an edge from `parent` to the node that has `state`. */
  reach(parent: number, loss: number): void {
    const slot = this.#slot();
    const node = this.#slots[slot] ?? NONE;
    if (node === NONE) {
      this.#slots[slot] = this.#add(loss, this.#edge(parent, NONE));
      if (2 * this.nodes > this.#slots.length) this.#rehash();
      return;
    }
    const least = this.#losses.values[node] ?? 0;
    if (loss > least) return;
    this.#losses.values[node] = loss;
    this.#edgeOf.values[node] = this.#edge(parent, loss < least ? NONE : (this.#edgeOf.values[node] ?? NONE));
  }

  #slot(): number {
    const mask = this.#slots.length - 1;
    let slot = mixed(this.#hash) & mask;
    for (;;) {
      const node = this.#slots[slot] ?? NONE;
      if (node === NONE || (this.#hashes.values[node] === this.#hash && this.#isAt(node))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(node: number): boolean {
    const from = node * this.#width;
    const states = this.#states.values;
    for (let offer = 0; offer < this.#width; offer++)
      if (states[from + offer] !== this.state[offer]) return false;
    return true;
  }

  #add(loss: number, edge: number): number {
    const node = this.nodes++;
    this.#states.reserve(this.nodes * this.#width).set(this.state, node * this.#width);
    this.#losses.reserve(this.nodes)[node] = loss;
    this.#hashes.reserve(this.nodes)[node] = this.#hash;
    this.#edgeOf.reserve(this.nodes)[node] = edge;
    return node;
  }

  #edge(parent: number, before: number): number {
    const edge = this.#edges++;
    this.#parentOf.reserve(this.#edges)[edge] = parent;
    this.#edgeBefore.reserve(this.#edges)[edge] = before;
    return edge;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let node = 0; node < this.nodes; node++) {
      let slot = mixed(this.#hashes.values[node] ?? 0) & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = node;
    }
  }
}
