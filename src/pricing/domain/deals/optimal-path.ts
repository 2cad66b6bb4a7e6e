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

/** Work of finding an edge. */
const WORK_PER_FOUND_EDGE = 20;
// Once all edges are found, work of comparing the path to each: so much, and a part of what the path takes.
/** Half of its time: with 400 one of 564 carts more stays unproven, at 4 % more work. */
const WORK_PER_TIED_EDGE = 200;
const COPIED_PER_WORK = 2;

/** Between the same two states, more of a role means more applications. */
const appliesMore = (a: Choice, b: Choice): boolean =>
  a.rewarded > b.rewarded || (a.rewarded === b.rewarded && a.paid > b.paid);

/** Whether the tie rules prefer `a`: it takes more at the first difference. */
const takesMore = (a: Int32Array, b: Int32Array): boolean => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (a[at] ?? 0) > (b[at] ?? 0);
};

class LeastLossPaths {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  readonly #search: LayeredSearch;
  readonly #tables: OfferTables;
  /** Of what a path takes: the applications of each offer, then its units of each kind. */
  readonly #width: number;

  constructor(problem: Problem, presolved: PresolvedProblem, search: LayeredSearch, tables: OfferTables) {
    this.#problem = problem;
    this.#presolved = presolved;
    this.#search = search;
    this.#tables = tables;
    this.#width = presolved.offers.length * (1 + problem.kinds.length);
  }

  /** The edges of the solution that the tie rules prefer; null at the work limit. */
  preferred(workLimit: number): readonly Edge[] | null {
    const all = this.#edgesOfLeastLoss(workLimit);
    if (all === null) return null;
    /** By node, the last edge of the preferred path to it. */
    const into = new Map<number, Edge>();
    let before = new Map<number, Int32Array>();
    for (const edges of all) {
      const after = new Map<number, Int32Array>();
      for (const edge of edges) {
        const taken = before.get(edge.parent)?.slice() ?? new Int32Array(this.#width);
        this.#add(edge, taken);
        const known = after.get(edge.child);
        if (known !== undefined && !takesMore(taken, known)) continue;
        after.set(edge.child, taken);
        into.set(edge.child, edge);
      }
      before = after;
    }
    const path: Edge[] = [];
    for (let edge = into.get(this.#end); edge !== undefined; edge = into.get(edge.parent)) path.push(edge);
    return path;
  }

  /** The edges of any solution of least loss. */
  any(): readonly Edge[] {
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
    const workPerEdge = WORK_PER_TIED_EDGE + Math.ceil(this.#width / COPIED_PER_WORK);
    let found = 0;
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
        search.work += WORK_PER_FOUND_EDGE * parents.length;
        found += parents.length;
        if (search.work + found * workPerEdge > workLimit) return null;
      }
      all.unshift(edges);
      layer = before;
    }
    search.work += found * workPerEdge;
    return all;
  }

  /** The units of the class go to the offers in order: those of the first kinds. */
  #add(edge: Edge, taken: Int32Array): void {
    const { offers, classes } = this.#presolved;
    const { kinds } = this.#problem;
    const own = classes[edge.c]?.kinds ?? [];
    const choices = this.choicesOf(edge);
    const add = (at: number, amount: number): void => {
      taken[at] = (taken[at] ?? 0) + amount;
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
export interface FoundSolutions {
  /** The preferred one; null at the work limit. */
  readonly preferred: (workLimit: number) => readonly TakenUnits[] | null;
  readonly any: () => readonly TakenUnits[];
}

export const solutionsOf = (
  problem: Problem,
  presolved: PresolvedProblem,
  search: LayeredSearch,
  tables: OfferTables,
): FoundSolutions => {
  const paths = new LeastLossPaths(problem, presolved, search, tables);
  const takenBy = (edges: readonly Edge[]): readonly TakenUnits[] => {
    const { offers, classes } = presolved;
    const taken = offers.map(() => ({ paid: classes.map(() => 0), rewarded: classes.map(() => 0) }));
    for (const edge of edges) {
      const choices = paths.choicesOf(edge);
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
      const edges = paths.preferred(workLimit);
      return edges === null ? null : takenBy(edges);
    },
    any: () => takenBy(paths.any()),
  };
};
