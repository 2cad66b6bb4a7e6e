/**
 * Of all solutions of least loss, the one that the tie rules prefer (Decisions 7.4): the deals of lower sort and id as
 * often as possible, then, deal by deal, the units of lower item id and earlier size.
 */
import type { TakenUnits } from './allocation.ts';
import { fillLeast, type LayeredSearch, type Member } from './layered-search.ts';
import type { Choice, OfferTables } from './offer-tables.ts';
import type { PresolvedProblem } from './presolve.ts';
import type { Problem } from './problem.ts';

/** What the offers take of one class between two nodes. */
interface Edge {
  readonly parent: Node;
  readonly c: number;
  /** By member of the class. */
  readonly choices: readonly Choice[];
}

interface Node {
  edges: readonly Edge[];
}

/** What an edge adds to each entry of the order in which solutions are compared: more is better, earlier first. */
type Additions = (edge: Edge) => readonly number[];

const comparison = (a: readonly number[], b: readonly number[]): number => {
  for (let k = 0; k < a.length; k++) {
    const difference = (a[k] ?? 0) - (b[k] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const sumOf = (a: readonly number[], b: readonly number[]): readonly number[] =>
  a.map((value, k) => value + (b[k] ?? 0));

/** What an edge costs in work: one or two microseconds. */
const WORK_PER_TIED_EDGE = 200;

/** All solutions of least loss, as a graph from the end to the start. */
class OptimalGraph {
  readonly #search: LayeredSearch;
  readonly #tables: OfferTables;
  readonly #counts: readonly number[];
  /** Of each layer, the nodes on the way to the end; the layers from the first. */
  readonly layers: readonly (readonly Node[])[];

  /** Beyond the work limit only one of several edges into a node is kept. */
  constructor({ classes }: PresolvedProblem, search: LayeredSearch, tables: OfferTables, workLimit: number) {
    this.#search = search;
    this.#tables = tables;
    this.#counts = classes.map(({ count }) => count);
    let layer = new Map<number, Node>([[search.graph.nodes - 1, { edges: [] }]]);
    const layers = [[...layer.values()]];
    for (let c = classes.length - 1; c >= 0; c--) {
      const before = new Map<number, Node>();
      for (const [index, node] of layer)
        node.edges = this.#parentsOf(index, workLimit).map((parentIndex) => {
          const parent = before.get(parentIndex) ?? { edges: [] };
          before.set(parentIndex, parent);
          return { parent, c, choices: this.#choicesBetween(parentIndex, index, c) };
        });
      layer = before;
      layers.unshift([...layer.values()]);
    }
    this.layers = layers;
  }

  #parentsOf(node: number, workLimit: number): readonly number[] {
    const { graph } = this.#search;
    const parents = graph.parentsOf(node);
    const kept = this.#search.work > workLimit ? parents.slice(0, 1) : parents;
    this.#search.work += WORK_PER_TIED_EDGE * kept.length;
    return kept;
  }

  /** Of the choices of least loss between two nodes, those by which the first offers apply most often. */
  #choicesBetween(parent: number, child: number, c: number): readonly Choice[] {
    const { graph, members } = this.#search;
    let missing = graph.lossOf(child) - graph.lossOf(parent);
    const dual = this.#tables.dualOf(c);
    const possible = (members[c] ?? []).map((member) =>
      this.#search
        .choicesOf(member, graph.stateOf(parent, member.offer))
        .filter(({ next, loss }) => next === graph.stateOf(child, member.offer) && loss <= missing),
    );
    if (possible.every(({ length }) => length === 1)) return possible.flat();
    let left = this.#counts[c] ?? 0;
    const width = left + 1;
    const least = new Float64Array((possible.length + 1) * width);
    for (let units = 0; units < width; units++) least[possible.length * width + units] = units * dual;
    for (let m = possible.length - 1; m >= 0; m--)
      fillLeast(least, m * width, (m + 1) * width, left, possible[m] ?? [], missing);
    return possible.map((choices, m) => {
      const isLeast = ({ units, loss }: Choice) =>
        units <= left && loss + (least[(m + 1) * width + left - units] ?? Infinity) === missing;
      const best = choices.filter(isLeast).reduce((a, b) => (appliesMore(b, a) ? b : a));
      missing -= best.loss;
      left -= best.units;
      return best;
    });
  }
}

/** Between the same two states, more of a role means more applications. */
const appliesMore = (a: Choice, b: Choice): boolean =>
  a.rewarded > b.rewarded || (a.rewarded === b.rewarded && a.paid > b.paid);

/** Removes the edges of all paths to the end whose sums are not the greatest. */
const keepGreatest = (layers: readonly (readonly Node[])[], additions: Additions): void => {
  const greatest = new Map<Node, readonly number[]>();
  for (const node of layers.flat()) {
    let best: readonly number[] | null = null;
    let kept: Edge[] = [];
    for (const edge of node.edges) {
      const sum = sumOf(additions(edge), greatest.get(edge.parent) ?? []);
      const order = best === null ? 1 : comparison(sum, best);
      if (order > 0) [best, kept] = [sum, [edge]];
      else if (order === 0) kept.push(edge);
    }
    node.edges = kept;
    greatest.set(node, best ?? []);
  }
};

const isOnePath = (layers: readonly (readonly Node[])[]): boolean =>
  layers.every((nodes) => nodes.length === 1 && (nodes[0]?.edges.length ?? 0) <= 1);

/** The nodes from which the end is reached. */
const reachable = (layers: readonly (readonly Node[])[]): readonly (readonly Node[])[] => {
  let layer = layers.at(-1) ?? [];
  const kept = [layer];
  for (let at = layers.length - 1; at > 0; at--) {
    layer = [...new Set(layer.flatMap(({ edges }) => edges.map(({ parent }) => parent)))];
    kept.unshift(layer);
  }
  return kept;
};

/** The units of each class that an edge takes, in the order of offers: those of the first kinds. */
class KindsOfEdge {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  readonly #members: readonly (readonly Member[])[];

  constructor(problem: Problem, presolved: PresolvedProblem, members: readonly (readonly Member[])[]) {
    this.#problem = problem;
    this.#presolved = presolved;
    this.#members = members;
  }

  /** By kind of the class, the units that the offer takes. */
  takenBy(offer: number, { c, choices }: Edge): ReadonlyMap<number, number> {
    const members = this.#members[c] ?? [];
    const m = members.findIndex((member) => member.offer === offer);
    const taken = new Map<number, number>();
    if (m < 0) return taken;
    let skipped = choices.slice(0, m).reduce((sum, { units }) => sum + units, 0);
    let missing = choices[m]?.units ?? 0;
    for (const kind of this.#presolved.classes[c]?.kinds ?? []) {
      const count = this.#problem.kinds[kind]?.count ?? 0;
      const some = Math.min(missing, Math.max(0, count - skipped));
      skipped = Math.max(0, skipped - count);
      missing -= some;
      if (some > 0) taken.set(kind, some);
    }
    return taken;
  }
}

/**
 * By offer, the units of each class in the preferred solution. Needs a search that reached its end; beyond its work limit
 * ties are no longer compared.
 */
export const preferredSolution = (
  problem: Problem,
  presolved: PresolvedProblem,
  search: LayeredSearch,
  tables: OfferTables,
  workLimit: number,
): readonly TakenUnits[] => {
  const { offers, classes } = presolved;
  const graph = new OptimalGraph(presolved, search, tables, workLimit);
  const { members } = search;
  const kinds = new KindsOfEdge(problem, presolved, members);
  const timesOf: Additions = ({ c, choices }) => {
    const times = offers.map(() => 0);
    members[c]?.forEach(({ offer }, m) => {
      const { paid = 0, rewarded = 0 } = choices[m] ?? {};
      times[offer] = offers[offer]?.form === 'bundle' ? paid : rewarded;
    });
    return times;
  };
  const unitsOf =
    (offer: number): Additions =>
    (edge) => {
      const taken = kinds.takenBy(offer, edge);
      return problem.kinds.map((_, kind) => taken.get(kind) ?? 0);
    };
  let { layers } = graph;
  for (const additions of [timesOf, ...offers.map((_, offer) => unitsOf(offer))]) {
    if (isOnePath(layers)) break;
    keepGreatest(layers, additions);
    layers = reachable(layers);
  }
  const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
  for (const [edge] of layers.map(([node]) => node?.edges ?? []))
    if (edge !== undefined)
      members[edge.c]?.forEach(({ offer }, m) => {
        const own = taken[offer];
        if (own === undefined) return;
        own.paid[edge.c] = edge.choices[m]?.paid ?? 0;
        own.rewarded[edge.c] = edge.choices[m]?.rewarded ?? 0;
      });
  return taken;
};
