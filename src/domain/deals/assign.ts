/**
 * Which units play which part, once it is settled how often each offer applies: a transportation problem in whole
 * numbers, solved exactly by augmenting along the best paths.
 */

/** One part that units can play, such as being paid for in a deal. */
export interface Role {
  /** How many units play it, exactly. */
  readonly demand: number;
  /** What each kind brings in it; null = it cannot play it. */
  readonly gains: readonly (number | null)[];
}

/** Units of each kind in each role. */
export type Assignment = readonly (readonly number[])[];

interface Flow {
  readonly roles: readonly Role[];
  readonly units: number[][];
  /** Elementary operations. */
  work: number;
}

/** The best value on a way from the start, for roles and for kinds, and how it got there. */
interface Ways {
  readonly role: number[];
  readonly kind: number[];
  /** The role before each kind, the kind before each role; −1 at a start. */
  readonly roleBefore: number[];
  readonly kindBefore: number[];
}

/** Longest ways: from role to kind by taking a unit more, back from kind to role by giving one up. */
const relax = (flow: Flow, ways: Ways): void => {
  const { roles, units } = flow;
  for (let changed = true; changed;) {
    changed = false;
    roles.forEach(({ gains }, r) => {
      const from = ways.role[r] ?? -Infinity;
      if (from === -Infinity) return;
      gains.forEach((gain, k) => {
        if (gain === null || from + gain <= (ways.kind[k] ?? -Infinity)) return;
        ways.kind[k] = from + gain;
        ways.roleBefore[k] = r;
        changed = true;
      });
    });
    roles.forEach(({ gains }, r) => {
      gains.forEach((gain, k) => {
        if (gain === null || (units[r]?.[k] ?? 0) === 0) return;
        const back = (ways.kind[k] ?? -Infinity) - gain;
        if (back <= (ways.role[r] ?? -Infinity)) return;
        ways.role[r] = back;
        ways.kindBefore[r] = k;
        changed = true;
      });
    });
    flow.work += 2 * roles.length * (roles[0]?.gains.length ?? 0);
  }
};

/** The assignment of most gain that gives every role its demand; null when there is none, or none for so little work. */
export const assign = (
  roles: readonly Role[],
  supply: readonly number[],
  workLimit = Infinity,
): { readonly units: Assignment; readonly gain: number; readonly work: number } | null => {
  const left = [...supply];
  const wanted = roles.map(({ demand }) => demand);
  const flow: Flow = { roles, units: roles.map(() => supply.map(() => 0)), work: 0 };
  while (wanted.some((amount) => amount > 0)) {
    const ways: Ways = {
      role: wanted.map((amount) => (amount > 0 ? 0 : -Infinity)),
      kind: supply.map(() => -Infinity),
      roleBefore: supply.map(() => -1),
      kindBefore: roles.map(() => -1),
    };
    relax(flow, ways);
    if (flow.work > workLimit) return null;
    const end = supply.reduce(
      (best, _, k) =>
        (left[k] ?? 0) > 0 && (ways.kind[k] ?? -Infinity) > (best < 0 ? -Infinity : (ways.kind[best] ?? 0))
          ? k
          : best,
      -1,
    );
    if (end < 0) return null;
    const steps: { readonly role: number; readonly takes: number; readonly gives: number }[] = [];
    let kind = end;
    let amount = left[end] ?? 0;
    for (;;) {
      const role = ways.roleBefore[kind] ?? -1;
      const gives = ways.kindBefore[role] ?? -1;
      steps.push({ role, takes: kind, gives });
      if (gives < 0) {
        amount = Math.min(amount, wanted[role] ?? 0);
        wanted[role] = (wanted[role] ?? 0) - amount;
        break;
      }
      amount = Math.min(amount, flow.units[role]?.[gives] ?? 0);
      kind = gives;
    }
    for (const { role, takes, gives } of steps) {
      const own = flow.units[role];
      if (own === undefined) continue;
      own[takes] = (own[takes] ?? 0) + amount;
      if (gives >= 0) own[gives] = (own[gives] ?? 0) - amount;
    }
    left[end] = (left[end] ?? 0) - amount;
  }
  const gain = roles.reduce(
    (sum, { gains }, r) =>
      sum + gains.reduce<number>((own, each, k) => own + (each ?? 0) * (flow.units[r]?.[k] ?? 0), 0),
    0,
  );
  return { units: flow.units, gain, work: flow.work };
};

/** The gains that bind: what a role and a kind are worth together, at most; equal wherever units are assigned. */
const worthsOf = (flow: Flow): Ways => {
  const ways: Ways = {
    role: flow.roles.map(() => 0),
    kind: (flow.roles[0]?.gains ?? []).map(() => -Infinity),
    roleBefore: (flow.roles[0]?.gains ?? []).map(() => -1),
    kindBefore: flow.roles.map(() => -1),
  };
  relax(flow, ways);
  return ways;
};

/** A role takes over a unit of one kind and gives up one of another. */
interface Move {
  readonly role: number;
  readonly takes: number;
  readonly gives: number;
}

/** A role whose units count with those of other roles in one group, such as the paid and the rewarded of a deal. */
export interface GroupedRole extends Role {
  readonly group: number;
}

interface Settling {
  readonly flow: Flow;
  readonly groups: readonly number[];
  readonly isTight: (role: number, kind: number) => boolean;
  /** Whether a unit of the kind may pass between these roles: within a group always, else while neither is settled. */
  readonly mayPass: (giver: number, taker: number, kind: number) => boolean;
}

/** Moves that give `role` one more unit of `kind` from another group, round to where they began, and cost nothing. */
const freeRound = (settling: Settling, role: number, kind: number): readonly Move[] | null => {
  const { flow, groups, isTight, mayPass } = settling;
  if (!isTight(role, kind)) return null;
  const kinds = flow.roles[role]?.gains.length ?? 0;
  const reached = new Map<number, { readonly move: Move; readonly before: number | null }>();
  const queue: number[] = [];
  const reach = (move: Move, before: number | null): number | null => {
    const state = move.role * kinds + move.gives;
    if (move.gives === move.takes || reached.has(state) || (flow.units[move.role]?.[move.gives] ?? 0) === 0)
      return null;
    flow.work += 1;
    reached.set(state, { move, before });
    queue.push(state);
    return state;
  };
  const roundOf = (last: number): readonly Move[] => {
    const moves: Move[] = [];
    for (let at: number | null = last; at !== null;) {
      const known: { readonly move: Move; readonly before: number | null } | undefined = reached.get(at);
      if (known === undefined) break;
      moves.push(known.move);
      at = known.before;
    }
    return moves;
  };
  for (let given = 0; given < kinds; given++) reach({ role, takes: kind, gives: given }, null);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const giver = reached.get(at)?.move;
    if (giver === undefined) continue;
    const offered = giver.gives;
    if (offered === kind && groups[giver.role] !== groups[role] && mayPass(giver.role, role, kind))
      return roundOf(at);
    // A unit of the kind that leaves the group on the way would be one gained for one lost.
    const isOwn = offered === kind && groups[giver.role] === groups[role];
    for (let taker = 0; taker < flow.roles.length; taker++) {
      if (isOwn && groups[taker] !== groups[role]) continue;
      if (taker === giver.role || !isTight(taker, offered) || !mayPass(giver.role, taker, offered)) continue;
      for (let given = 0; given < kinds; given++) reach({ role: taker, takes: offered, gives: given }, at);
    }
  }
  return null;
};

/** Carries a round of moves out as often as it goes. */
const carryOut = ({ units }: Flow, moves: readonly Move[]): void => {
  const amount = Math.min(...moves.map(({ role, gives }) => units[role]?.[gives] ?? 0));
  for (const { role, takes, gives } of moves) {
    const own = units[role];
    if (own === undefined) continue;
    own[takes] = (own[takes] ?? 0) + amount;
    own[gives] = (own[gives] ?? 0) - amount;
  }
};

/** Of all assignments of most gain the first: each group in turn, as many units as can be of each kind in turn. */
const settle = (flow: Flow, groups: readonly number[]): void => {
  const worths = worthsOf(flow);
  const kinds = flow.roles[0]?.gains.length ?? 0;
  const settled = new Set<number>();
  const isSettled = (role: number, kind: number): boolean => settled.has((groups[role] ?? 0) * kinds + kind);
  const settling: Settling = {
    flow,
    groups,
    isTight: (role, kind) => {
      const gain = flow.roles[role]?.gains[kind] ?? null;
      return gain !== null && (worths.role[role] ?? 0) + gain === (worths.kind[kind] ?? 0);
    },
    mayPass: (giver, taker, kind) =>
      groups[giver] === groups[taker] || (!isSettled(giver, kind) && !isSettled(taker, kind)),
  };
  for (const group of new Set(groups))
    for (let kind = 0; kind < kinds; kind++) {
      groups.forEach((own, role) => {
        if (own !== group) return;
        for (
          let moves = freeRound(settling, role, kind);
          moves !== null;
          moves = freeRound(settling, role, kind)
        )
          carryOut(flow, moves);
      });
      settled.add(group * kinds + kind);
    }
};

/** As `assign`; of equally good assignments the one that gives the first groups most of the first kinds. */
export const assignInOrder = (
  roles: readonly GroupedRole[],
  supply: readonly number[],
): { readonly units: Assignment; readonly work: number } | null => {
  const demanded = roles.reduce((sum, { demand }) => sum + demand, 0);
  const all = supply.reduce((sum, count) => sum + count, 0);
  // What stays out of every deal plays a part, too: the last group's.
  const last = roles.reduce((most, { group }) => Math.max(most, group), -1) + 1;
  const idle: GroupedRole = { group: last, demand: all - demanded, gains: supply.map(() => 0) };
  const everybody = [...roles, idle];
  const assigned = all < demanded ? null : assign(everybody, supply);
  if (assigned === null) return null;
  const flow: Flow = {
    roles: everybody,
    units: assigned.units.map((own) => [...own]),
    work: assigned.work,
  };
  settle(
    flow,
    everybody.map(({ group }) => group),
  );
  return { units: flow.units.slice(0, roles.length), work: flow.work };
};
