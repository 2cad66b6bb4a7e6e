import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CartLine, ComboPick, PricedLine } from './cart.ts';
import { aLine, aMeal, aPick, aPriceBook, cartOf, faultsOf, linesOf } from './cart.test-support.ts';
import type { MenuEntry } from '../../menu/domain/menu.ts';
import type { MenuBook } from '../../menu/domain/menubook.ts';
import { book, now, point } from '../../menu/domain/menu-arbitraries.test-support.ts';
import {
  aChoice,
  aCombo,
  anAddon,
  anItem,
  aSlot,
  inSizes,
  price,
} from '../../menu/domain/menu.test-support.ts';
import { priceBookOf } from './pricebook.ts';

const RUNS = { numRuns: 500 };
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

// ── Random carts from a random menu, most of them with faults ───────────────────────────────────

const id = (...ids: readonly string[]) => fc.constantFrom(...ids);
const quantity = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 999 }));
const chosen = {
  quantity,
  sizeLabel: fc.oneof(fc.constant(null), id('', 'صغير', 'كبير')),
  notes: fc.constant(null),
  optionalFieldIds: fc.array(id('o', 'x'), { maxLength: 2 }),
  addons: fc.array(
    fc.record({ addonItemId: id('a0', 'a1', 'a2', 'a3', 'x'), quantity: fc.integer({ min: 1, max: 99 }) }),
    { maxLength: 3 },
  ),
};
const pick: fc.Arbitrary<ComboPick> = fc.record({
  ...chosen,
  slotId: id('c0-0', 'c0-1', 'c1-0', 'c1-1', 'x'),
  menuItemId: id('i0', 'i1', 'i2', 'i3', 'c1', 'x'),
});
const line: fc.Arbitrary<CartLine> = fc.record({
  ...chosen,
  menuItemId: id('i0', 'i1', 'i2', 'i3', 'c0', 'c1', 'x'),
  combo: fc.option(fc.record({ picks: fc.array(pick, { maxLength: 3 }) })),
});
const anyCart = fc.array(line, { maxLength: 8 });
const anyStock = fc.dictionary(id('i0', 'i1', 'c0', 'a0'), fc.nat(5));

describe('for any cart on any menu', () => {
  test('every line has a price, or faults are ordered by line, and the cart is not modified', () => {
    fc.assert(
      fc.property(book, point, now, anyCart, anyStock, (b, p, t, lines, stock) => {
        const before = structuredClone(lines);
        const cart = cartOf(priceBookOf(b, p, t), lines, stock);
        expect(lines).toEqual(before);
        if ('lines' in cart) {
          expect(cart.lines.map(({ index, quantity: units }) => [index, units])).toEqual(
            lines.map(({ quantity: units }, index) => [index, units]),
          );
          return;
        }
        const places = cart.faults.map(({ path }) => Number(/^items\[(\d+)\]\./.exec(path)?.[1]));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.length).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  test('a size may be named in any of its languages, in any case and spacing', () => {
    const translations = new Map([
      ['صغير', { en: 'Small', fr: 'Petit  Café' }],
      ['كبير', { en: 'Large', fr: 'Grand' }],
    ]);
    const named = (nth: number, label: string | null): string | null => {
      const others = translations.get(label ?? '');
      if (label === null || others === undefined) return label;
      const { en, fr } = others;
      const oddly = fr.normalize('NFD').replaceAll(' ', '   ');
      return [label, ` ${label}  `, en, fr, ` ${en.toUpperCase()} `, oddly][nth] ?? label;
    };
    const withTranslations = (b: MenuBook): MenuBook => ({
      ...b,
      items: b.items.map((item) =>
        item.kind === 'combo'
          ? item
          : {
              ...item,
              sizes: item.sizes.map(({ label }) => ({
                label,
                labelTranslations: translations.get(label) ?? {},
              })),
            },
      ),
    });
    const renamed = (lines: readonly CartLine[], nth: number): readonly CartLine[] =>
      lines.map((each) => ({
        ...each,
        sizeLabel: named(nth, each.sizeLabel),
        combo: each.combo && {
          picks: each.combo.picks.map((one) => ({ ...one, sizeLabel: named(nth, one.sizeLabel) })),
        },
      }));
    fc.assert(
      fc.property(book, point, now, anyCart, fc.nat(5), (b, p, t, lines, nth) => {
        const on = priceBookOf(withTranslations(b), p, t);
        expect(cartOf(on, renamed(lines, nth))).toEqual(cartOf(on, lines));
      }),
      RUNS,
    );
  });

  test('the price and the faults of a line do not depend on other lines', () => {
    const wrong = (lines: readonly CartLine[], on: Parameters<typeof cartOf>[0]) =>
      faultsOf(cartOf(on, lines)).map(({ path, refusal }) => [path.replace(/^items\[\d+\]/, ''), refusal]);
    fc.assert(
      fc.property(book, point, now, line, line, (b, p, t, one, other) => {
        const on = priceBookOf(b, p, t);
        const alone = [...wrong([one], on), ...wrong([other], on)];
        expect(wrong([one, other], on)).toEqual(alone.slice(0, 20));
        if (alone.length > 0) return;
        const totals = (lines: readonly CartLine[]) =>
          linesOf(cartOf(on, lines)).map((each) => each.lineTotal);
        expect(totals([one, other])).toEqual([...totals([one]), ...totals([other])]);
      }),
      RUNS,
    );
  });
});

// ── The menu and the cart agree ─────────────────────────────────────────────────────────────────

type Entry<Kind> = Extract<MenuEntry, { readonly kind: Kind }>;

const requiresChoice = (entry: Entry<'item'>): boolean => entry.groups.some(({ group }) => group.isRequired);

describe('the menu and the cart agree on the price of', () => {
  test('items, their sizes, and each add-on with its charge', () => {
    fc.assert(
      fc.property(book, point, now, (b, p, t) => {
        const on = priceBookOf(b, p, t);
        const total = (each: CartLine) => linesOf(cartOf(on, [each]))[0]?.lineTotal;
        for (const entry of on.menu.entries) {
          if (entry.kind !== 'item' || requiresChoice(entry)) continue;
          expect(total(aLine(entry.item.id))).toBe(entry.price);
          for (const { label, price: amount } of entry.sizes)
            expect(total(aLine(entry.item.id, { sizeLabel: label }))).toBe(amount);
          for (const [addonItemId, charge] of entry.addonCharges ?? [])
            if (on.shelf.onSale.get(addonItemId)?.isAvailable === true)
              expect(total(aLine(entry.item.id, { addons: [{ addonItemId, quantity: 1 }] }))).toBe(
                entry.price + charge,
              );
        }
      }),
      RUNS,
    );
  });

  test('an item with one required group, for any option that reaches the minimum', () => {
    fc.assert(
      fc.property(book, point, now, (b, p, t) => {
        const on = priceBookOf(b, p, t);
        for (const entry of on.menu.entries) {
          if (entry.kind !== 'item' || !requiresChoice(entry) || entry.groups.length > 1) continue;
          const { group, options } = entry.groups[0] ?? { group: null, options: [] };
          const option = options.find(({ isAvailable, addon }) => isAvailable && addon.type === 'extra');
          if (group === null || option === undefined) continue;
          const units = group.selectionType === 'single' ? 1 : Math.max(1, group.minSelections);
          if (units < group.minSelections) continue;
          const requested = aLine(entry.item.id, {
            addons: [{ addonItemId: option.addon.id, quantity: units }],
          });
          expect(linesOf(cartOf(on, [requested]))[0]?.lineTotal).toBe(entry.price + units * option.charge);
        }
      }),
      RUNS,
    );
  });

  test('combos of available choices, with their surcharges and size extras', () => {
    fc.assert(
      fc.property(book, point, now, fc.nat(1), fc.nat(1), (b, p, t, nthChoice, nthSize) => {
        const on = priceBookOf(b, p, t);
        for (const combo of on.menu.entries) {
          if (combo.kind !== 'combo') continue;
          const picked = combo.slots.flatMap(({ slot, choices }) => {
            const open = choices.filter(({ available }) => available);
            const choice = open[nthChoice] ?? open[0];
            return choice === undefined ? [] : [{ slot, choice, size: choice.sizes[nthSize] ?? null }];
          });
          const needsMore = picked.some(({ choice }) => {
            const entry = on.entries.get(choice.item.id);
            return entry?.kind === 'item' && requiresChoice(entry);
          });
          if (needsMore || picked.length === 0) continue;
          const picks = picked.map(({ slot, choice, size }) =>
            aPick(slot.id, choice.item.id, { quantity: slot.max, sizeLabel: size?.label ?? null }),
          );
          const added = sum(
            picked.map(({ slot, choice, size }) => slot.max * (choice.surcharge + (size?.extra ?? 0))),
          );
          expect(linesOf(cartOf(on, [aMeal(combo.item.id, picks)]))[0]?.lineTotal).toBe(combo.price + added);
        }
      }),
      RUNS,
    );
  });
});

// ── Laws of a price ─────────────────────────────────────────────────────────────────────────────

const amount = fc.oneof(fc.nat(20), fc.nat(20_000));
const latteOf = (small: number, large: number, milk: number, oat: number, syrup: number) => ({
  items: [
    anItem('latte', {
      ...inSizes({ large, small }),
      defaults: { milk_type: 'milk', coffee_type: null },
      optionals: [{ id: 'ice', name: 'ice', nameTranslations: {}, sizeLabel: null, prices: [price(syrup)] }],
    }),
  ],
  addons: [
    anAddon('milk', { type: 'milk_type', prices: [price(milk)] }),
    anAddon('oat', { type: 'milk_type', prices: [price(oat)] }),
    anAddon('syrup', { prices: [price(syrup)] }),
  ],
});

test('a line costs the sum of its parts, computed from the price list', () => {
  fc.assert(
    fc.property(
      fc.tuple(amount, amount, amount, amount, amount),
      fc.record({
        units: fc.integer({ min: 1, max: 20 }),
        sizeLabel: fc.constantFrom(null, 'small', 'large'),
        swap: fc.constantFrom(null, 'milk', 'oat'),
        syrups: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
        iced: fc.boolean(),
      }),
      ([small, large, milk, oat, syrup], { units, sizeLabel, swap, syrups, iced }) => {
        const requested = aLine('latte', {
          quantity: units,
          sizeLabel,
          optionalFieldIds: iced ? ['ice'] : [],
          addons: [
            ...(swap === null ? [] : [{ addonItemId: swap, quantity: 1 }]),
            ...syrups.map((each) => ({ addonItemId: 'syrup', quantity: each })),
          ],
        });
        const size = sizeLabel === 'small' ? small : sizeLabel === 'large' ? large : Math.min(small, large);
        const extra =
          (swap === 'oat' && oat > milk ? oat - milk : 0) + (sum(syrups) + (iced ? 1 : 0)) * syrup;
        const on = aPriceBook(latteOf(small, large, milk, oat, syrup));
        expect(linesOf(cartOf(on, [requested]))).toMatchObject([
          { unitPrice: size, addonsTotal: extra, lineTotal: units * size + units * extra },
        ]);
      },
    ),
    RUNS,
  );
});

const slotIds = ['s0', 's1', 's2'];
const comboCase = fc.record({
  comboPrice: amount,
  prices: fc.tuple(amount, amount, amount),
  surcharges: fc.tuple(amount, amount, amount),
  picks: fc.array(
    fc.record({
      slot: fc.nat(2),
      item: fc.nat(2),
      units: fc.integer({ min: 1, max: 4 }),
      syrups: fc.nat(2),
      large: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 7,
    },
  ),
  units: fc.integer({ min: 1, max: 5 }),
  order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
});
type ComboCase = typeof comboCase extends fc.Arbitrary<infer T> ? T : never;

const comboLine = ({ comboPrice, prices, surcharges, picks, units }: ComboCase): PricedLine | undefined => {
  const items = prices.map((each, index) => anItem(`i${index}`, inSizes({ small: each, large: each + 700 })));
  const choices = surcharges.map((surcharge, index) =>
    aChoice(`i${index}`, { includedSizeLabel: 'small', surcharge }),
  );
  const slots = slotIds.map((slotId, index) => aSlot(slotId, choices, { min: 0, max: 99, sort: index % 2 }));
  const combo = aCombo('combo', slots, { prices: [price(comboPrice)] });
  const requested = picks.map((each) =>
    aPick(`s${each.slot}`, `i${each.item}`, {
      quantity: each.units,
      sizeLabel: each.large ? 'large' : null,
      addons: each.syrups > 0 ? [{ addonItemId: 'syrup', quantity: each.syrups }] : [],
    }),
  );
  const on = aPriceBook({ items: [combo, ...items], addons: [anAddon('syrup')] });
  return linesOf(cartOf(on, [aMeal('combo', requested, { quantity: units })]))[0];
};

describe('a combo', () => {
  test('equals the sum of its parts: shares, part totals and add-ons', () => {
    fc.assert(
      fc.property(comboCase, (one) => {
        const priced = comboLine(one);
        const parts = priced?.combo?.parts ?? [];
        const { units, comboPrice, picks } = one;
        expect(sum(parts.map(({ comboShare }) => comboShare))).toBe(comboPrice * units);
        expect(sum(parts.map((part) => part.lineTotal))).toBe((priced?.combo?.unitTotal ?? 0) * units);
        expect(sum(parts.map((part) => part.addonsTotal))).toBe((priced?.addonsTotal ?? 0) * units);
        expect(sum(parts.map((part) => part.lineTotal + part.addonsTotal))).toBe(priced?.lineTotal);
        expect(sum(parts.map((part) => part.quantity))).toBe(sum(picks.map((each) => each.units)) * units);
        expect(sum(parts.map((part) => part.unitPrice * part.quantity))).toBe(
          ((priced?.combo?.unitTotal ?? 0) + (priced?.combo?.savingUnit ?? 0)) * units,
        );
        for (const part of parts) {
          expect(part.comboShare).toBeGreaterThanOrEqual(0);
          expect(part.lineTotal).toBe(part.comboShare + part.comboSurcharge);
        }
      }),
      RUNS,
    );
  });

  test('costs the same in any order of its picks, in total and per slot', () => {
    const sums = (priced: PricedLine | undefined) => ({
      lineTotal: priced?.lineTotal,
      addonsTotal: priced?.addonsTotal,
      unitTotal: priced?.combo?.unitTotal,
      savingUnit: priced?.combo?.savingUnit,
      bySlot: slotIds.map((slotId) =>
        sum(
          (priced?.combo?.parts ?? []).flatMap((part) => (part.slot.id === slotId ? [part.lineTotal] : [])),
        ),
      ),
    });
    fc.assert(
      fc.property(comboCase, (one) => {
        const rank = new Map(one.picks.map((each, index) => [each, one.order[index] ?? 0]));
        const shuffled = one.picks.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
        expect(sums(comboLine({ ...one, picks: shuffled }))).toEqual(sums(comboLine(one)));
      }),
      RUNS,
    );
  });
});
