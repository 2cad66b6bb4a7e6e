/** Guests who order by the QR code of their table. */
import { sql } from 'kysely';
import type { OperationId } from '../../../src/service/contract/endpoints.ts';
import type { BodyOf, ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import type { Reply } from '../server/http-client.ts';
import { done, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { newId } from '../database/ids.ts';
import { branchId, shopId } from '../shops/cafe.ts';
import { coffees } from './tickets.ts';

type Of<Id extends OperationId> = EndpointOf<Id>;
export type TableOrder = BodyOf<Of<'orderAtTable'>>;
export type GuestTicket = ReplyOf<Of<'orderAtTable'>>;
export type TableView = ReplyOf<Of<'getTable'>>;

export const asksTableOrder = (
  world: World,
  table: string,
  more: Partial<TableOrder> = {},
  headers: Record<string, string> = {},
): Promise<Reply> =>
  post(world, '/public/table-orders', { table_id: table, items: coffees(1), ...more }, headers);

export const orderedAt = async (
  world: World,
  table: string,
  more: Partial<TableOrder> = {},
): Promise<GuestTicket> => done('orderAtTable', await asksTableOrder(world, table, more));

export const tableView = async (world: World, table: string): Promise<TableView> =>
  done('getTable', await world.get(`/public/tables/${table}`));

/** Another free table of the branch: its id, which is that of its QR code. */
export const aFreeTable = async (world: World, slug?: string): Promise<string> => {
  const id = newId();
  await sql`
    insert into dining_table (org_id, id, branch_id, label, seats_min, seats_max)
    values (${shopId(slug)}, ${id}, ${branchId('zamalek', slug)}, ${`X${id.slice(0, 6)}`}, 1, 4)
  `.execute(world.db.kysely);
  await sql`insert into locator (id, org_id, kind) values (${id}, ${shopId(slug)}, 'table')`.execute(
    world.db.kysely,
  );
  return id;
};

/** A ticket with a round that waits, at a branch that confirms table orders, as `aStaffedShop` does. */
export const aWaitingRound = async (
  world: World,
  slug?: string,
): Promise<{ readonly id: string; readonly round: number }> => {
  const { id } = await orderedAt(world, await aFreeTable(world, slug), { items: coffees(1, slug) });
  return { id, round: 1 };
};
