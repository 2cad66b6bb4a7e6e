/**
 * Reference implementation of "Menu and availability": each rule is a query over the whole book, and the menu
 * is a list of facts. Only windows use the engine.
 */
import type { AvailabilityEntry } from './availability.ts';
import type { OnSaleMenu } from './menu.ts';
import type { Addon, Combo, ComboChoice, DealPoolEntry, MenuBook, PlainItem } from './menubook.ts';
import type { PriceEntry, SalePoint } from './price.ts';
import type { Instant } from '../../kernel/time.ts';
import { isInSaleWindow as windowOpen } from '../../kernel/sale-windows.ts';

const fact = (...words: readonly unknown[]): string => JSON.stringify(words);

const basics = (point: SalePoint, now: Instant) => {
  const { branchId: here, channel } = point;

  const priceOf = (all: readonly PriceEntry[], size: string): number | null => {
    const on = (branch: string | null, where: string | null) =>
      all.find((p) => p.sizeLabel === size && p.branchId === branch && p.channel === where)?.amount;
    return channel === 'dine_in'
      ? (on(here, null) ?? on(null, null) ?? null)
      : (on(here, channel) ?? on(null, channel) ?? on(here, null) ?? on(null, null) ?? null);
  };

  const about = (all: readonly AvailabilityEntry[]) =>
    all.filter((a) => [null, here].includes(a.branchId)).filter((a) => [null, channel].includes(a.channel));
  const off = (all: readonly AvailabilityEntry[]) => about(all).some((a) => !a.isOn);
  const out = (all: readonly AvailabilityEntry[]) =>
    about(all).some((a) => a.stock === 0 || (a.soldOutUntil ?? -1) > now);
  const inWindow = (windows: PlainItem['windows']) => windowOpen(windows, here, point.zone, now);

  const addonIn = (addon: Addon) =>
    addon.isLive && !off(addon.availability) && priceOf(addon.prices, '') !== null;
  const addonThere = (addon: Addon) => addonIn(addon) && !out(addon.availability);
  return { priceOf, off, out, inWindow, addonIn, addonThere };
};

const itemRules = (book: MenuBook, point: SalePoint, now: Instant) => {
  const said = basics(point, now);
  const { priceOf, off, out, inWindow, addonThere } = said;

  const plain = () => book.items.filter((item) => item.kind === 'item');
  const combos = () => book.items.filter((item) => item.kind === 'combo');
  const plainOf = (id: string) => plain().find((item) => item.id === id);
  const addonOf = (id: string | null) => book.addons.find((addon) => addon.id === id);

  const sizesOf = (item: PlainItem) =>
    item.sizes
      .map(({ label }) => ({ label, cost: priceOf(item.prices, label) }))
      .filter((size): size is { label: string; cost: number } => size.cost !== null);
  const costOf = (item: PlainItem): number | null => {
    if (item.sizes.length === 0) return priceOf(item.prices, '');
    const costs = sizesOf(item).map(({ cost }) => cost);
    return costs.length === 0 ? null : Math.min(...costs);
  };

  const groupWorks = (group: PlainItem['groups'][number]): boolean => {
    const there = group.addonIds.map(addonOf).filter((a): a is Addon => a !== undefined && addonThere(a));
    const extras = there.some((a) => a.type === 'extra');
    const milks = there.some((a) => a.type === 'milk_type') ? 1 : 0;
    const coffees = there.some((a) => a.type === 'coffee_type') ? 1 : 0;
    const atMost =
      group.selectionType === 'single' ? Math.min(1, there.length) : extras ? 99 : milks + coffees;
    const wanted = group.selectionType === 'single' ? 1 : Math.max(1, group.minSelections);
    return !group.isRequired || atMost >= wanted;
  };

  const itemIn = (item: PlainItem): boolean =>
    item.isLive &&
    !off(item.availability) &&
    !out(item.availability) &&
    inWindow(item.windows) &&
    costOf(item) !== null &&
    item.groups.every(groupWorks);

  const charge = (item: PlainItem, addon: Addon): number => {
    const own = priceOf(addon.prices, '') ?? NaN;
    if (addon.type === 'extra') return own;
    if (item.defaults[addon.type] === addon.id) return 0;
    const standard = addonOf(item.defaults[addon.type]);
    const against = standard?.type === addon.type ? (priceOf(standard.prices, '') ?? 0) : 0;
    return own > against ? own - against : 0;
  };

  return { ...said, plain, combos, plainOf, addonOf, sizesOf, costOf, itemIn, charge };
};

const rulesOf = (book: MenuBook, point: SalePoint, now: Instant) => {
  const said = itemRules(book, point, now);
  const { priceOf, off, out, inWindow, plainOf, sizesOf, costOf, itemIn } = said;

  /** Null: not sold on the channel. */
  const included = (item: PlainItem, choice: ComboChoice): { label: string; cost: number } | null => {
    if (item.sizes.length === 0) {
      const cost = priceOf(item.prices, '');
      return cost === null || choice.includedSizeLabel !== '' ? null : { label: '', cost };
    }
    const named = sizesOf(item).filter(({ label }) => label === choice.includedSizeLabel);
    const cheapest = sizesOf(item).filter(({ cost }) => cost === costOf(item));
    return (choice.includedSizeLabel === '' ? cheapest[0] : named[0]) ?? null;
  };
  const pickable = (choice: ComboChoice): boolean => {
    const item = plainOf(choice.itemId);
    return item !== undefined && itemIn(item) && included(item, choice) !== null;
  };
  const comboIn = (combo: Combo): boolean =>
    combo.isLive &&
    (point.toggle === 'pos'
      ? combo.sell.pos
      : point.channel === 'dine_in'
        ? combo.sell.qr
        : combo.sell.online) &&
    !off(combo.availability) &&
    !out(combo.availability) &&
    inWindow(combo.windows) &&
    priceOf(combo.prices, '') !== null &&
    !combo.slots.some((slot) => slot.min > 0 && !slot.choices.some(pickable));

  const categoryIn = (id: string) => book.categories.some((category) => category.id === id);
  const counts = (item: PlainItem, entry: DealPoolEntry): boolean =>
    itemIn(item) &&
    (entry.menuItemId === item.id ||
      (entry.categoryId !== null && entry.categoryId === item.categoryId && categoryIn(entry.categoryId))) &&
    (entry.sizeLabel === null || sizesOf(item).some(({ label }) => label === entry.sizeLabel));

  return { ...said, included, pickable, comboIn, categoryIn, counts };
};

type Rules = ReturnType<typeof rulesOf>;

const itemFacts = (book: MenuBook, rules: Rules, item: PlainItem): string[] => {
  const {
    priceOf,
    combos,
    addonOf,
    addonIn,
    addonThere,
    sizesOf,
    costOf,
    charge,
    comboIn,
    pickable,
    categoryIn,
  } = rules;
  const pruned = (item.allowedAddonIds ?? []).filter((id) =>
    book.addons.some((a) => a.id === id && addonIn(a)),
  );
  const addable = book.addons
    .filter(addonIn)
    .filter((a) => item.allowedAddonIds === null || item.allowedAddonIds.includes(a.id));
  const meal = combos().find((combo) => combo.id === item.meal?.comboId && comboIn(combo));
  const fits = meal?.slots
    .filter((slot) => slot.id === item.meal?.slotId)
    .some((slot) => slot.choices.some((choice) => choice.itemId === item.id && pickable(choice)));
  const shownDefault = (type: 'milk_type' | 'coffee_type') => {
    const addon = addonOf(item.defaults[type]);
    return addon !== undefined && addon.type === type && addonIn(addon) ? addon.id : null;
  };
  return [
    fact('item', item.id, costOf(item), item.categoryId !== null && categoryIn(item.categoryId)),
    ...sizesOf(item).map(({ label, cost }) => fact('size', item.id, label, cost)),
    ...item.optionals
      .filter((o) => o.sizeLabel === null || sizesOf(item).some(({ label }) => label === o.sizeLabel))
      .filter((o) => priceOf(o.prices, '') !== null)
      .map((o) => fact('optional', item.id, o.id, priceOf(o.prices, ''))),
    fact('allowed', item.id, pruned.length > 0 ? pruned : item.allowedAddonIds),
    ...(item.groups.length > 0
      ? []
      : addable.map((addon) => fact('charge', item.id, addon.id, charge(item, addon)))),
    ...item.groups.flatMap((group, at) => [
      fact('group', item.id, at, group.id),
      ...group.addonIds.flatMap((id) => {
        const addon = addonOf(id);
        if (addon === undefined || !addonIn(addon)) return [];
        const cost = priceOf(addon.prices, '');
        return [fact('option', item.id, at, id, cost, charge(item, addon), addonThere(addon))];
      }),
    ]),
    fact('defaults', item.id, shownDefault('milk_type'), shownDefault('coffee_type')),
    ...(fits === true ? [fact('meal', item.id, item.meal?.comboId, item.meal?.slotId)] : []),
  ];
};

const choiceFact = (
  book: MenuBook,
  { plainOf, sizesOf, included, pickable }: Rules,
  combo: Combo,
  slotId: string,
  choice: ComboChoice,
): string[] => {
  const any = book.items.find((item) => item.id === choice.itemId);
  if (any === undefined) return [];
  const item = plainOf(choice.itemId);
  const inside = item === undefined ? null : included(item, choice);
  const extra = (label: string, cost: number): number => {
    if (label === inside?.label) return 0;
    return choice.sizeExtras.get(label) ?? Math.max(0, cost - (inside?.cost ?? NaN));
  };
  const sizes =
    item !== undefined && pickable(choice)
      ? sizesOf(item).map(({ label, cost }) => [label, cost, extra(label, cost)])
      : [];
  const label = inside?.label ?? choice.includedSizeLabel;
  return [fact('choice', combo.id, slotId, any.id, pickable(choice), inside?.cost ?? 0, label, sizes)];
};

const comboFacts = (book: MenuBook, rules: Rules, combo: Combo): string[] => [
  fact('combo', combo.id, rules.priceOf(combo.prices, '')),
  ...combo.slots.flatMap((slot) => {
    const standard = slot.choices.find((c) => c.itemId === slot.defaultItemId && rules.pickable(c));
    return [
      fact('slot', combo.id, slot.id, standard?.itemId ?? null),
      ...slot.choices.flatMap((choice) => choiceFact(book, rules, combo, slot.id, choice)),
    ];
  }),
];

const dealFacts = (book: MenuBook, rules: Rules, { branchId: here, channel, toggle }: SalePoint): string[] =>
  book.deals.flatMap((deal) => {
    const active = deal.branchOverrides.find((o) => o.branchId === here)?.isActive ?? deal.isActive;
    const toggled =
      toggle === 'pos' ? deal.sell.pos : channel === 'dine_in' ? deal.sell.qr : deal.sell.online;
    const counting = (pool: readonly DealPoolEntry[]) =>
      pool.filter((entry) => rules.plain().some((item) => rules.counts(item, entry)));
    const rewards = deal.terms.kind === 'buy_get' ? deal.rewardPool : [];
    const emptied = rewards.length > 0 && counting(rewards).length === 0;
    if (!active || !toggled || !rules.inWindow(deal.windows) || emptied) return [];
    if (counting(deal.pool).length === 0) return [];
    return [fact('deal', deal.id, counting(deal.pool), counting(rewards))];
  });

const discountFacts = (
  book: MenuBook,
  { branchId: here, channel, zone }: SalePoint,
  now: Instant,
): string[] => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);
  const valid = book.discounts
    .filter((d) => d.isActive && d.channel === channel)
    .filter((d) => (d.validFrom ?? '') <= today && today <= (d.validTo ?? '9999'));
  const shown = valid.find((d) => d.branchId === here) ?? valid.find((d) => d.branchId === null);
  return shown === undefined ? [] : [fact('discount', shown.id)];
};

const categoryFacts = (book: MenuBook, { itemIn, comboIn }: Rules): string[] =>
  book.categories
    .filter(({ id }) =>
      book.items.some((i) => i.categoryId === id && (i.kind === 'item' ? itemIn(i) : comboIn(i))),
    )
    .map(({ id }) => fact('category', id));

/** Unordered. */
export const oracleFacts = (book: MenuBook, point: SalePoint, now: Instant): readonly string[] => {
  const rules = rulesOf(book, point, now);
  return [
    ...categoryFacts(book, rules),
    ...rules
      .plain()
      .filter(rules.itemIn)
      .flatMap((item) => itemFacts(book, rules, item)),
    ...rules
      .combos()
      .filter(rules.comboIn)
      .flatMap((combo) => comboFacts(book, rules, combo)),
    ...book.addons
      .filter(rules.addonIn)
      .map((a) => fact('addon', a.id, rules.priceOf(a.prices, ''), rules.addonThere(a))),
    ...dealFacts(book, rules, point),
    ...discountFacts(book, point, now),
  ];
};

/** The engine's menu as facts. */
export const factsOf = (menu: OnSaleMenu): readonly string[] => [
  ...menu.categories.map(({ id }) => fact('category', id)),
  ...menu.entries.flatMap((entry) => {
    const { id } = entry.item;
    if (entry.kind === 'combo')
      return [
        fact('combo', id, entry.price),
        ...entry.slots.flatMap(({ slot, choices, defaultItemId }) => [
          fact('slot', id, slot.id, defaultItemId),
          ...choices.map((c) => {
            const sizes = c.sizes.map(({ label, price, extra }) => [label, price, extra]);
            return fact(
              'choice',
              id,
              slot.id,
              c.item.id,
              c.available,
              c.basePrice,
              c.includedSizeLabel,
              sizes,
            );
          }),
        ]),
      ];
    return [
      fact('item', id, entry.price, entry.categoryId !== null),
      ...entry.sizes.map(({ label, price }) => fact('size', id, label, price)),
      ...entry.optionals.map(({ field, price }) => fact('optional', id, field.id, price)),
      fact('allowed', id, entry.allowedAddonIds),
      ...[...(entry.addonCharges ?? [])].map(([addonId, charge]) => fact('charge', id, addonId, charge)),
      ...entry.groups.flatMap(({ group, options }, at) => [
        fact('group', id, at, group.id),
        ...options.map((o) => fact('option', id, at, o.addon.id, o.price, o.charge, o.isAvailable)),
      ]),
      fact('defaults', id, entry.defaults.milk_type, entry.defaults.coffee_type),
      ...(entry.meal === null ? [] : [fact('meal', id, entry.meal.comboId, entry.meal.slotId)]),
    ];
  }),
  ...menu.addons.map(({ addon, price, isAvailable }) => fact('addon', addon.id, price, isAvailable)),
  ...menu.deals.map((deal) => fact('deal', deal.id, deal.pool, deal.rewardPool)),
  ...(menu.discount === null ? [] : [fact('discount', menu.discount.id)]),
];
