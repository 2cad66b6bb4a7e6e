/** What people do at a device with tills, sales over the counter and refunds. Each resolves to false where it cannot be done now. */
import { TillQuotes, type TillRewards } from '../../../../src/client/till/quote.ts';
import type { EventData } from '../../../../src/sync/contract/event-kinds.ts';
import { newId } from '../../database/ids.ts';
import type { SimulatedDevice } from './device.ts';
import type { MadeSale, PaidMoney, SoldLine } from './ledger.ts';
import { ITEM_KEYS, PEOPLE, REWARD_COST, type ItemKey, type PersonKey } from './place.ts';
import { claiming, offerAt, spentOn, type Offer } from './reward-acts.ts';
import type { Scene } from './scene.ts';

export type Act = (scene: Scene, device: SimulatedDevice) => Promise<boolean>;

export const somebody = ({ chance }: Scene): PersonKey => chance.pick(PEOPLE) ?? 'manager';

const moneyText = (payments: readonly PaidMoney[]): string =>
  payments
    .map(({ method, amount, tip }) => `${amount}${tip > 0 ? ` and ${tip} of tip` : ''} by ${method}`)
    .join(', ') || 'nothing';

/** In one part or two, sometimes with a tip. */
export const paidParts = ({ chance }: Scene, total: number): readonly PaidMoney[] => {
  if (total === 0) return [];
  const tip = chance.hits(25) ? chance.between(1, 900) : 0;
  const method = chance.hits(70) ? 'cash' : 'card';
  if (total > 1 && chance.hits(20)) {
    const first = chance.between(1, total - 1);
    return [
      { method: 'cash', amount: first, tip: 0 },
      { method: 'card', amount: total - first, tip },
    ];
  }
  return [{ method, amount: total, tip }];
};

/** What the guest handed over, of cash: a round sum. */
export const asEvent = (payments: readonly PaidMoney[]): EventData['sale']['payments'] =>
  payments.map((one) => ({
    ...one,
    ...(one.method === 'cash' ? { tendered: Math.ceil((one.amount + one.tip) / 1_000) * 1_000 } : {}),
  }));

/** A till that the device can put money into. */
export const tillAt = (scene: Scene, device: SimulatedDevice): string | undefined =>
  scene.chance.pick([...scene.memory(device).tills]);

export const openTill: Act = async (scene, device) => {
  const { chance, ledger, history } = scene;
  const [id, person, float] = [newId(), somebody(scene), chance.between(0, 5) * 10_000];
  ledger.tills.set(id, { id, by: device.name, float, movements: [], closes: [] });
  scene.memory(device).tills.add(id);
  for (const other of scene.listeners(device, 40)) other.tills.add(id);
  const what = `opens ${history.name('till', id)} with ${float}`;
  await scene.record(device, 'till_open', person, { till_id: id, opening_float: float }, what);
  return true;
};

export const moveCash: Act = async (scene, device) => {
  const { chance, ledger, history } = scene;
  const tillId = tillAt(scene, device);
  if (tillId === undefined) return false;
  const kind = chance.pick(['pay_in', 'pay_out', 'drop'] as const) ?? 'drop';
  const amount = chance.between(1, 9_999);
  ledger.till(tillId).movements.push({ kind, amount });
  const data = { till_id: tillId, movement: kind, amount, reason: 'الخزنة' };
  await scene.record(
    device,
    'till_cash',
    somebody(scene),
    data,
    `${kind} ${amount}, ${history.nameOf(tillId)}`,
  );
  return true;
};

export const closeTill: Act = async (scene, device) => {
  const { chance, ledger, history } = scene;
  const tillId = tillAt(scene, device);
  if (tillId === undefined) return false;
  const countedCash = chance.between(0, 90_000);
  ledger.till(tillId).closes.push({ by: device.name, countedCash });
  scene.memory(device).tills.delete(tillId);
  for (const other of scene.listeners(device, 30)) other.tills.delete(tillId);
  const data = { till_id: tillId, counted: { cash: countedCash } };
  await scene.record(
    device,
    'till_close',
    somebody(scene),
    data,
    `closes ${history.nameOf(tillId)}, counts ${countedCash}`,
  );
  return true;
};

// ── Sales ───────────────────────────────────────────────────────────────────────────────────────

interface Priced {
  readonly lines: readonly SoldLine[];
  readonly total: number;
  readonly tax: number;
}

/** The price that the device shows; null: it has none of it on sale. */
export const pricedAt = (
  { place, now }: Scene,
  device: SimulatedDevice,
  cart: readonly { readonly item: ItemKey; readonly units: number }[],
  rewards: TillRewards | null = null,
): Priced | null => {
  const rows = device.copy.tillRows();
  if (rows === null) return null;
  const asked = cart.map(({ item, units }) => ({ menu_item_id: place.itemId(item), quantity: units }));
  const priced = new TillQuotes(rows).quote(asked, now, rewards);
  if (!('quote' in priced)) return null;
  const { lines, bill } = priced.quote;
  return {
    lines: cart.map(({ item, units }, index) => ({ item, units, unitPrice: lines[index]?.unitPrice ?? 0 })),
    ...{ total: bill.total, tax: bill.tax },
  };
};

const linesText = (lines: readonly SoldLine[]): string =>
  lines.map(({ item, units, unitPrice }) => `${units} ${item} at ${unitPrice}`).join(', ');

export const inputOf = ({ place }: Scene, { item, units, unitPrice }: SoldLine) => ({
  menu_item_id: place.itemId(item as ItemKey),
  quantity: units,
  unit_price: unitPrice,
});

const record = async (
  scene: Scene,
  device: SimulatedDevice,
  sale: MadeSale,
  more: { readonly isDrink?: boolean; readonly offer?: Offer } = {},
): Promise<void> => {
  const { ledger, history } = scene;
  ledger.sales.set(sale.id, sale);
  const name = history.name('sale', sale.id);
  const items = sale.lines.map((line) => ({
    ...inputOf(scene, line),
    ...(more.isDrink === true ? { staff_drink: { id: newId(), note: 'سالي' } } : {}),
  }));
  const till = sale.tillId === null ? {} : { till_id: sale.tillId };
  const card = sale.cardId === null ? {} : { member_id: sale.cardId };
  const units = (sale.spent?.cost ?? 0) / REWARD_COST;
  const rewards =
    more.offer === undefined
      ? {}
      : {
          rewards: [{ reward_id: scene.place.rewardId, line_index: 0, units }],
          voucher: more.offer.text,
        };
  const paid = { total: sale.total, payments: asEvent(sale.payments) };
  const data = { sale_id: sale.id, items, ...paid, ...till, ...card, ...rewards };
  const how = [
    ...(more.isDrink === true ? ['a drink of the staff'] : []),
    ...(sale.cardId === null ? [] : ['with the card']),
    ...(sale.spent === null ? [] : [`with rewards for ${sale.spent.cost} points`]),
    `paid ${moneyText(sale.payments)}`,
  ].join(', ');
  await scene.record(
    device,
    'sale',
    somebody(scene),
    data,
    `sells ${linesText(sale.lines)}, ${how}, ${name}`,
  );
};

const sellWith = async (scene: Scene, device: SimulatedDevice, hasCard: boolean): Promise<boolean> => {
  const { chance, place } = scene;
  const tillId = tillAt(scene, device);
  if (tillId === undefined) return openTill(scene, device);
  const keys = ITEM_KEYS.filter((key) => !hasCard || key !== 'juice');
  const first = chance.pick(keys) ?? 'tea';
  const second = chance.pick(keys.filter((key) => key !== first)) ?? 'tea';
  const items = chance.hits(30) ? [first, second] : [first];
  const priced = pricedAt(
    scene,
    device,
    items.map((item) => ({ item, units: chance.between(1, 3) })),
  );
  if (priced === null) return false;
  const sale = { id: newId(), at: scene.now, by: device.name, ...priced, tillId };
  const about = { payments: paidParts(scene, priced.total), cardId: hasCard ? place.card.id : null };
  await record(scene, device, { ...sale, ...about, spent: null });
  return true;
};

export const sell: Act = (scene, device) => sellWith(scene, device, false);
export const sellWithCard: Act = (scene, device) => sellWith(scene, device, true);

/** Some of its teas are a gift. */
export const sellForPoints: Act = async (scene, device) => {
  const { chance, place } = scene;
  const tillId = tillAt(scene, device);
  if (tillId === undefined) return openTill(scene, device);
  const offer = await offerAt(scene, device);
  if (offer === null) return false;
  const teas = { item: 'tea', units: chance.between(1, 3) } as const;
  const units = chance.between(1, Math.min(teas.units, offer.units));
  const cart = chance.hits(50) ? [teas, { item: 'latte', units: 1 } as const] : [teas];
  const priced = pricedAt(scene, device, cart, claiming(scene, offer, { lineIndex: 0, units }));
  if (priced === null) return false;
  const sale = { id: newId(), at: scene.now, by: device.name, ...priced, tillId, cardId: place.card.id };
  const about = { payments: paidParts(scene, priced.total), spent: spentOn(offer, units) };
  await record(scene, device, { ...sale, ...about }, { offer });
  return true;
};

export const giveDrink: Act = async (scene, device) => {
  const priced = pricedAt(scene, device, [{ item: 'tea', units: 1 }]);
  if (priced === null) return false;
  const sale = {
    id: newId(),
    at: scene.now,
    by: device.name,
    lines: priced.lines,
    ...{ total: 0, tax: 0 },
    payments: [],
    ...{ cardId: null, spent: null },
  };
  await record(scene, device, { ...sale, tillId: tillAt(scene, device) ?? null }, { isDrink: true });
  return true;
};

// ── Refunds ─────────────────────────────────────────────────────────────────────────────────────

interface Refundable {
  readonly id: string;
  readonly total: number;
  /** A line whose units can go back one by one. */
  readonly line: SoldLine | null;
}

/** In per cent: the guest shows the receipt, whichever device printed it. */
const RECEIPT_PERCENT = 60;

const refundableAt = (
  { ledger, chance }: Scene,
  device: SimulatedDevice,
  done: ReadonlySet<string>,
): Refundable[] => {
  const hasReceipt = chance.hits(RECEIPT_PERCENT);
  const isKnown = (by: string, id: string): boolean =>
    hasReceipt || by === device.name || device.copy.row('sale', id) !== null;
  const counter = [...ledger.sales.values()].map(({ id, by, total, lines, cardId }) => {
    const [line] = lines;
    const isPlain =
      lines.length === 1 && cardId === null && line !== undefined && line.units * line.unitPrice === total;
    return { id, by, total, line: isPlain ? line : null };
  });
  const bills = [...ledger.tickets.values()].flatMap(({ settlings }) =>
    settlings.map(({ saleId: id, by, total }) => ({ id, by, total, line: null })),
  );
  return [...counter, ...bills].filter(({ id, by, total }) => total > 0 && isKnown(by, id) && !done.has(id));
};

export const refund: Act = async (scene, device) => {
  const { chance, ledger, history } = scene;
  const { refunded } = scene.memory(device);
  const tillId = tillAt(scene, device);
  const sale = chance.pick(refundableAt(scene, device, refunded));
  if (tillId === undefined || sale === undefined) return false;
  refunded.add(sale.id);
  for (const other of scene.listeners(device, 20)) other.refunded.add(sale.id);
  const units = sale.line !== null && chance.hits(50) ? chance.between(1, sale.line.units) : null;
  const reason: EventData['refund']['reason'] = chance.hits(50) ? 'mistake' : 'quality';
  // Who did not like it may get a half back.
  const share = units !== null && reason === 'quality' && chance.hits(50) ? 2 : 1;
  const amount = units === null ? sale.total : Math.round((units * (sale.line?.unitPrice ?? 0)) / share);
  const id = newId();
  ledger.refunds.push({ id, saleId: sale.id, units, amount, tillId, restocks: reason === 'mistake' });
  const what: Pick<EventData['refund'], 'all' | 'lines'> =
    units === null ? { all: true } : { lines: [{ index: 0, units }] };
  const data = {
    refund_id: id,
    sale_id: sale.id,
    ...what,
    method: 'cash',
    amount,
    reason,
    till_id: tillId,
  };
  const text = `gives ${amount} back for ${units === null ? 'all' : `${units} units`} of ${history.nameOf(sale.id)} (${reason})`;
  await scene.record(device, 'refund', somebody(scene), data, text);
  return true;
};
