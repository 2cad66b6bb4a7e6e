/** Reads the lines of a request body as a cart, for quotes and orders. */
import type { Static } from 'typebox';
import type { OrderItemInput, RewardInput } from '../contract/cart.ts';
import type { CartLine } from '../domain/cart.ts';
import { problemOf } from '../domain/cart/problems.ts';
import { readLine } from '../domain/cart/read-line.ts';
import type { RewardClaim } from '../domain/rewards.ts';
import { singleLine } from '../../kernel/free-text.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { invalidInput, refusedFor, type CodedFault, type Fault } from '../../kernel/refusal.ts';

/** Ids are case-insensitive (Decisions 2). */
const idOf = (text: string): Uuid => text.toLowerCase();

/** The fault of rewards without the card that pays for them. */
export const MEMBER_NEEDED: Fault = {
  path: 'member_id',
  problem: 'is required with `rewards`',
  arabic: 'البطاقة مطلوبة لصرف المكافآت',
};

/** Staff drinks, which a guest may not order (Decisions 5). */
const staffDrinksIn = (items: readonly OrderItemInput[]): readonly CodedFault[] =>
  items.flatMap(({ staff_drink: drink }, index) => {
    if (!drink) return [];
    const figures = { permission: 'orders.staff_drink.record' };
    return [{ path: `items[${index}].staff_drink`, refusal: 'NOT_PERMITTED', figures }];
  });

const linesOf = (items: readonly OrderItemInput[]): readonly CartLine[] => {
  const nameless: Fault[] = [];
  const lines = items.flatMap((input, index) => {
    if (input.menu_item_id) return [readLine({ ...input, menu_item_id: input.menu_item_id })];
    nameless.push({ path: `items[${index}].menu_item_id`, ...problemOf('ITEM_REQUIRED') });
    return [];
  });
  if (nameless.length > 0) throw invalidInput(...nameless);
  return lines;
};

/** The cart of a public body. Refuses with INVALID_INPUT and NOT_PERMITTED. */
export const cartOf = (items: readonly OrderItemInput[]): readonly CartLine[] => {
  const notPermitted = staffDrinksIn(items);
  if (notPermitted.length > 0) throw refusedFor(notPermitted);
  return linesOf(items);
};

/** A line that a member of staff drinks (Decisions 3, StaffDrinkLine). */
export interface StaffDrink {
  readonly lineIndex: number;
  /** Of the device. */
  readonly id: Uuid;
  readonly note: string;
  readonly units: number;
}

const DRINK_PROBLEMS = {
  id: { problem: 'must be a UUID that the device makes', arabic: 'يجب أن يكون UUID يصنعه الجهاز' },
  note: { problem: 'must be text of at most 200 characters', arabic: 'يجب أن يكون نصاً لا يتجاوز ٢٠٠ حرف' },
  twice: { problem: 'is the id of another drink', arabic: 'معرّف مشروب آخر' },
} as const;

const MAX_DRINK_NOTE = 200;

const drinkOf = (
  { staff_drink: drink, quantity }: OrderItemInput,
  lineIndex: number,
  items: string,
): { readonly drinks: readonly StaffDrink[]; readonly faults: readonly Fault[] } => {
  if (!drink) return { drinks: [], faults: [] };
  const { id, note = '' } = drink as { readonly id?: unknown; readonly note?: unknown };
  const path = `${items}[${lineIndex}].staff_drink`;
  const uuid = typeof id === 'string' ? parseUuid(id) : null;
  const text = typeof note === 'string' && note.length <= MAX_DRINK_NOTE ? (singleLine(note) ?? '') : null;
  const faults = [
    ...(uuid === null ? [{ path: `${path}.id`, ...DRINK_PROBLEMS.id }] : []),
    ...(text === null ? [{ path: `${path}.note`, ...DRINK_PROBLEMS.note }] : []),
  ];
  if (uuid === null || text === null) return { drinks: [], faults };
  return { drinks: [{ lineIndex, id: uuid, note: text, units: quantity }], faults };
};

/** The drinks of the staff among the items; `path` is the place of the items. Throws INVALID_INPUT. */
export const staffDrinksOf = (items: readonly OrderItemInput[], path = 'items'): readonly StaffDrink[] => {
  const read = items.map((item, index) => drinkOf(item, index, path));
  const drinks = read.flatMap((one) => one.drinks);
  const twice = drinks.flatMap(({ id, lineIndex }, place) =>
    drinks.findIndex((one) => one.id === id) < place
      ? [{ path: `${path}[${lineIndex}].staff_drink.id`, ...DRINK_PROBLEMS.twice }]
      : [],
  );
  const faults = [...read.flatMap((one) => one.faults), ...twice];
  if (faults.length > 0) throw invalidInput(...faults);
  return drinks;
};

/** The cart of the staff. Refuses with INVALID_INPUT, and with NOT_PERMITTED who may record no drinks of the staff. */
export const staffCartOf = (
  items: readonly OrderItemInput[],
  mayRecordDrinks: boolean,
): { readonly lines: readonly CartLine[]; readonly drinks: readonly StaffDrink[] } => {
  if (!mayRecordDrinks) return { lines: cartOf(items), drinks: [] };
  const drinks = staffDrinksOf(items);
  return { lines: linesOf(items), drinks };
};

/** The ids of everything that may have counted stock. */
export const countableIn = (lines: readonly CartLine[]): readonly Uuid[] => [
  ...new Set(
    lines
      .flatMap((line) => [line, ...(line.combo?.picks ?? [])])
      .flatMap(({ menuItemId, addons }) => [menuItemId, ...addons.map(({ addonItemId }) => addonItemId)]),
  ),
];

export const claimsOf = (rewards: readonly Static<typeof RewardInput>[] = []): readonly RewardClaim[] =>
  rewards.map(({ reward_id: id, line_index: lineIndex, units }) => ({
    ...{ rewardId: idOf(id), lineIndex, units },
  }));
