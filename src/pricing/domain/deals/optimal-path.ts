/**
 * Of all solutions of least loss, the one that the tie rules prefer (Decisions 7.4): the deals of lower sort and id as
 * often as possible, then, deal by deal, the units of lower item id and earlier size.
 */
import type { TakenUnits } from './allocation.ts';
import { fillLeast, type LayeredSearch } from './layered-search.ts';
import type { Choice, OfferTables } from './offer-tables.ts';
import type { PresolvedProblem } from './presolve.ts';
import type { Problem } from './problem.ts';

/** What the offers take of class `c` between two nodes. */
interface Edge {
  readonly parent: number;
  readonly child: number;
  readonly c: number;
  /** By member of the class, once asked for. */
  choices: readonly Choice[] | null;
}

/** What an edge costs in work: one or two microseconds, and for another edge into a node the comparison of two paths. */
const WORK_PER_TIED_EDGE = 200;
const COMPARED_PER_WORK = 4;

/** Between the same two states, more of a role means more applications. */
const appliesMore = (a: Choice, b: Choice): boolean =>
  a.rewarded > b.rewarded || (a.rewarded === b.rewarded && a.paid > b.paid);

class PreferredPath {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  readonly #search: LayeredSearch;
  readonly #tables: OfferTables;
  /** By node, the last edge of the preferred path to it. */
  readonly #into = new Map<number, Edge>();
  /** The applications of each offer, then its units of each kind: how much more one path has than another. */
  readonly #difference: Int32Array;

  constructor(problem: Problem, presolved: PresolvedProblem, search: LayeredSearch, tables: OfferTables) {
    this.#problem = problem;
    this.#presolved = presolved;
    this.#search = search;
    this.#tables = tables;
    this.#difference = new Int32Array(presolved.offers.length * (1 + problem.kinds.length));
  }

  /** The edges from the start to the end; null at the work limit. */
  edges(workLimit: number): readonly Edge[] | null {
    const all = this.#edgesOfLeastLoss(workLimit);
    if (all === null) return null;
    for (const edge of all.flat()) {
      const known = this.#into.get(edge.child);
      if (known === undefined || this.#isPreferred(edge, known)) this.#into.set(edge.child, edge);
    }
    const path: Edge[] = [];
    for (let edge = this.#into.get(this.#end); edge !== undefined; edge = this.#into.get(edge.parent))
      path.push(edge);
    return path;
  }

  /** The edges of any solution of least loss. */
  anyEdges(): readonly Edge[] {
    const path: Edge[] = [];
    let child = this.#end;
    for (let c = this.#presolved.classes.length - 1; c >= 0; c--) {
      const [parent = 0] = this.#search.graph.parentsOf(child);
      path.push({ parent, child, c, choices: null });
      child = parent;
    }
    return path;
  }

  get #end(): number {
    return this.#search.graph.nodes - 1;
  }

  /** By class, all edges on paths of least loss to the end; null at the work limit. */
  #edgesOfLeastLoss(workLimit: number): readonly (readonly Edge[])[] | null {
    const search = this.#search;
    const workPerComparison = Math.ceil(this.#difference.length / COMPARED_PER_WORK);
    const all: Edge[][] = [];
    let layer = new Set([this.#end]);
    for (let c = this.#presolved.classes.length - 1; c >= 0; c--) {
      const edges: Edge[] = [];
      const before = new Set<number>();
      for (const child of layer) {
        const parents = search.graph.parentsOf(child);
        for (const parent of parents) {
          edges.push({ parent, child, c, choices: null });
          before.add(parent);
        }
        search.work += WORK_PER_TIED_EDGE * parents.length + workPerComparison * (parents.length - 1);
        if (search.work > workLimit) return null;
      }
      all.unshift(edges);
      layer = before;
    }
    return all;
  }

  /** Whether the tie rules prefer the path that ends with `a`; the edges lead into one node. */
  #isPreferred(a: Edge, b: Edge): boolean {
    const difference = this.#difference.fill(0);
    let [more, less]: [Edge | undefined, Edge | undefined] = [a, b];
    while (more !== undefined && less !== undefined) {
      this.#add(more, 1);
      this.#add(less, -1);
      if (more.parent === less.parent) break;
      [more, less] = [this.#into.get(more.parent), this.#into.get(less.parent)];
    }
    return (difference.find((value) => value !== 0) ?? 0) > 0;
  }

  /** The units of the class go to the offers in order: those of the first kinds. */
  #add(edge: Edge, sign: number): void {
    const { offers, classes } = this.#presolved;
    const { kinds } = this.#problem;
    const own = classes[edge.c]?.kinds ?? [];
    const choices = this.choicesOf(edge);
    const difference = this.#difference;
    const add = (at: number, amount: number): void => {
      difference[at] = (difference[at] ?? 0) + sign * amount;
    };
    let [k, used] = [0, 0];
    this.#search.members[edge.c]?.forEach(({ offer }, m) => {
      const { paid, rewarded, units } = choices[m] ?? { paid: 0, rewarded: 0, units: 0 };
      add(offer, offers[offer]?.form === 'bundle' ? paid : rewarded);
      for (let missing = units; missing > 0 && k < own.length;) {
        const kind = own[k] ?? 0;
        const left = (kinds[kind]?.count ?? 0) - used;
        const some = Math.min(missing, left);
        add(offers.length + offer * kinds.length + kind, some);
        missing -= some;
        if (some < left) used += some;
        else [k, used] = [k + 1, 0];
      }
    });
  }

  /** Of the choices of least loss, those by which the first offers apply most often. */
  choicesOf(edge: Edge): readonly Choice[] {
    return (edge.choices ??= this.#choicesBetween(edge));
  }

  #choicesBetween({ parent, child, c }: Edge): readonly Choice[] {
    const { graph, members } = this.#search;
    let missing = graph.lossOf(child) - graph.lossOf(parent);
    const dual = this.#tables.dualOf(c);
    const possible = (members[c] ?? []).map((member) => {
      const after = graph.stateOf(child, member.offer);
      const choices = this.#search.choicesOf(member, graph.stateOf(parent, member.offer));
      return choices.length === 1
        ? choices
        : choices.filter(({ next, loss }) => next === after && loss <= missing);
    });
    if (possible.every(({ length }) => length === 1)) return possible.flat();
    let left = this.#presolved.classes[c]?.count ?? 0;
    const width = left + 1;
    const least = new Float64Array((possible.length + 1) * width);
    for (let units = 0; units < width; units++) least[possible.length * width + units] = units * dual;
    for (let m = possible.length - 1; m >= 0; m--)
      this.#search.work += fillLeast(least, m * width, (m + 1) * width, left, possible[m] ?? [], missing);
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

/** By offer, the units of each class in a solution of a search that reached its end. */
export interface LeastLoss {
  /** The preferred one; null at the work limit. */
  readonly preferred: (workLimit: number) => readonly TakenUnits[] | null;
  readonly any: () => readonly TakenUnits[];
}

export const solutionsOf = (
  problem: Problem,
  presolved: PresolvedProblem,
  search: LayeredSearch,
  tables: OfferTables,
): LeastLoss => {
  const path = new PreferredPath(problem, presolved, search, tables);
  const takenBy = (edges: readonly Edge[]): readonly TakenUnits[] => {
    const { offers, classes } = presolved;
    const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
    for (const edge of edges) {
      const choices = path.choicesOf(edge);
      search.members[edge.c]?.forEach(({ offer }, m) => {
        const own = taken[offer];
        if (own === undefined) return;
        own.paid[edge.c] = choices[m]?.paid ?? 0;
        own.rewarded[edge.c] = choices[m]?.rewarded ?? 0;
      });
    }
    return taken;
  };
  return {
    preferred: (workLimit) => {
      const edges = path.edges(workLimit);
      return edges === null ? null : takenBy(edges);
    },
    any: () => takenBy(path.anyEdges()),
  };
};
