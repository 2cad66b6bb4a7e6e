/**
 * An integer transportation problem: which units take which role when the number of applications is fixed. Units move
 * along cycles of roles, each giving one kind to the next, as long as a cycle gains.
 */

/** A role of units, such as the paid units of an offer. */
export interface Role {
  /** Roles of one group count together in the tie-break; groups are in order. */
  readonly group: number;
  readonly demand: number;
  /** Gain of one unit, by kind; null when the kind cannot take the role. */
  readonly gains: readonly (number | null)[];
}

export interface Assigned {
  /** By role, then by kind; null when no assignment meets every demand, or at the work limit. */
  readonly units: readonly (readonly number[])[] | null;
  readonly gain: number;
  /** Elementary operations. */
  readonly work: number;
}

/** A cell is role × kinds + kind. The last role is that of idle units; the last kind stands for missing ones. */
class Assignment {
  work = 0;
  readonly #roles: number;
  readonly #kinds: number;
  readonly #groups: readonly number[];
  /** By cell; −Infinity when the kind cannot take the role. */
  readonly #gains: Float64Array;
  readonly #units: Float64Array;
  /** The most that paths to roles, and to kinds that a role gives, gain. */
  readonly #roleValues: Float64Array;
  readonly #kindValues: Float64Array;
  /** By kind and by role, the cell that gives last on the path. */
  readonly #givers: Int32Array;
  readonly #sources: Int32Array;
  /** By cell: its group takes no more and no fewer units of the kind. */
  readonly #isFinal: Uint8Array;

  constructor(roles: readonly Role[], supply: readonly number[]) {
    this.#roles = roles.length + 1;
    this.#kinds = supply.length + 1;
    this.#groups = [...roles.map(({ group }) => group), Infinity];
    const cells = this.#roles * this.#kinds;
    this.#gains = new Float64Array(cells).fill(-Infinity);
    this.#units = new Float64Array(cells);
    let largest = 1;
    roles.forEach(({ gains, demand }, r) => {
      gains.forEach((gain, k) => {
        this.#gains[r * this.#kinds + k] = gain ?? -Infinity;
        largest = Math.max(largest, gain ?? 0);
      });
      this.#units[r * this.#kinds + supply.length] = demand;
    });
    // A missing unit costs more than any cycle gains.
    for (let r = 0; r < roles.length; r++)
      this.#gains[r * this.#kinds + supply.length] = -largest * (this.#roles + 1);
    this.#gains.fill(0, roles.length * this.#kinds);
    this.#units.set(supply, roles.length * this.#kinds);
    this.#roleValues = new Float64Array(this.#roles);
    this.#kindValues = new Float64Array(this.#kinds);
    this.#givers = new Int32Array(this.#kinds);
    this.#sources = new Int32Array(this.#roles);
    this.#isFinal = new Uint8Array(cells);
    this.work += cells;
  }

  /** Largest gain; false at the work limit. */
  maximise(workLimit: number): boolean {
    this.#sources.fill(-1);
    while (this.work <= workLimit) {
      let role = this.#lengthenPaths();
      if (role < 0) return true;
      // A path that leads through more roles than there are has gone around a cycle.
      for (let step = 0; step < this.#roles && role >= 0; step++) role = this.#giverOf(role);
      if (role < 0) continue;
      this.#moveAlongCycle(role);
      this.#sources.fill(-1);
      this.#roleValues.fill(0);
    }
    return false;
  }

  #giverOf(role: number): number {
    return Math.floor((this.#sources[role] ?? -1) / this.#kinds);
  }

  /** One more arc for all paths; a role whose path now gains more, or −1. */
  #lengthenPaths(): number {
    const [roles, kinds, gains, units] = [this.#roles, this.#kinds, this.#gains, this.#units];
    const [roleValues, kindValues] = [this.#roleValues, this.#kindValues.fill(-Infinity)];
    for (let r = 0, cell = 0; r < roles; r++)
      for (let k = 0; k < kinds; k++, cell++) {
        const value = (roleValues[r] ?? 0) - (gains[cell] ?? 0);
        if (units[cell] === 0 || value <= (kindValues[k] ?? 0)) continue;
        kindValues[k] = value;
        this.#givers[k] = cell;
      }
    let changed = -1;
    for (let r = 0, cell = 0; r < roles; r++)
      for (let k = 0; k < kinds; k++, cell++) {
        const value = (kindValues[k] ?? 0) + (gains[cell] ?? 0);
        if (value <= (roleValues[r] ?? 0)) continue;
        roleValues[r] = value;
        this.#sources[r] = this.#givers[k] ?? -1;
        changed = r;
      }
    this.work += roles * kinds;
    return changed;
  }

  /** Every role of the cycle takes what the one before it gives. */
  #moveAlongCycle(last: number): void {
    const units = this.#units;
    const givers: number[] = [];
    for (let role = last; givers.length === 0 || role !== last; role = this.#giverOf(role))
      givers.push(this.#sources[role] ?? 0);
    const amount = givers.reduce((least, cell) => Math.min(least, units[cell] ?? 0), Infinity);
    let taker = last;
    for (const cell of givers) {
      const taken = taker * this.#kinds + (cell % this.#kinds);
      units[cell] = (units[cell] ?? 0) - amount;
      units[taken] = (units[taken] ?? 0) + amount;
      taker = Math.floor(cell / this.#kinds);
    }
  }

  // ── Tie-break ───────────────────────────────────────────────────────────────────────────────────

  /** After `maximise`: of equal gains, the first groups take most of the first kinds. False at the work limit. */
  order(workLimit: number): boolean {
    const groups = this.#groups;
    for (let first = 0; first < groups.length - 1; first++) {
      if (groups[first] === groups[first - 1]) continue;
      for (let kind = 0; kind < this.#kinds - 1; kind++) {
        for (let role = first; groups[role] === groups[first]; role++)
          while (this.work <= workLimit && this.#increase(role, kind));
        if (this.work > workLimit) return false;
        for (let role = first; groups[role] === groups[first]; role++)
          this.#isFinal[role * this.#kinds + kind] = 1;
      }
    }
    return true;
  }

  /** The gain is as large with a unit of the kind in the role. */
  #isTight(role: number, kind: number): boolean {
    const gain = this.#gains[role * this.#kinds + kind] ?? 0;
    return (this.#kindValues[kind] ?? 0) + gain === this.#roleValues[role];
  }

  /** Units move freely within a group; between groups only while neither has its final number. */
  #canMove(from: number, to: number, kind: number): boolean {
    if (!this.#isTight(to, kind)) return false;
    if (this.#groups[from] === this.#groups[to]) return true;
    const final = this.#isFinal;
    return final[from * this.#kinds + kind] === 0 && final[to * this.#kinds + kind] === 0;
  }

  /** Moves units of the kind from another group to the role, breadth first, along a cycle that gains nothing. */
  #increase(role: number, kind: number): boolean {
    const [groups, sources] = [this.#groups, this.#sources.fill(-1)];
    if (!this.#isTight(role, kind)) return false;
    const queue = [role];
    for (const giver of queue)
      for (let given = 0, cell = giver * this.#kinds; given < this.#kinds; given++, cell++) {
        this.work += 1;
        if (this.#units[cell] === 0) continue;
        const isInGroup = groups[giver] === groups[role];
        if (given === kind && !isInGroup && this.#canMove(giver, role, kind)) {
          sources[role] = cell;
          this.#moveAlongCycle(role);
          return true;
        }
        this.work += this.#roles;
        for (let taker = 0; taker < this.#roles; taker++) {
          // A unit of the kind that leaves the group on the way cancels the one that is gained.
          const isLost = given === kind && isInGroup && groups[taker] !== groups[role];
          if (taker === role || sources[taker] !== -1 || isLost) continue;
          if (!this.#canMove(giver, taker, given)) continue;
          sources[taker] = cell;
          queue.push(taker);
        }
      }
    return false;
  }

  result(): { readonly units: Assigned['units']; readonly gain: number } {
    const [roles, kinds] = [this.#roles - 1, this.#kinds];
    let gain = 0;
    for (let cell = 0; cell < roles * kinds; cell++)
      if (this.#units[cell] !== 0) gain += (this.#units[cell] ?? 0) * (this.#gains[cell] ?? 0);
    const units = Array.from({ length: roles }, (_, r) => [
      ...this.#units.subarray(r * kinds, (r + 1) * kinds),
    ]);
    const isMet = units.every((own) => own.pop() === 0);
    return { units: isMet ? units : null, gain };
  }
}

/** The assignment of largest gain. `isOrdered`: of several, the one that gives the first groups most of the first kinds. */
export const assign = (
  roles: readonly Role[],
  supply: readonly number[],
  isOrdered: boolean,
  workLimit = Infinity,
): Assigned => {
  const assignment = new Assignment(roles, supply);
  const isDone = assignment.maximise(workLimit) && (!isOrdered || assignment.order(workLimit));
  const { units, gain } = assignment.result();
  return { units: isDone ? units : null, gain, work: assignment.work };
};
