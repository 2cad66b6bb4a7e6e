/** What happens at the server meanwhile: staff who sell live, a menu that changes, a device that is revoked. */
import { elevate } from '../../people/staff.ts';
import type { Reply } from '../../server/http-client.ts';
import { done, JSON_BODY, post, refusalOf } from '../../server/requests.ts';
import { ITEM_KEYS, ITEMS, taxIn, type ItemKey } from './place.ts';
import type { Scene } from './scene.ts';

const OWNER = 'the owner at the server';

/** Of what is on the menu now, by the model of the simulation. */
const priceOf = ({ menu }: Scene, item: ItemKey): number => menu.prices[item] ?? ITEMS[item].price;

const say = (scene: Scene, what: string): void => scene.history.say(scene.now, OWNER, null, what);

export const sellLive = async (scene: Scene): Promise<void> => {
  const { chance, place, ledger, history, server } = scene;
  const item = chance.pick(['tea', 'cake'] as const) ?? 'tea';
  const [units, cardId] = [chance.between(1, 2), chance.hits(30) ? place.card.id : null];
  const total = units * priceOf(scene, item);
  const payments = [{ method: 'card', amount: total, tip: 0 }] as const;
  const items = [{ menu_item_id: place.itemId(item), quantity: units }];
  const body = {
    branch_id: place.branchId,
    items,
    payments,
    ...(cardId === null ? {} : { member_id: cardId }),
  };
  const reply = await post(server.world, '/staff/sales', body, place.owner);
  if (reply.status === 409) {
    say(scene, `wants to sell ${units} ${item}, of which there is not enough`);
    return;
  }
  const { id } = done('sellOverCounter', reply);
  const lines = [{ item, units, unitPrice: priceOf(scene, item) }];
  ledger.sales.set(id, {
    id,
    at: scene.now,
    by: 'server',
    lines,
    ...{ total, tax: taxIn(total) },
    payments,
    tillId: null,
    cardId,
    spent: null,
  });
  say(
    scene,
    `sells ${units} ${item} for ${total} by card${cardId === null ? '' : ' with the card'}, ${history.name('sale', id)}`,
  );
};

/** Those that the server knows. */
const openTickets = async ({ ledger, place, server }: Scene) => {
  const open = await server.world.get(`/staff/tickets?branch_id=${place.branchId}`, place.owner);
  const rows = new Map(done('listTickets', open).map((row) => [row.id, row]));
  return [...ledger.tickets.values()].flatMap((ticket) => {
    const row = rows.get(ticket.id);
    return row === undefined ? [] : [{ ticket, row }];
  });
};

/** Of bills of which one has more paid than it would come to: some of that goes back first, which nobody does here. */
const isHeld = (scene: Scene, reply: Reply, what: string): boolean => {
  if (reply.status !== 409 || refusalOf(reply).code !== 'PAID_IN_PARTS') return false;
  say(scene, `may not ${what}`);
  return true;
};

const openAtServer = async (scene: Scene) => scene.chance.pick(await openTickets(scene)) ?? null;

export const settleLive = async (scene: Scene): Promise<void> => {
  const { place, history, server } = scene;
  const found = await openAtServer(scene);
  if (found === null || found.row.due === 0) return;
  const { ticket, row } = found;
  const payments = [{ method: 'card', amount: row.due, tip: 0 }] as const;
  const body = { revision: row.revision, payments };
  const reply = await post(server.world, `/staff/tickets/${ticket.id}/settle`, body, place.owner);
  if (isHeld(scene, reply, `settle ${history.nameOf(ticket.id)}`)) return;
  const settled = done('settleTicket', reply);
  const { subtotal = 0, total = 0 } = row.bill ?? {};
  const settling = { saleId: settled.order_id ?? '', subtotal, total, tax: taxIn(subtotal), payments };
  ticket.settlings.push({
    ...settling,
    at: scene.now,
    by: 'server',
    tillId: null,
    cardId: null,
    spent: null,
  });
  ticket.hands.add('server');
  say(scene, `settles ${history.nameOf(ticket.id)} with ${row.due} of ${total}`);
};

export const voidLive = async (scene: Scene): Promise<void> => {
  const { place, history, server } = scene;
  const found = await openAtServer(scene);
  if (found === null) return;
  const { ticket, row } = found;
  const body = { revision: row.revision, reason: ticket.reason };
  const reply = await post(server.world, `/staff/tickets/${ticket.id}/void`, body, place.owner);
  if (isHeld(scene, reply, `void ${history.nameOf(ticket.id)}`)) return;
  done('voidTicket', reply);
  ticket.ends.push({ at: scene.now, by: 'server' });
  ticket.hands.add('server');
  say(scene, `voids ${history.nameOf(ticket.id)} (${ticket.reason})`);
};

/** The lines of one ticket stand on the bill of another. */
export const mergeLive = async (scene: Scene): Promise<void> => {
  const { chance, place, history, ledger, server } = scene;
  const open = await openTickets(scene);
  const one = chance.pick(open);
  const other = chance.pick(open.filter((each) => each !== one));
  if (one === undefined || other === undefined) return;
  const body = { revision: one.row.revision, ticket_id: other.ticket.id };
  const what = `${history.nameOf(other.ticket.id)} into ${history.nameOf(one.ticket.id)}`;
  const reply = await post(server.world, `/staff/tickets/${one.ticket.id}/merge`, body, place.owner);
  if (isHeld(scene, reply, `merge ${what}`)) return;
  done('mergeTickets', reply);
  ledger.merge(other.ticket, one.ticket);
  for (const { hands } of [one.ticket, other.ticket]) hands.add('server');
  say(scene, `merges ${what}`);
};

/** One unit gets a bill of its own. */
export const splitLive = async (scene: Scene): Promise<void> => {
  const { chance, place, history, ledger, server } = scene;
  const found = await openAtServer(scene);
  if (found === null || found.row.paid > 0) return;
  const { ticket, row } = found;
  const live = row.items.filter(({ voided }) => !voided);
  const line = chance.pick(live);
  if (line === undefined || live.reduce((sum, one) => sum + one.line.quantity, 0) < 2) return;
  const body = { revision: row.revision, items: [{ item_id: line.id, units: 1 }] };
  const { id } = done(
    'splitTicket',
    await post(server.world, `/staff/tickets/${ticket.id}/split`, body, place.owner),
  );
  ledger.split(ticket, id);
  ticket.hands.add('server');
  say(
    scene,
    `splits a unit of ${history.nameOf(line.id)} off ${history.nameOf(ticket.id)}, ${history.name('ticket', id)}`,
  );
};

/** A shop file with another price, and sometimes without the latte. */
export const importMenu = async (scene: Scene): Promise<void> => {
  const { chance, place, server } = scene;
  const item = chance.pick(['tea', 'cake'] as const) ?? 'tea';
  const prices = { ...scene.menu.prices, [item]: chance.between(1_000, 7_000) };
  scene.menu = { prices, archived: chance.hits(50) ? ['latte'] : [] };
  await place.change(server.world, scene.menu);
  const gone = scene.menu.archived.length > 0 ? ', the latte is archived' : '';
  say(scene, `imports a shop file: a ${item} costs ${prices[item]}${gone}`);
};

export const snooze = async (scene: Scene): Promise<void> => {
  const { chance, place, server } = scene;
  const item = chance.pick(ITEM_KEYS) ?? 'tea';
  const available = chance.hits(40);
  const address = `/staff/branches/${place.branchId}/items/${place.itemId(item)}/availability`;
  const body = JSON.stringify({ available });
  const reply = await server.world.send('PUT', address, { ...JSON_BODY, ...place.owner }, body);
  say(
    scene,
    `says that ${item} ${available ? 'is there' : 'is sold out'}${reply.status === 200 ? '' : `: ${reply.status}`}`,
  );
};

/** One that is not the last. */
export const revokeDevice = async (scene: Scene): Promise<void> => {
  const { chance, place, server } = scene;
  const left = scene.devices.filter(({ isRevoked }) => !isRevoked);
  const device = left.length > 1 ? chance.pick(left) : undefined;
  if (device === undefined) return;
  await elevate(server.world, place.owner, 'owner', place.slug);
  const reply = await post(server.world, `/staff/devices/${device.id}/revoke`, {}, place.owner);
  if (reply.status !== 200) throw new Error(`not revoked: ${reply.text}`);
  device.isRevoked = true;
  say(scene, `revokes ${device.name}`);
};
