/** The nodes of a layered search, found again by layer and states, with the edges of least loss into each. */
import { withCapacity } from './lp/vector.ts';

const NONE = -1;
const FEW_SLOTS = 256;

const mixed = (hash: number): number => {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return spread ^ (spread >>> 13);
};

export class StateGraph {
  nodes = 0;
  /** By offer, the states of the node that is looked for or was loaded, and its layer; change it with `move`. */
  state = new Uint16Array(0);
  #width = 0;
  readonly #factors: number[] = [];
  #hash = 0;
  #edges = 0;
  #states = new Uint16Array(256);
  #losses = new Float64Array(256);
  #hashes = new Int32Array(256);
  /** By node, the last edge into it; by edge, its parent and the edge before it. */
  #edgeOf = new Int32Array(256);
  #parentOf = new Int32Array(256);
  #edgeBefore = new Int32Array(256);
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
    const states = this.#states;
    for (let offer = 0; offer < this.#width; offer++) this.state[offer] = states[from + offer] ?? 0;
    this.#hash = this.#hashes[node] ?? 0;
  }

  /** Of its arrays. */
  get bytes(): number {
    const arrays = [this.#states, this.#losses, this.#hashes, this.#edgeOf, this.#parentOf, this.#edgeBefore];
    return [...arrays, this.#slots].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  lossOf(node: number): number {
    return this.#losses[node] ?? 0;
  }

  stateOf(node: number, offer: number): number {
    return this.#states[node * this.#width + offer] ?? 0;
  }

  /** The nodes before it on all its paths of least loss. */
  parentsOf(node: number): readonly number[] {
    const parents: number[] = [];
    for (let edge = this.#edgeOf[node] ?? NONE; edge !== NONE; edge = this.#edgeBefore[edge] ?? NONE)
      parents.push(this.#parentOf[edge] ?? 0);
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
    const least = this.#losses[node] ?? 0;
    if (loss > least) return;
    const last = this.#edgeOf[node] ?? NONE;
    // Different choices of a parent may lead to the same states.
    if (loss === least && this.#parentOf[last] === parent) return;
    this.#losses[node] = loss;
    this.#edgeOf[node] = this.#edge(parent, loss < least ? NONE : last);
  }

  #slot(): number {
    const mask = this.#slots.length - 1;
    let slot = mixed(this.#hash) & mask;
    for (;;) {
      const node = this.#slots[slot] ?? NONE;
      if (node === NONE || (this.#hashes[node] === this.#hash && this.#isAt(node))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(node: number): boolean {
    const from = node * this.#width;
    const states = this.#states;
    for (let offer = 0; offer < this.#width; offer++)
      if (states[from + offer] !== this.state[offer]) return false;
    return true;
  }

  #add(loss: number, edge: number): number {
    const node = this.nodes++;
    this.#states = withCapacity(this.#states, this.nodes * this.#width);
    this.#losses = withCapacity(this.#losses, this.nodes);
    this.#hashes = withCapacity(this.#hashes, this.nodes);
    this.#edgeOf = withCapacity(this.#edgeOf, this.nodes);
    this.#states.set(this.state, node * this.#width);
    this.#losses[node] = loss;
    this.#hashes[node] = this.#hash;
    this.#edgeOf[node] = edge;
    return node;
  }

  #edge(parent: number, before: number): number {
    const edge = this.#edges++;
    this.#parentOf = withCapacity(this.#parentOf, this.#edges);
    this.#edgeBefore = withCapacity(this.#edgeBefore, this.#edges);
    this.#parentOf[edge] = parent;
    this.#edgeBefore[edge] = before;
    return edge;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let node = 0; node < this.nodes; node++) {
      let slot = mixed(this.#hashes[node] ?? 0) & mask;
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = node;
    }
  }
}
