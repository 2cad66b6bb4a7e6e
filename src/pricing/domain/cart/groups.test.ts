import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aGroup, anItem } from '../../../menu/domain/menu.test-support.ts';
import type { ModifierGroup } from '../../../menu/domain/menubook.ts';
import { CartFaults } from './faults.ts';
import { checkGroups } from './groups.ts';

type Choices = Readonly<Record<string, number>>;

const refused = (groups: readonly ModifierGroup[], choices: Choices) => {
  const faults = new CartFaults();
  const options = Object.entries(choices).map(([addonId, quantity]) => ({ addonId, quantity }));
  checkGroups(anItem('آيس كريم', { groups }), options, 'items[0].addons', faults);
  return faults.all.map(({ refusal, figures }) => [
    refusal,
    figures['group_id'],
    figures['min'] ?? figures['max'],
    figures['got'],
  ]);
};

const skippable = { isRequired: false, minSelections: 0 } as const;
const multi = { selectionType: 'multi', maxSelections: null } as const;

describe('the number of choices of a group, with quantities', () => {
  test.each<[string, Partial<ModifierGroup>, Choices, unknown[]]>([
    ['required, one chosen', {}, { a: 1 }, []],
    ['required, none chosen', {}, {}, [['MODIFIER_TOO_FEW', 'g', 1, 0]]],
    [
      'required with minimum 0: one at least all the same',
      { minSelections: 0 },
      {},
      [['MODIFIER_TOO_FEW', 'g', 1, 0]],
    ],
    ['not required, none chosen', skippable, {}, []],
    ['not required, skipped despite its minimum', { ...multi, isRequired: false, minSelections: 2 }, {}, []],
    [
      'not required, begun: its minimum holds',
      { ...multi, isRequired: false, minSelections: 2 },
      { a: 1 },
      [['MODIFIER_TOO_FEW', 'g', 2, 1]],
    ],
    ['single, two chosen', {}, { a: 1, b: 1 }, [['MODIFIER_TOO_MANY', 'g', 1, 2]]],
    ['single, one chosen twice', {}, { a: 2 }, [['MODIFIER_TOO_MANY', 'g', 1, 2]]],
    [
      'single without a maximum is one all the same',
      { maxSelections: null },
      { a: 1, b: 1 },
      [['MODIFIER_TOO_MANY', 'g', 1, 2]],
    ],
    ['multi, at its minimum by quantity', { ...multi, minSelections: 3 }, { a: 2, b: 1 }, []],
    ['multi, one below', { ...multi, minSelections: 3 }, { a: 1, b: 1 }, [['MODIFIER_TOO_FEW', 'g', 3, 2]]],
    ['multi, at its maximum', { selectionType: 'multi', maxSelections: 3 }, { a: 2, b: 1 }, []],
    [
      'multi, one above',
      { selectionType: 'multi', maxSelections: 3 },
      { a: 2, b: 2 },
      [['MODIFIER_TOO_MANY', 'g', 3, 4]],
    ],
    ['multi without a maximum', multi, { a: 99, b: 99 }, []],
  ])('%s', (_, group, choices, faults) =>
    expect(refused([aGroup('g', ['a', 'b', 'c'], group)], choices)).toEqual(faults),
  );

  test('each group is checked by itself, in the order of the item', () => {
    const groups = [
      aGroup('milk', ['a']),
      aGroup('syrup', ['b'], { ...multi, minSelections: 2 }),
      aGroup('cup', ['c']),
    ];
    expect(refused(groups, { b: 1, c: 2 })).toEqual([
      ['MODIFIER_TOO_FEW', 'milk', 1, 0],
      ['MODIFIER_TOO_FEW', 'syrup', 2, 1],
      ['MODIFIER_TOO_MANY', 'cup', 1, 2],
    ]);
  });
});

describe('an option of several groups counts once, in the group that needs it', () => {
  const scoops = [aGroup('first', ['vanilla', 'mango']), aGroup('second', ['mango', 'vanilla'])];

  test.each<[string, readonly ModifierGroup[], Choices, unknown[]]>([
    ['two scoops of two flavours', scoops, { vanilla: 1, mango: 1 }, []],
    ['two scoops of one', scoops, { mango: 2 }, []],
    ['one scoop: the second is missing', scoops, { mango: 1 }, [['MODIFIER_TOO_FEW', 'second', 1, 0]]],
    ['three scoops', scoops, { mango: 3 }, [['MODIFIER_TOO_MANY', 'first', 1, 2]]],
    ['making way for another', [aGroup('any', ['a', 'b']), aGroup('only', ['a'])], { a: 1, b: 1 }, []],
    [
      'making way twice',
      [aGroup('x', ['a', 'b']), aGroup('y', ['b', 'c']), aGroup('z', ['c', 'a'], skippable)],
      { c: 1, b: 1, a: 1 },
      [],
    ],
    [
      'what is needed before what there is room for',
      [aGroup('more', ['a', 'b'], { ...multi, ...skippable }), aGroup('one', ['a'])],
      { a: 1 },
      [],
    ],
  ])('%s', (_, groups, choices, faults) => expect(refused(groups, choices)).toEqual(faults));
});

// ── Brute force ─────────────────────────────────────────────────────────────────────────────────

const ADDONS = ['a', 'b', 'c', 'd'];

const group: fc.Arbitrary<Omit<ModifierGroup, 'id' | 'name' | 'nameTranslations'>> = fc
  .record({
    selectionType: fc.constantFrom('single', 'multi'),
    minSelections: fc.nat(2),
    span: fc.option(fc.nat(2)),
    isRequired: fc.boolean(),
    addonIds: fc.subarray(ADDONS, { minLength: 1 }),
  })
  .map(({ span, ...one }) => ({
    ...one,
    addonType: null,
    maxSelections: span === null ? null : Math.max(1, one.minSelections + span),
  }));

/** Whether some assignment of every unit to one group that offers it satisfies all groups. */
const hasAssignment = (groups: readonly ModifierGroup[], choices: Choices): boolean => {
  const offering = (id: string) => groups.flatMap((g, index) => (g.addonIds.includes(id) ? [index] : []));
  const units = Object.entries(choices).flatMap(([id, quantity]) =>
    Array.from({ length: quantity }, () => id),
  );
  const isBegun = (g: ModifierGroup) =>
    units.some((id) => g.addonIds.includes(id) && offering(id).length === 1);
  const suits = (counts: readonly number[]) =>
    groups.every((g, index) => {
      const count = counts[index] ?? 0;
      const least = g.isRequired ? Math.max(1, g.minSelections) : isBegun(g) ? g.minSelections : 0;
      return count >= least && count <= (g.selectionType === 'single' ? 1 : (g.maxSelections ?? Infinity));
    });
  const tryFrom = (place: number, counts: readonly number[]): boolean => {
    const id = units[place];
    if (id === undefined) return suits(counts);
    return offering(id).some((index) => tryFrom(place + 1, counts.with(index, (counts[index] ?? 0) + 1)));
  };
  return tryFrom(
    0,
    groups.map(() => 0),
  );
};

test('a choice is accepted exactly when some assignment to groups satisfies every group', () => {
  const cases = fc.tuple(
    fc.array(group, { minLength: 1, maxLength: 3 }),
    fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
  );
  fc.assert(
    fc.property(cases, ([drafts, quantities]) => {
      const groups = drafts.map(({ addonIds, ...draft }, index) => aGroup(`g${index}`, addonIds, draft));
      const offered = ADDONS.filter((id) => groups.some((g) => g.addonIds.includes(id)));
      const chosen = offered.map((id, index): [string, number] => [id, quantities[index] ?? 0]);
      const choices = Object.fromEntries(chosen.filter(([, quantity]) => quantity > 0));
      expect(refused(groups, choices).length === 0).toBe(hasAssignment(groups, choices));
      const backwards = Object.fromEntries(Object.entries(choices).toReversed());
      expect(refused(groups, backwards).length === 0).toBe(refused(groups, choices).length === 0);
    }),
    { numRuns: 2000 },
  );
});
