/** What people do at a device with tickets. Each resolves to false where it cannot be done now. */
import { newId } from '../../database/ids.ts';
import type { SimulatedDevice } from './device.ts';
import { newTicket, type Settling, type Ticket } from './ledger.ts';
import { ITEM_KEYS, SERVICE_PERCENT, taxIn } from './place.ts';
import { offerAt, spentOn } from './reward-acts.ts';
import type { Memory, Scene, TicketView } from './scene.ts';
import { asEvent, inputOf, openTill, paidParts, pricedAt, somebody, tillAt, type Act } from './till-acts.ts';

/** Halves away from zero (Decisions 7.6). */
export const serviceOn = (subtotal: number): number => Math.round((subtotal * SERVICE_PERCENT) / 100);

/** A ticket that the device knows and has not ended. */
const at = (scene: Scene, device: SimulatedDevice): Ticket | undefined => {
  const { views, ended } = scene.memory(device);
  const id = scene.chance.pick([...views.keys()].filter((one) => !ended.has(one)));
  return id === undefined ? undefined : scene.ledger.ticket(id);
};

/** The people at this device, and those whom they tell. */
const tell = (
  scene: Scene,
  device: SimulatedDevice,
  percent: number,
  what: (memory: Memory) => void,
): void => {
  what(scene.memory(device));
  scene.listeners(device, percent).forEach(what);
};

export const openTicket: Act = async (scene, device) => {
  const { chance, place, ledger, history } = scene;
  const id = newId();
  const table = chance.hits(60) ? chance.pick(place.tables) : undefined;
  const reason = chance.pick(['mistake', 'quality'] as const) ?? 'mistake';
  ledger.tickets.set(id, newTicket({ id, hasTable: table !== undefined, reason, by: device.name }));
  tell(scene, device, 50, ({ views }) => void views.set(id, new Map()));
  const where = table === undefined ? '' : ` at table ${place.tables.indexOf(table) + 1}`;
  const data = { ticket_id: id, ...(table === undefined ? {} : { table_id: table }) };
  await scene.record(
    device,
    'ticket_open',
    somebody(scene),
    data,
    `opens ${history.name('ticket', id)}${where}`,
  );
  return true;
};

export const fireRound: Act = async (scene, device) => {
  const { chance, history } = scene;
  const ticket = at(scene, device);
  if (ticket === undefined) return openTicket(scene, device);
  const item = chance.pick(ITEM_KEYS.filter((key) => key !== 'juice')) ?? 'tea';
  const [line] = pricedAt(scene, device, [{ item, units: chance.between(1, 3) }])?.lines ?? [];
  if (line === undefined) return false;
  const id = newId();
  ticket.lines.push({ ...line, id, at: scene.now });
  ticket.hands.add(device.name);
  tell(scene, device, 50, ({ views }) => void views.get(ticket.id)?.set(id, { ...line }));
  const data = { ticket_id: ticket.id, round_id: newId(), items: [{ item_id: id, ...inputOf(scene, line) }] };
  const what = `fires ${line.units} ${item} at ${line.unitPrice} on ${history.nameOf(ticket.id)}, ${history.name('line', id)}`;
  await scene.record(device, 'round', somebody(scene), data, what);
  return true;
};

const liveLines = (view: TicketView | undefined) => [...(view ?? [])].filter(([, { units }]) => units > 0);

export const voidLine: Act = async (scene, device) => {
  const { chance, history } = scene;
  const ticket = at(scene, device);
  const found = chance.pick(liveLines(scene.memory(device).views.get(ticket?.id ?? '')));
  if (ticket === undefined || found === undefined) return false;
  const [lineId, { units: all }] = found;
  const units = chance.between(1, all);
  ticket.voids.push({ lineId, units, at: scene.now });
  ticket.hands.add(device.name);
  tell(scene, device, 50, ({ views }) => {
    const line = views.get(ticket.id)?.get(lineId);
    if (line !== undefined) line.units = Math.max(0, line.units - units);
  });
  const data = { ticket_id: ticket.id, item_id: lineId, reason: ticket.reason };
  const what = `voids ${units} units of ${history.nameOf(lineId)} on ${history.nameOf(ticket.id)} (${ticket.reason})`;
  await scene.record(device, 'line_void', somebody(scene), { ...data, units }, what);
  return true;
};

interface TeaForPoints {
  readonly spent: NonNullable<Settling['spent']>;
  readonly value: number;
  readonly text: string;
}

/** A tea of the ticket that the guest pays for with points. Null: none. */
const teaForPoints = async (
  scene: Scene,
  device: SimulatedDevice,
  lines: ReturnType<typeof liveLines>,
): Promise<TeaForPoints | null> => {
  const { ledger, chance } = scene;
  const fired = [...ledger.tickets.values()].flatMap((one) => one.lines);
  const tea = lines.find(([id]) => fired.some((line) => line.id === id && line.item === 'tea'));
  if (tea === undefined || !chance.hits(60)) return null;
  const offer = await offerAt(scene, device);
  if (offer === null) return null;
  const [lineId, { unitPrice }] = tea;
  return { spent: { ...spentOn(offer, 1), lineId }, value: unitPrice, text: offer.text };
};

export const settle: Act = async (scene, device) => {
  const { chance, place, history } = scene;
  const ticket = at(scene, device);
  const lines = liveLines(scene.memory(device).views.get(ticket?.id ?? ''));
  if (ticket === undefined || lines.length === 0) return false;
  const tillId = tillAt(scene, device);
  if (tillId === undefined) return openTill(scene, device);
  const cardId = chance.hits(30) ? place.card.id : null;
  const gift = cardId === null ? null : await teaForPoints(scene, device, lines);
  const goods = lines.reduce((sum, [, { units, unitPrice }]) => sum + units * unitPrice, 0);
  const subtotal = goods - (gift?.value ?? 0);
  const total = subtotal + (ticket.hasTable ? serviceOn(subtotal) : 0);
  const [saleId, payments] = [newId(), paidParts(scene, total)];
  const bill = { saleId, subtotal, total, tax: taxIn(subtotal) };
  const paid = { ...bill, payments, tillId, cardId, spent: gift?.spent ?? null };
  ticket.settlings.push({ ...paid, at: scene.now, by: device.name });
  ticket.hands.add(device.name);
  tell(scene, device, 25, ({ ended }) => void ended.add(ticket.id));
  const member = cardId === null ? {} : { member_id: cardId };
  const reward = gift && { reward_id: place.rewardId, item_id: gift.spent.lineId, units: 1 };
  const rewards = gift && reward ? { rewards: [reward], voucher: gift.text } : {};
  const settled = { ticket_id: ticket.id, sale_id: saleId, total, payments: asEvent(payments) };
  const data = { ...settled, till_id: tillId, ...member, ...rewards };
  const how = `${cardId === null ? '' : ' with the card'}${gift === null ? '' : ' and a reward'}`;
  const what = `settles ${history.nameOf(ticket.id)} for ${total}${how}, ${history.name('sale', saleId)}`;
  await scene.record(device, 'ticket_settle', somebody(scene), data, what);
  return true;
};

export const voidTicket: Act = async (scene, device) => {
  const ticket = at(scene, device);
  if (ticket === undefined) return false;
  ticket.ends.push({ at: scene.now, by: device.name });
  ticket.hands.add(device.name);
  tell(scene, device, 25, ({ ended }) => void ended.add(ticket.id));
  const data = { ticket_id: ticket.id, reason: ticket.reason };
  const what = `voids ${scene.history.nameOf(ticket.id)} (${ticket.reason})`;
  await scene.record(device, 'ticket_void', somebody(scene), data, what);
  return true;
};

/** After a pull the device believes what its copy says of open tickets. */
export const believeCopy = (scene: Scene, device: SimulatedDevice): void => {
  const { views, ended } = scene.memory(device);
  for (const { id, items } of device.copy.rows('open_ticket')) {
    if (!scene.ledger.tickets.has(id) || ended.has(id)) continue;
    const live = items.filter(({ voided }) => !voided);
    const linesOf = live.map(
      ({ id: lineId, line }) => [lineId, { units: line.quantity, unitPrice: line.unit_price }] as const,
    );
    views.set(id, new Map(linesOf));
  }
};
