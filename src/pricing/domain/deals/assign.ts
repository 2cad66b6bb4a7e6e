/**
 * Which units play which part, once it is settled how often each offer applies: a transportation problem in whole
 * numbers, solved exactly by augmenting along the best paths.
 */
import { Pace } from '../../../kernel/pace.ts';

/** One part that units can play, such as being paid for in a deal. */
export interface Role {
  /** How many units play it, exactly. */
  readonly demand: number;
  /** What each kind brings in it; null = it cannot play it. */
  readonly gains: readonly (number | null)[];
}

/** A role whose units count with those of other roles in one group, such as the paid and the rewarded of a deal. */
export interface GroupedRole extends Role {
  readonly group: number;
}

/** Units of each kind in each role. */
export type Assignment = readonly (readonly number[])[];

export interface Assigned {
  /** Null when no assignment gives every role its demand, or none was found for so little work. */
  readonly units: Assignment | null;
  /** Elementary operations. */
  readonly work: number;
}

/** A cell is a role and a kind: role × kinds + kind. */
class Flow {
  readonly roles: number;
  readonly kinds: number;
  /** By cell; −Infinity where the kind cannot play the role. */
  readonly gains: Float64Array;
  /** By cell. */
  readonly units: Float64Array;
  readonly left: Float64Array;
  readonly wanted: Float64Array;
  /** The best value on a way from the start, for roles and for kinds, and the cell by which it got there; −1 at a start. */
  readonly roleValues: Float64Array;
  readonly kindValues: Float64Array;
  readonly roleBefore: Int32Array;
  readonly kindBefore: Int32Array;
  work = 0;
  private readonly pace = new Pace();

  constructor(roles: readonly Role[], supply: readonly number[]) {
    this.roles = roles.length;
    this.kinds = supply.length;
    this.gains = new Float64Array(this.roles * this.kinds);
    this.units = new Float64Array(this.roles * this.kinds);
    this.left = Float64Array.from(supply);
    this.wanted = Float64Array.from(roles, ({ demand }) => demand);
    roles.forEach(({ gains }, r) => {
      gains.forEach((gain, k) => {
        this.gains[r * this.kinds + k] = gain ?? -Infinity;
      });
    });
    this.roleValues = new Float64Array(this.roles);
    this.kindValues = new Float64Array(this.kinds);
    this.roleBefore = new Int32Array(this.roles);
    this.kindBefore = new Int32Array(this.kinds);
    this.work += this.roles * this.kinds;
  }

  /** Longest ways: from role to kind by taking a unit more, back from kind to role by giving one up. */
  relax(): void {
    const { roles, kinds, gains, units, roleValues, kindValues, roleBefore, kindBefore } = this;
    kindValues.fill(-Infinity);
    roleBefore.fill(-1);
    kindBefore.fill(-1);
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
            kindBefore[k] = cell;
            changed = true;
          }
      }
      for (let r = 0, cell = 0; r < roles; r++)
        for (let k = 0; k < kinds; k++, cell++) {
          if (units[cell] === 0) continue;
          const back = (kindValues[k] ?? 0) - (gains[cell] ?? 0);
          if (back <= (roleValues[r] ?? 0)) continue;
          roleValues[r] = back;
          roleBefore[r] = cell;
          changed = true;
        }
      this.work += roles * kinds;
    }
  }

  /** Gives the roles that want more a unit or several along the best way; false when there is none. */
  augment(): boolean {
    const { kinds, units, left, wanted, roleValues, kindValues, roleBefore, kindBefore } = this;
    for (let r = 0; r < this.roles; r++) roleValues[r] = (wanted[r] ?? 0) > 0 ? 0 : -Infinity;
    this.relax();
    let end = -1;
    for (let k = 0; k < kinds; k++) {
      const value = kindValues[k] ?? 0;
      if ((left[k] ?? 0) > 0 && value > (end < 0 ? -Infinity : (kindValues[end] ?? 0))) end = k;
    }
    if (end < 0) return false;
    let amount = left[end] ?? 0;
    const taken: number[] = [];
    const given: number[] = [];
    let role = 0;
    for (let kind = end; kind >= 0;) {
      const takes = kindBefore[kind] ?? 0;
      role = Math.floor(takes / kinds);
      taken.push(takes);
      const gives = roleBefore[role] ?? -1;
      if (gives >= 0) {
        given.push(gives);
        amount = Math.min(amount, units[gives] ?? 0);
      }
      kind = gives < 0 ? -1 : gives % kinds;
    }
    amount = Math.min(amount, wanted[role] ?? 0);
    for (const cell of taken) units[cell] = (units[cell] ?? 0) + amount;
    for (const cell of given) units[cell] = (units[cell] ?? 0) - amount;
    wanted[role] = (wanted[role] ?? 0) - amount;
    left[end] = (left[end] ?? 0) - amount;
    return true;
  }

  /** Gives every role its demand; false when that cannot be done, or not for so little work. Pauses now and then. */
  *fill(workLimit: number): Generator<void, boolean> {
    while (this.wanted.some((amount) => amount > 0)) {
      if (this.work > workLimit || !this.augment()) return false;
      if (this.isDue()) yield;
    }
    return true;
  }

  /** Whether others should have their turn now. */
  isDue(): boolean {
    return this.pace.isDueAt(this.work);
  }

  assignment(roles: number): Assignment {
    return Array.from({ length: roles }, (_, r) => [
      ...this.units.subarray(r * this.kinds, (r + 1) * this.kinds),
    ]);
  }
}

/** The assignment of most gain that gives every role its demand. */
export function* assign(
  roles: readonly Role[],
  supply: readonly number[],
  workLimit = Infinity,
): Generator<void, Assigned & { readonly gain: number }> {
  const flow = new Flow(roles, supply);
  if (!(yield* flow.fill(workLimit))) return { units: null, gain: 0, work: flow.work };
  let gain = 0;
  flow.units.forEach((amount, cell) => {
    if (amount > 0) gain += amount * (flow.gains[cell] ?? 0);
  });
  return { units: flow.assignment(roles.length), gain, work: flow.work };
}

// ── The first of all that are as good ───────────────────────────────────────────────────────────

/** Settles, kind by kind and group by group, how many units of it each group has. */
class Settling {
  private readonly flow: Flow;
  private readonly groups: readonly number[];
  /** By group and kind. */
  private readonly settled = new Set<number>();
  /** By cell, for a unit that its role gives up: the cell that takes one instead, and what gave before it. */
  private readonly takes: Int32Array;
  private readonly before: Int32Array;

  constructor(flow: Flow, groups: readonly number[]) {
    this.flow = flow;
    this.groups = groups;
    this.takes = new Int32Array(flow.gains.length);
    this.before = new Int32Array(flow.gains.length);
    // What a role and a kind are worth together, at most; equal to the gain wherever units are assigned.
    flow.roleValues.fill(0);
    flow.relax();
  }

  /** Each group in turn has as many units as can be of each kind in turn; false where that is too much work. */
  *run(workLimit: number): Generator<void, boolean> {
    for (const group of new Set(this.groups))
      for (let kind = 0; kind < this.flow.kinds; kind++) {
        for (const [role, own] of this.groups.entries())
          if (own === group) while (this.flow.work <= workLimit && this.raise(role, kind));
        if (this.flow.work > workLimit) return false;
        if (this.flow.isDue()) yield;
        this.settled.add(group * this.flow.kinds + kind);
      }
    return true;
  }

  private isTight(role: number, kind: number): boolean {
    const { gains, kinds, roleValues, kindValues } = this.flow;
    return (roleValues[role] ?? 0) + (gains[role * kinds + kind] ?? 0) === kindValues[kind];
  }

  /** Whether a unit of the kind may pass between these roles: within a group always, else while neither is settled. */
  private mayPass(giver: number, taker: number, kind: number): boolean {
    const { groups, settled, flow } = this;
    const isSettled = (role: number): boolean => settled.has((groups[role] ?? 0) * flow.kinds + kind);
    return groups[giver] === groups[taker] || (!isSettled(giver) && !isSettled(taker));
  }

  /** Gives `role` more units of `kind` from another group, by moves that come round and cost nothing; false when none do. */
  private raise(role: number, kind: number): boolean {
    const { flow, groups, takes, before } = this;
    const { kinds, units } = flow;
    if (!this.isTight(role, kind)) return false;
    before.fill(-2);
    const queue: number[] = [];
    const reach = (taker: number, taken: number, from: number): void => {
      for (let given = 0, cell = taker * kinds; given < kinds; given++, cell++) {
        if (given === taken || before[cell] !== -2 || units[cell] === 0) continue;
        takes[cell] = taker * kinds + taken;
        before[cell] = from;
        queue.push(cell);
      }
      flow.work += kinds;
    };
    reach(role, kind, -1);
    // The queue grows while it is walked through.
    for (let at = 0; at < queue.length; at++) {
      const cell = queue[at] ?? 0;
      const giver = Math.floor(cell / kinds);
      const offered = cell % kinds;
      const isOwn = offered === kind && groups[giver] === groups[role];
      if (offered === kind && !isOwn && this.mayPass(giver, role, kind)) {
        this.carryOut(cell);
        return true;
      }
      for (let taker = 0; taker < flow.roles; taker++) {
        // A unit of the kind that leaves the group on the way would be one gained for one lost.
        if (taker === giver || (isOwn && groups[taker] !== groups[role])) continue;
        if (this.isTight(taker, offered) && this.mayPass(giver, taker, offered)) reach(taker, offered, cell);
      }
      flow.work += flow.roles;
    }
    return false;
  }

  /** Carries a round of moves out, from its last one back, as often as it goes. */
  private carryOut(last: number): void {
    const { takes, before } = this;
    const { units } = this.flow;
    let amount = Infinity;
    for (let cell = last; cell >= 0; cell = before[cell] ?? -1) amount = Math.min(amount, units[cell] ?? 0);
    for (let cell = last; cell >= 0; cell = before[cell] ?? -1) {
      const taking = takes[cell] ?? 0;
      units[taking] = (units[taking] ?? 0) + amount;
      units[cell] = (units[cell] ?? 0) - amount;
    }
  }
}

/** As `assign`; of equally good assignments the one that gives the first groups most of the first kinds. */
export function* assignInOrder(
  roles: readonly GroupedRole[],
  supply: readonly number[],
  workLimit = Infinity,
): Generator<void, Assigned> {
  const demanded = roles.reduce((sum, { demand }) => sum + demand, 0);
  const all = supply.reduce((sum, count) => sum + count, 0);
  if (all < demanded) return { units: null, work: 0 };
  // What stays out of every deal plays a part, too: the last group's.
  const last = roles.reduce((most, { group }) => Math.max(most, group), -1) + 1;
  const idle: GroupedRole = { group: last, demand: all - demanded, gains: supply.map(() => 0) };
  const everybody = [...roles, idle];
  const flow = new Flow(everybody, supply);
  const groups = everybody.map(({ group }) => group);
  const isDone = (yield* flow.fill(workLimit)) && (yield* new Settling(flow, groups).run(workLimit));
  return { units: isDone ? flow.assignment(roles.length) : null, work: flow.work };
}
