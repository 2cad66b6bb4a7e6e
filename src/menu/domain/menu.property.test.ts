import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backAt } from './availability.ts';
import { menuValidUntil, onSale, soldOutAt, type OnSaleMenu } from './menu.ts';
import { book, HOUR, now, oneThingMoves, point, windows } from './menu-arbitraries.test-support.ts';
import { factsOf, oracleFacts } from './menu-oracle.test-support.ts';
import { aBook, anItem, availability, NOON } from './menu.test-support.ts';

const RUNS = { numRuns: 1000 };

type Kind = 'addon' | 'item' | 'combo' | 'category';

const idsIn = (menu: OnSaleMenu): Readonly<Record<Kind, ReadonlySet<string>>> => {
  const entries = (kind: string) => menu.entries.filter((entry) => entry.kind === kind);
  return {
    addon: new Set(menu.addons.map((shown) => shown.addon.id)),
    item: new Set(entries('item').map((entry) => entry.item.id)),
    combo: new Set(entries('combo').map((entry) => entry.item.id)),
    category: new Set(menu.categories.map((category) => category.id)),
  };
};

/** References of a menu, without allowlists and unavailable choices. */
const namesIn = (menu: OnSaleMenu, addons: ReadonlySet<string>): readonly (readonly [Kind, string])[] => {
  const names: [Kind, string][] = [];
  const add = (kind: Kind, ...ids: readonly (string | null)[]): void => {
    for (const name of ids) if (name !== null) names.push([kind, name]);
  };
  for (const entry of menu.entries) {
    add('category', entry.categoryId);
    if (entry.kind === 'combo') {
      for (const { defaultItemId, choices } of entry.slots)
        add('item', defaultItemId, ...choices.filter((c) => c.available).map((c) => c.item.id));
      continue;
    }
    add('addon', entry.defaults.milk_type, entry.defaults.coffee_type, ...(entry.addonCharges?.keys() ?? []));
    for (const { options } of entry.groups) add('addon', ...options.map((option) => option.addon.id));
    add('combo', entry.meal?.comboId ?? null);
    const allowed = entry.allowedAddonIds ?? [];
    if (allowed.some((name) => addons.has(name))) add('addon', ...allowed);
  }
  for (const entry of menu.deals.flatMap((d) => [...d.pool, ...d.rewardPool])) {
    add('category', entry.categoryId);
    add('item', entry.menuItemId);
  }
  return names;
};

describe('for any menu', () => {
  test('the engine and the oracle agree on every fact', () => {
    fc.assert(
      fc.property(book, point, now, (b, p, t) => {
        const expected = oracleFacts(b, p, t);
        expect([...factsOf(onSale(b, p, t))].sort()).toEqual([...expected].sort());
      }),
      RUNS,
    );
  });

  test('every id that the menu names is on the menu', () => {
    fc.assert(
      fc.property(book, point, now, (b, p, t) => {
        const menu = onSale(b, p, t);
        const shown = idsIn(menu);
        for (const [kind, name] of namesIn(menu, shown.addon)) expect(shown[kind]).toContain(name);
      }),
      RUNS,
    );
  });

  test('what is sold out is back when its own time ends, exactly if the whole menu has it then', () => {
    fc.assert(
      fc.property(fc.oneof(book, oneThingMoves), point, now, (b, p, t) => {
        for (const entry of soldOutAt(b, onSale(b, p, t), p, t).entries) {
          const { id } = entry.item;
          const end = backAt(b.items.find((item) => item.id === id)?.availability ?? [], p, t);
          const isBack = end !== null && onSale(b, p, end).entries.some(({ item }) => item.id === id);
          expect(entry.backAt).toBe(isBack ? end : null);
        }
      }),
      RUNS,
    );
  });

  test('the menu does not change before its valid-until time', () => {
    fc.assert(
      fc.property(
        fc.oneof(book, oneThingMoves),
        point,
        now,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
        (b, p, t, parts) => {
          const until = menuValidUntil(b, p, t);
          const end = until ?? t + 1000 * HOUR;
          expect(end).toBeGreaterThan(t);
          const before = onSale(b, p, t);
          for (const part of parts) {
            const between = Math.min(t + Math.floor((end - t) * part), end - 1);
            expect(onSale(b, p, between)).toEqual(before);
          }
          expect(onSale(b, p, end - 1)).toEqual(before);
        },
      ),
      RUNS,
    );
  });

  test('the menu changes exactly at its valid-until time if one item depends on the clock', () => {
    const clocked = fc.tuple(windows, fc.option(fc.constantFrom(NOON + HOUR, NOON + 30 * HOUR)));
    fc.assert(
      fc.property(clocked, point, now, ([w, soldOutUntil], p, t) => {
        const alone = anItem('i', {
          availability: [availability({ soldOutUntil })],
          windows: soldOutUntil === null ? w : [],
        });
        const b = aBook({ items: [alone] });
        const until = menuValidUntil(b, p, t);
        if (until !== null) expect(onSale(b, p, until)).not.toEqual(onSale(b, p, t));
      }),
      RUNS,
    );
  });

  test('the engine does not modify the menu book', () => {
    fc.assert(
      fc.property(book, point, now, (b, p, t) => {
        const before = structuredClone(b);
        onSale(b, p, t);
        menuValidUntil(b, p, t);
        expect(b).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});
