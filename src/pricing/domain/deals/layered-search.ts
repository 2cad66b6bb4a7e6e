/**
 * A dynamic program over the classes of units, dearest first. A node of layer `c` is the states of all offers before
 * class `c`; its loss is how far the best solution through it stays below the bound of the relaxation.
 */
import { OPERATIONS_PER_WORK, type Choice, type OfferTables, type Track } from './offer-tables.ts';
import type { UnitClass } from './presolve.ts';
import { StateGraph } from './state-graph.ts';

/** An offer that takes units of a class. */
export interface Member {
  readonly offer: number;
  readonly track: Track;
  /** The position of the class in the track. */
  readonly at: number;
  /** By state, once asked for: the choices that lose no more than a known solution. */
  readonly choices: (readonly Choice[] | undefined)[];
}

const isEnding = ({ track, at }: Member): boolean => at === track.steps.length - 1;

/** What a choice that is looked at and an edge cost in work; and how many offers' states are compared or copied in one. */
const WORK_PER_CHOICE = 1;
const WORK_PER_EDGE = 6;
const STATES_PER_WORK = 16;

/** Nodes of one layer: the first, and one past the last. */
type Range = readonly [from: number, to: number];

/** Graphs of searches that have ended, whose arrays are used again. */
const free: StateGraph[] = [];
const MOST_FREE = 1;
const MOST_FREE_BYTES = 8_000_000;

/**
 * One more member before those of the row `after`: by units that are left, from 0 to `left`, the least loss of it and
 * the later ones. Rows are places in `least`. Choices come in order of loss; those beyond `budget` do not count. Returns
 * the work.
 */
export const fillLeast = (
  least: Float64Array,
  row: number,
  after: number,
  left: number,
  choices: readonly Choice[],
  budget: number,
): number => {
  least.fill(Infinity, row, row + left + 1);
  let counted = 0;
  for (let k = 0; k < choices.length; k++) {
    const { units, loss } = choices[k] ?? { units: 0, loss: Infinity };
    if (loss > budget) break;
    for (let rest = left - units; rest >= 0; rest--) {
      const whole = loss + (least[after + rest] ?? 0);
      if (whole < (least[row + rest + units] ?? 0)) least[row + rest + units] = whole;
    }
    counted += 1;
  }
  return WORK_PER_CHOICE * left * counted;
};

export class LayeredSearch {
  /** Counted operations so far, without those of the tables. */
  work = 0;
  readonly graph = free.pop() ?? new StateGraph();
  /** The members of each class, in the order of offers. */
  readonly members: readonly (readonly Member[])[];
  /** The members of each class; those that take units of no later class come last. */
  readonly #inOrder: readonly (readonly Member[])[];
  readonly #classes: readonly UnitClass[];
  readonly #tables: OfferTables;
  /** Operations of the tables before the search. */
  readonly #earlierOperations: number;
  readonly #gap: number;
  /** To compare or copy the states of all offers. */
  readonly #workPerNode: number;

  /** By layer, the nodes that earlier runs found. */
  readonly #found: readonly Range[][];

  // The layer that is expanded.
  #limit = -1;
  #workLimit = 0;
  #layer: readonly Member[] = [];
  /** The first of the members whose last class this is. */
  #firstEnding = 0;
  #count = 0;
  #dual = 0;
  /** The layer of the nodes that are reached. */
  #after = 0;

  // The node that is expanded: the offers with several choices, those that end with this class last.
  #parent = 0;
  /** All edges out of it of a lower loss are known. */
  #known = 0;
  readonly #open: number[] = [];
  readonly #choices: (readonly Choice[])[] = [];
  /** How many of them go on. */
  #continuing = 0;
  /** By open offer and units that are left: the least loss of this offer and the later ones. */
  #least = new Float64Array(64);

  /** `gap`: the loss of a known solution. The tables must not change. */
  constructor(classes: readonly UnitClass[], tables: OfferTables, gap: number) {
    this.#gap = gap;
    const { tracks } = tables;
    this.#classes = classes;
    this.#tables = tables;
    this.#earlierOperations = tables.operations;
    this.#workPerNode = Math.floor(tracks.length / STATES_PER_WORK);
    const members = classes.map((): Member[] => []);
    tracks.forEach((track, offer) => {
      track.steps.forEach(({ c }, at) => members[c]?.push({ offer, track, at, choices: [] }));
    });
    this.members = members;
    this.graph.begin(tracks.map(({ automaton }) => automaton.start));
    this.#found = [[[0, 1]], ...classes.map(() => [])];
    this.#inOrder = this.members.map((all) => [
      ...all.filter((member) => !isEnding(member)),
      ...all.filter(isEnding),
    ]);
  }

  /** With the choices that the tables were asked for. */
  get workWithTables(): number {
    return this.work + (this.#tables.operations - this.#earlierOperations) / OPERATIONS_PER_WORK;
  }

  /**
   * The least loss of a solution if it is within the limit, else null; null beyond the work limit. The last node of the
   * graph is the end. A node is found with its least loss, so a run with a wider limit goes on from those before it.
   */
  run(limit: number, workLimit: number): number | null {
    const { graph } = this;
    const [known, earlier] = [this.#limit + 1, graph.nodes];
    this.#limit = limit;
    this.#workLimit = workLimit;
    for (let c = 0; c < this.#classes.length; c++) {
      const first = graph.nodes;
      this.#enter(c);
      for (const [from, to] of this.#found[c] ?? [])
        for (let node = from; node < to; node++) {
          this.#known = node < earlier ? known : 0;
          this.#expand(node);
          if (this.workWithTables > workLimit) return null;
        }
      if (graph.nodes > first) this.#found[c + 1]?.push([first, graph.nodes]);
    }
    return this.#found.at(-1)?.length === 0 ? null : graph.lossOf(graph.nodes - 1);
  }

  #enter(c: number): void {
    this.#layer = this.#inOrder[c] ?? [];
    this.#firstEnding = this.#layer.length - this.#layer.filter(isEnding).length;
    this.#after = c + 1;
    this.#count = this.#classes[c]?.count ?? 0;
    this.#dual = this.#tables.dualOf(c);
    const needed = (this.#layer.length + 1) * (this.#count + 1);
    if (needed > this.#least.length) this.#least = new Float64Array(2 * needed);
  }

  /** Adds the edges within the limit that are not known yet. */
  #expand(node: number): void {
    this.#parent = node;
    this.work += this.#layer.length + this.#workPerNode;
    const { graph } = this;
    graph.load(node);
    graph.move(this.#tables.tracks.length, this.#after);
    let loss = graph.lossOf(node);
    const budget = this.#limit - loss;
    let left = this.#count;
    let opened = 0;
    for (let m = 0; m < this.#layer.length; m++) {
      if (m === this.#firstEnding) this.#continuing = opened;
      const member = this.#layer[m];
      if (member === undefined) continue;
      const choices = this.choicesOf(member, graph.state[member.offer] ?? 0);
      const only = choices[0];
      if (only === undefined) return;
      if ((choices[1]?.loss ?? Infinity) > budget) {
        left -= only.units;
        loss += only.loss;
      } else {
        this.#open[opened] = member.offer;
        this.#choices[opened] = choices;
        opened += 1;
        if (m < this.#firstEnding) continue;
      }
      graph.move(member.offer, only.next);
    }
    if (this.#firstEnding === this.#layer.length) this.#continuing = opened;
    if (left < 0) return;
    const width = this.#count + 1;
    for (let units = 0; units <= left; units++) this.#least[opened * width + units] = units * this.#dual;
    for (let m = opened - 1; m >= 0; m--) {
      const choices = this.#choices[m] ?? [];
      this.work += fillLeast(this.#least, m * width, (m + 1) * width, left, choices, budget);
    }
    if (loss + (this.#least[left] ?? 0) <= this.#limit) this.#choose(0, left, loss);
  }

  /** Gives the graph to other searches. */
  end(): void {
    if (free.length < MOST_FREE && this.graph.bytes <= MOST_FREE_BYTES) free.push(this.graph);
  }

  choicesOf({ track, at, choices }: Member, state: number): readonly Choice[] {
    return (choices[state] ??= this.#tables.choicesOf(track, at, state, this.#gap));
  }

  /** Every way to choose for the open offers from `m` on that can stay within the limit. */
  #choose(m: number, left: number, loss: number): void {
    if (this.work > this.#workLimit) return;
    const width = this.#count + 1;
    if (m === this.#continuing) {
      // Offers that end have one state afterwards, whatever they choose.
      this.work += WORK_PER_EDGE + this.#workPerNode;
      const whole = loss + (this.#least[m * width + left] ?? 0);
      if (whole >= this.#known) this.graph.reach(this.#parent, whole);
      return;
    }
    const offer = this.#open[m] ?? 0;
    const before = this.graph.state[offer] ?? 0;
    const after = (m + 1) * width;
    const choices = this.#choices[m] ?? [];
    for (let k = 0; k < choices.length; k++) {
      const choice = choices[k];
      const sum = loss + (choice?.loss ?? Infinity);
      if (choice === undefined || sum > this.#limit) break;
      const rest = left - choice.units;
      if (rest < 0) continue;
      this.work += WORK_PER_CHOICE;
      if (sum + (this.#least[after + rest] ?? 0) > this.#limit) continue;
      this.graph.move(offer, choice.next);
      this.#choose(m + 1, rest, sum);
    }
    this.graph.move(offer, before);
  }
}
