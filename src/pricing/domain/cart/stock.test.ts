import { describe, expect, test } from 'vitest';
import type { CartLine } from '../cart.ts';
import { aLine, aMeal, aPick, aPriceBook, cartOf, faultsOf, withAddons } from '../cart.test-support.ts';
import { aChoice, aCombo, anAddon, anItem, aSlot } from '../../../menu/domain/menu.test-support.ts';

const latte = anItem('لاتيه');
const water = anItem('ماء');
const shot = anAddon('جرعة');

describe('counted stock is checked over all lines, and refused at the line where it runs out', () => {
  const tray = aCombo('صينية', [aSlot('drink', [aChoice(water.id)], { min: 2, max: 2 })]);
  const pair = aCombo('ثنائي', [aSlot('drink', [aChoice(water.id)])]);
  const counting = aPriceBook({ items: [latte, water, tray, pair], addons: [shot] });
  const faultPaths = (lines: readonly CartLine[], stock: Readonly<Record<string, number>>) =>
    faultsOf(cartOf(counting, lines, stock)).map(({ path, refusal, figures }) => [
      path,
      refusal,
      figures['available'],
    ]);
  const meal = (quantity: number) =>
    aMeal(tray.id, [aPick('drink', water.id, { quantity: 2 })], { quantity });

  test.each<[string, CartLine[], Record<string, number>, unknown[]]>([
    ['enough to the last unit', [aLine(water.id, { quantity: 3 })], { [water.id]: 3 }, []],
    [
      'one too few',
      [aLine(water.id, { quantity: 4 })],
      { [water.id]: 3 },
      [['items[0].quantity', 'ITEM_UNAVAILABLE', 3]],
    ],
    ['what is not counted never runs out', [aLine(latte.id, { quantity: 999 })], { [water.id]: 0 }, []],
    [
      'all lines together: those from where it runs out',
      [aLine(water.id, { quantity: 2 }), aLine(latte.id), aLine(water.id, { quantity: 2 }), aLine(water.id)],
      { [water.id]: 3 },
      [
        ['items[2].quantity', 'ITEM_UNAVAILABLE', 3],
        ['items[3].quantity', 'ITEM_UNAVAILABLE', 3],
      ],
    ],
    ['parts of combos, for the whole line', [meal(2)], { [water.id]: 4 }, []],
    [
      'parts and lines together',
      [aLine(water.id), meal(2)],
      { [water.id]: 4 },
      [['items[1].combo.picks[0].quantity', 'ITEM_UNAVAILABLE', 4]],
    ],
    [
      'add-ons, for every unit of the line',
      [aLine(latte.id, { quantity: 2, ...withAddons({ [shot.id]: 2 }) })],
      { [shot.id]: 4 },
      [],
    ],
    [
      'add-ons that run out',
      [aLine(latte.id, { quantity: 2, ...withAddons({ [shot.id]: 3 }) })],
      { [shot.id]: 5 },
      [['items[0].addons[0].quantity', 'ADDON_UNAVAILABLE', 5]],
    ],
    [
      'add-ons of which there is none',
      [aLine(latte.id, withAddons({ [shot.id]: 1 }))],
      { [shot.id]: 0 },
      [['items[0].addons[0].quantity', 'ADDON_UNAVAILABLE', 0]],
    ],
    [
      'what says no quantity: at its entry',
      [
        aLine(latte.id, {
          quantity: 2,
          addons: [{ addonItemId: shot.id, quantity: 1, leavesQuantityOut: true }],
        }),
        aMeal(pair.id, [aPick('drink', water.id, { leavesQuantityOut: true })], { quantity: 2 }),
      ],
      { [shot.id]: 1, [water.id]: 1 },
      [
        ['items[0].addons[0]', 'ADDON_UNAVAILABLE', 1],
        ['items[1].combo.picks[0]', 'ITEM_UNAVAILABLE', 1],
      ],
    ],
    [
      'combos that are counted themselves',
      [meal(2), meal(1)],
      { [tray.id]: 2 },
      [['items[1].quantity', 'COMBO_UNAVAILABLE', 2]],
    ],
  ])('%s', (_, lines, stock, refused) => expect(faultPaths(lines, stock)).toEqual(refused));
});
