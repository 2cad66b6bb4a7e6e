/** Tables as their QR codes show them (Decisions 3, PublicTable; 12, Table QR). */
import type { Static } from 'typebox';
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { branchScope, floorScope, shopScope, type ChangeScope } from '../../kernel/change.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import { versionOf } from '../../platform/store/change-log.ts';
import type { Database } from '../../platform/store/schema.ts';
import { branchById, setPublicId, tableByCode, type NamedTable } from '../../shops/app/shared.ts';
import { tableOrdersNextEdge, takesTableOrders } from '../../shops/domain/shop.ts';
import type { Actor } from '../../staff/app/access.ts';
import { branchesAllowed } from '../../staff/domain/staff.ts';
import type * as contract from '../contract/dining-table.ts';
import type { PublicTable } from '../contract/dining-table.ts';
import type * as rounds from '../contract/guest-rounds.ts';
import { openTicketAt, ticketById, ticketsOfChecks } from '../store/ticket.ts';
import { tableBill } from './guest-reply.ts';
import { viewOf } from './ticket-reply.ts';
import type { FloorParts } from './parts.ts';

type Table = Static<typeof PublicTable>;

const read = (
  app: App,
  code: Uuid,
): Promise<Answer<Omit<Table, 'bill'>> & { readonly ticketId: Uuid | null }> =>
  app.db.snapshot(async (tx) => {
    const table = await tableByCode(tx, code);
    const branch = table === null ? null : await branchById(tx, table.branchId);
    if (table === null || branch === null) throw new Refusal('NOT_FOUND');
    const { orgId } = table;
    const now = app.clock.now();
    const ticketId = await openTicketAt(tx, orgId, table.id);
    return {
      body: {
        ...{ table_id: table.publicId, branch_id: branch.id, org_id: branch.orgId, label: table.label },
        ...{ branch_name: branch.name, accepting: takesTableOrders(branch, now) },
      },
      ...{ ticketId, orgId, version: await versionOf(tx, orgId) },
      scopes: [shopScope, branchScope(branch.id), ...(await scopesOf(tx, table, ticketId))],
      validUntil: tableOrdersNextEdge(branch, now),
    };
  });

/** The table, and the tickets whose bills are worked out together with its own. */
const scopesOf = async (
  tx: Kysely<Database>,
  { orgId, branchId, id }: NamedTable,
  ticketId: Uuid | null,
): Promise<readonly ChangeScope[]> => {
  const ticket = ticketId === null ? null : await ticketById(tx, orgId, ticketId);
  const tickets = ticket === null ? [] : await ticketsOfChecks(tx, orgId, [ticket.checkId]);
  return [id, ...tickets.map((one) => one.id)].map((each) => floorScope(branchId, each));
};

/** For a page that reads the bill by itself. */
export const getTableOnly =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.getTable> }): Promise<Answer<Omit<Table, 'bill'>>> => {
    const { body, orgId, scopes, version, validUntil } = await read(app, path.id);
    return { body, orgId, scopes, version, validUntil };
  };

interface TableRequest {
  readonly path: PathOf<typeof contract.getTable>;
  readonly caller: JobContext;
}

/** GET /public/tables/{id}, with the bill of its oldest live ticket. */
export const getTable =
  (parts: FloorParts) =>
  async ({ path, caller }: TableRequest): Promise<Answer<Table>> => {
    const { body, ticketId, orgId, scopes, version, validUntil } = await read(parts.app, path.id);
    const ticket = ticketId === null ? null : await viewOf(parts, caller, orgId, ticketId);
    // Whoever settles it between the two reads changes one of the scopes.
    const bill = ticket?.status === 'open' ? tableBill(ticket) : null;
    return { body: { ...body, bill }, orgId, scopes, version, validUntil };
  };

interface CodeRequest {
  readonly path: PathOf<typeof rounds.newTableCode>;
  readonly actor: Actor;
}

/** POST /staff/tables/{table_id}/new-code. The table, its tickets and bookings stay. */
export const newTableCode =
  (app: App) =>
  ({ path, actor }: CodeRequest): Promise<ReplyOf<typeof rounds.newTableCode>> =>
    commitAndPublish(app, async (tx, log) => {
      const { orgId, staffId, deviceId } = actor;
      const [id, publicId] = [path.table_id, app.random.uuid()];
      const found = await setPublicId(tx, { orgId, id, branchIds: branchesAllowed(actor) }, publicId);
      if (found === null) throw new Refusal('NOT_FOUND');
      const { branchId } = found;
      await recordAudit(app, tx, {
        ...{ orgId, staffId, deviceId, branchId, action: 'table.new_code', subject: 'table' },
        ...{ subjectId: id, detail: {} },
      });
      log.add(orgId, { scope: branchScope(branchId), type: 'table', id, op: 'upsert' });
      return { public_id: publicId, url: new URL(`/t/${publicId}`, app.baseUrl).href };
    });
