/**
 * An integer transportation problem, solved exactly by augmenting along longest paths: which units take which role when
 * the number of applications is fixed.
 */

/** A role of units, such as the paid units of an offer. */
export interface Role {
  readonly demand: number;
  /** Gain of one unit, by kind; null when the kind cannot take the role. */
  readonly gains: readonly (number | null)[];
}

/** Roles of one group count together in the tie-break. */
export interface GroupedRole extends Role {
  readonly group: number;
}

/** Units by role, then by kind. */
export type Assignment = readonly (readonly number[])[];

export interface Assigned {
  /** Null when no assignment meets every demand, or at the work limit. */
  readonly units: Assignment | null;
  /** Elementary operations. */
  readonly work: number;
}

/** A cell is role × kinds + kind. */
class Flow {
  readonly roles: number;
  readonly kinds: number;
  /** By cell; −Infinity when the kind cannot take the role. */
  readonly gains: Float64Array;
  /** By cell. */
  readonly units: Float64Array;
  /** Unassigned units, by kind. */
  readonly supplyLeft: Float64Array;
  /** Unmet demand, by role. */
  readonly demandLeft: Float64Array;
  /** Lengths of the longest paths to roles and kinds, and the last cell of each path; −1 at its start. */
  readonly roleValues: Float64Array;
  readonly kindValues: Float64Array;
  readonly rolePredecessors: Int32Array;
  readonly kindPredecessors: Int32Array;
  work = 0;

  constructor(roles: readonly Role[], supply: readonly number[]) {
    this.roles = roles.length;
    this.kinds = supply.length;
    this.gains = new Float64Array(this.roles * this.kinds);
    this.units = new Float64Array(this.roles * this.kinds);
    this.supplyLeft = Float64Array.from(supply);
    this.demandLeft = Float64Array.from(roles, ({ demand }) => demand);
    roles.forEach(({ gains }, r) => {
      gains.forEach((gain, k) => {
        this.gains[r * this.kinds + k] = gain ?? -Infinity;
      });
    });
    this.roleValues = new Float64Array(this.roles);
    this.kindValues = new Float64Array(this.kinds);
    this.rolePredecessors = new Int32Array(this.roles);
    this.kindPredecessors = new Int32Array(this.kinds);
    this.work += this.roles * this.kinds;
  }

  /** Longest paths (Bellman–Ford): an arc from role to kind takes a unit, an arc from kind to role releases one. */
  computeLongestPaths(): void {
    const { roles, kinds, gains, units, roleValues, kindValues, rolePredecessors, kindPredecessors } = this;
    kindValues.fill(-Infinity);
    rolePredecessors.fill(-1);
    kindPredecessors.fill(-1);
    for (let changed = true; changed;) {
      changed = false;
      for (let r = 0, cell = 0; r < roles; r++) {
        const from = roleValues[r] ?? 0;
        if (from === -Infinity) cell += kinds;
        else
          for (let k = 0; k < kinds; k++, cell++) {
            const value = from + (gains[cell] ?? 0);
            if (value <= (kindValues[k] ?? 0)) continue;
            kindValues[k] = value;
            kindPredecessors[k] = cell;
            changed = true;
          }
      }
      for (let r = 0, cell = 0; r < roles; r++)
        for (let k = 0; k < kinds; k++, cell++) {
          if (units[cell] === 0) continue;
          const back = (kindValues[k] ?? 0) - (gains[cell] ?? 0);
          if (back <= (roleValues[r] ?? 0)) continue;
          roleValues[r] = back;
          rolePredecessors[r] = cell;
          changed = true;
        }
      this.work += roles * kinds;
    }
  }

  /** False when no path leads from a role with unmet demand. */
  augment(): boolean {
    const {
      kinds,
      units,
      supplyLeft,
      demandLeft,
      roleValues,
      kindValues,
      rolePredecessors,
      kindPredecessors,
    } = this;
    for (let r = 0; r < this.roles; r++) roleValues[r] = (demandLeft[r] ?? 0) > 0 ? 0 : -Infinity;
    this.computeLongestPaths();
    let end = -1;
    for (let k = 0; k < kinds; k++) {
      const value = kindValues[k] ?? 0;
      if ((supplyLeft[k] ?? 0) > 0 && value > (end < 0 ? -Infinity : (kindValues[end] ?? 0))) end = k;
    }
    if (end < 0) return false;
    let amount = supplyLeft[end] ?? 0;
    const taking: number[] = [];
    const releasing: number[] = [];
    let role = 0;
    for (let kind = end; kind >= 0;) {
      const cell = kindPredecessors[kind] ?? 0;
      role = Math.floor(cell / kinds);
      taking.push(cell);
      const released = rolePredecessors[role] ?? -1;
      if (released >= 0) {
        releasing.push(released);
        amount = Math.min(amount, units[released] ?? 0);
      }
      kind = released < 0 ? -1 : released % kinds;
    }
    amount = Math.min(amount, demandLeft[role] ?? 0);
    for (const cell of taking) units[cell] = (units[cell] ?? 0) + amount;
    for (const cell of releasing) units[cell] = (units[cell] ?? 0) - amount;
    demandLeft[role] = (demandLeft[role] ?? 0) - amount;
    supplyLeft[end] = (supplyLeft[end] ?? 0) - amount;
    return true;
  }

  /** False when a demand cannot be met, or at the work limit. */
  meetDemands(workLimit: number): boolean {
    while (this.demandLeft.some((amount) => amount > 0)) {
      if (this.work > workLimit || !this.augment()) return false;
    }
    return true;
  }

  assignment(roles: number): Assignment {
    return Array.from({ length: roles }, (_, r) => [
      ...this.units.subarray(r * this.kinds, (r + 1) * this.kinds),
    ]);
  }
}

/** The assignment of largest gain. */
export const assign = (
  roles: readonly Role[],
  supply: readonly number[],
  workLimit = Infinity,
): Assigned & { readonly gain: number } => {
  const flow = new Flow(roles, supply);
  if (!flow.meetDemands(workLimit)) return { units: null, gain: 0, work: flow.work };
  let gain = 0;
  flow.units.forEach((amount, cell) => {
    if (amount > 0) gain += amount * (flow.gains[cell] ?? 0);
  });
  return { units: flow.assignment(roles.length), gain, work: flow.work };
};

// ── Tie-break ───────────────────────────────────────────────────────────────────────────────────

/** Among optimal assignments, maximises the units of each group and kind in turn. */
class LexicographicOptimizer {
  private readonly flow: Flow;
  private readonly groups: readonly number[];
  /** Final pairs: group × kinds + kind. */
  private readonly fixed = new Set<number>();
  /** Breadth-first tree, by releasing cell: the cell that takes the unit, and the previous releasing cell. */
  private readonly takingCells: Int32Array;
  private readonly predecessors: Int32Array;

  constructor(flow: Flow, groups: readonly number[]) {
    this.flow = flow;
    this.groups = groups;
    this.takingCells = new Int32Array(flow.gains.length);
    this.predecessors = new Int32Array(flow.gains.length);
    // Dual prices: reduced gains are at most 0, and 0 wherever units are assigned.
    flow.roleValues.fill(0);
    flow.computeLongestPaths();
  }

  run(workLimit: number): boolean {
    for (const group of new Set(this.groups))
      for (let kind = 0; kind < this.flow.kinds; kind++) {
        for (const [role, own] of this.groups.entries())
          if (own === group) while (this.flow.work <= workLimit && this.increase(role, kind));
        if (this.flow.work > workLimit) return false;
        this.fixed.add(group * this.flow.kinds + kind);
      }
    return true;
  }

  private isTight(role: number, kind: number): boolean {
    const { gains, kinds, roleValues, kindValues } = this.flow;
    return (roleValues[role] ?? 0) + (gains[role * kinds + kind] ?? 0) === kindValues[kind];
  }

  /** Units move freely within a group; between groups only while neither has its final number. */
  private canMove(from: number, to: number, kind: number): boolean {
    const { groups, fixed, flow } = this;
    const isFixed = (role: number): boolean => fixed.has((groups[role] ?? 0) * flow.kinds + kind);
    return groups[from] === groups[to] || (!isFixed(from) && !isFixed(to));
  }

  /** Moves units of `kind` from another group to `role` along a cycle of zero reduced gain. */
  private increase(role: number, kind: number): boolean {
    const { flow, groups, takingCells, predecessors } = this;
    const { kinds, units } = flow;
    if (!this.isTight(role, kind)) return false;
    predecessors.fill(-2);
    const queue: number[] = [];
    const reach = (taker: number, taken: number, from: number): void => {
      for (let released = 0, cell = taker * kinds; released < kinds; released++, cell++) {
        if (released === taken || predecessors[cell] !== -2 || units[cell] === 0) continue;
        takingCells[cell] = taker * kinds + taken;
        predecessors[cell] = from;
        queue.push(cell);
      }
      flow.work += kinds;
    };
    reach(role, kind, -1);
    for (let at = 0; at < queue.length; at++) {
      const cell = queue[at] ?? 0;
      const releasing = Math.floor(cell / kinds);
      const released = cell % kinds;
      const isOwn = released === kind && groups[releasing] === groups[role];
      if (released === kind && !isOwn && this.canMove(releasing, role, kind)) {
        this.apply(cell);
        return true;
      }
      for (let taker = 0; taker < flow.roles; taker++) {
        // A unit of `kind` that leaves the group on the way cancels the one that is gained.
        if (taker === releasing || (isOwn && groups[taker] !== groups[role])) continue;
        if (this.isTight(taker, released) && this.canMove(releasing, taker, released))
          reach(taker, released, cell);
      }
      flow.work += flow.roles;
    }
    return false;
  }

  private apply(last: number): void {
    const { takingCells, predecessors } = this;
    const { units } = this.flow;
    let amount = Infinity;
    for (let cell = last; cell >= 0; cell = predecessors[cell] ?? -1)
      amount = Math.min(amount, units[cell] ?? 0);
    for (let cell = last; cell >= 0; cell = predecessors[cell] ?? -1) {
      const taking = takingCells[cell] ?? 0;
      units[taking] = (units[taking] ?? 0) + amount;
      units[cell] = (units[cell] ?? 0) - amount;
    }
  }
}

/** As `assign`; of optimal assignments the one that gives the first groups most of the first kinds. */
export const assignInOrder = (
  roles: readonly GroupedRole[],
  supply: readonly number[],
  workLimit = Infinity,
): Assigned => {
  const demand = roles.reduce((sum, role) => sum + role.demand, 0);
  const total = supply.reduce((sum, count) => sum + count, 0);
  if (total < demand) return { units: null, work: 0 };
  // Unassigned units form the last group.
  const last = roles.reduce((most, { group }) => Math.max(most, group), -1) + 1;
  const idle: GroupedRole = { group: last, demand: total - demand, gains: supply.map(() => 0) };
  const allRoles = [...roles, idle];
  const flow = new Flow(allRoles, supply);
  const groups = allRoles.map(({ group }) => group);
  const isDone = flow.meetDemands(workLimit) && new LexicographicOptimizer(flow, groups).run(workLimit);
  return { units: isDone ? flow.assignment(roles.length) : null, work: flow.work };
};
